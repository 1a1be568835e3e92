package cli

import (
	"context"
	"io"
	"os"
)

// spool copies a stream to a temporary file that only this process can see: it
// is created with mode 0600 and, where the system allows it, has no name.
func spool(ctx context.Context, stream io.Reader) (*Source, error) {
	file, err := os.CreateTemp("", "turnlint-*")
	if err != nil {
		return nil, err
	}
	src := &Source{ctx: ctx, file: file, spooled: true}
	// Windows does not remove an open file.
	if os.Remove(file.Name()) != nil {
		src.leftover = file.Name()
	}
	src.size, err = copyUntil(ctx, file, stream)
	if err != nil {
		src.close()
		return nil, err
	}
	return src, nil
}

// copyUntil copies until the stream ends or the context is done. The copying
// goroutine may outlive it, blocked in a read that nothing can interrupt.
func copyUntil(ctx context.Context, dst io.Writer, src io.Reader) (int64, error) {
	type result struct {
		n   int64
		err error
	}
	done := make(chan result, 1)
	go func() {
		n, err := io.Copy(dst, src)
		done <- result{n, err}
	}()
	select {
	case r := <-done:
		return r.n, r.err
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

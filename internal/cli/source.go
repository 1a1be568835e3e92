package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
)

// Source is an input that is open for reading.
type Source struct {
	ctx     context.Context
	file    *os.File
	size    int64
	info    fs.FileInfo
	spooled bool
	// progress, when set, gets what is read.
	progress *Progress
	// leftover is the name of a temporary file that is still to be removed.
	leftover string
}

func (s *Source) close() {
	s.file.Close()
	if s.leftover != "" {
		os.Remove(s.leftover)
	}
}

// ReadAt implements [io.ReaderAt]. It fails with the error of the context of
// [Read] once that is done.
func (s *Source) ReadAt(p []byte, off int64) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.file.ReadAt(p, off)
	s.progress.Read(n)
	return n, err
}

// Track makes the reads count as those of the current input of p, which start anew.
func (s *Source) Track(p *Progress) {
	s.progress = p
	p.Again()
}

// Size returns the bytes of the input when it was opened.
func (s *Source) Size() int64 { return s.size }

// Spooled reports whether the bytes lie in a temporary file, because the input
// is not a regular file.
func (s *Source) Spooled() bool { return s.spooled }

// Info returns what the file was when it was opened; nil for standard input.
func (s *Source) Info() fs.FileInfo { return s.info }

// Read opens an input and calls use with it. When the file changed meanwhile,
// the result of use is of no value, and Read does it once more; when that one
// changed too, it returns an [InputError]. Anything that cannot be read twice
// is copied first to a private temporary file, which use then gets.
func Read(ctx context.Context, name string, stdin io.Reader, use func(*Source) error) error {
	for range 2 {
		changed, err := readOnce(ctx, name, stdin, use)
		if !changed {
			return err
		}
	}
	return &InputError{
		Path: name, What: "in use: it changed while it was read",
		Hint: "stop the session that writes it, or check a copy",
	}
}

func readOnce(ctx context.Context, name string, stdin io.Reader, use func(*Source) error) (changed bool, err error) {
	src, err := open(ctx, name, stdin)
	if err != nil {
		return false, explain(name, err)
	}
	defer src.close()
	err = use(src)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if !src.spooled && src.changed(name) {
		return true, nil
	}
	return false, explain(name, err)
}

// explain makes an error of the input an [InputError]; others stay as they are.
func explain(name string, err error) error {
	var pathErr *fs.PathError
	var input *InputError
	if errors.As(err, &pathErr) && !errors.As(err, &input) {
		return inputError(name, err)
	}
	return err
}

// changed reports whether path no longer holds the file that was opened, as it
// was then.
func (s *Source) changed(path string) bool {
	now, err := os.Stat(path)
	return err != nil || !os.SameFile(s.info, now) ||
		now.Size() != s.info.Size() || !now.ModTime().Equal(s.info.ModTime())
}

func open(ctx context.Context, name string, stdin io.Reader) (*Source, error) {
	if name == Stdin {
		return spool(ctx, stdin)
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	file, err := openFile(ctx, name, info)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		defer file.Close()
		src, err := spool(ctx, file)
		if err != nil {
			return nil, err
		}
		src.info = info
		return src, nil
	}
	// What was opened counts, should the name mean another file by now.
	if info, err = file.Stat(); err != nil {
		file.Close()
		return nil, err
	}
	return &Source{ctx: ctx, file: file, size: info.Size(), info: info}, nil
}

// openFile opens a file for reading. Opening a FIFO blocks until someone writes
// to it, so there the context is waited for as well.
func openFile(ctx context.Context, name string, info fs.FileInfo) (*os.File, error) {
	if info.Mode().IsRegular() || info.IsDir() {
		return os.Open(name)
	}
	type result struct {
		file *os.File
		err  error
	}
	opened := make(chan result, 1)
	go func() {
		file, err := os.Open(name)
		opened <- result{file, err}
	}()
	select {
	case r := <-opened:
		return r.file, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

//go:build unix

package cli_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/turnlint/turnlint/internal/cli"
)

func fifo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	return path
}

func TestReadSpoolsAPipe(t *testing.T) {
	path := fifo(t)
	go func() { _ = os.WriteFile(path, []byte("from a pipe"), 0) }()
	var got string
	err := cli.Read(t.Context(), path, nil, text(&got))
	if err != nil || got != "from a pipe" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestReadOfAPipeWithoutAWriterEndsWithItsContext(t *testing.T) {
	path := fifo(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	err := cli.Read(ctx, path, nil, func(*cli.Source) error { return nil })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

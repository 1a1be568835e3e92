package main

import (
	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/repair"
)

// trackedFS counts what is read of the files that it opens as progress.
type trackedFS struct {
	repair.FS
	progress *shared.Progress
}

// Open implements repair.FS.
func (t trackedFS) Open(name string) (repair.File, error) {
	f, err := t.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return trackedFile{f, t.progress}, nil
}

// Copy implements repair.FS. It does not count: what is copied is read back.
func (t trackedFS) Copy(to, from repair.File, r repair.Range) error {
	if tracked, ok := from.(trackedFile); ok {
		from = tracked.File
	}
	return t.FS.Copy(to, from, r)
}

type trackedFile struct {
	repair.File
	progress *shared.Progress
}

// ReadAt implements io.ReaderAt.
func (t trackedFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := t.File.ReadAt(p, off)
	t.progress.Read(n)
	return n, err
}

package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

var (
	errDirectory  = errors.New("is a directory")
	errNotRegular = errors.New("not a regular file")
)

// openLog opens a file and returns its size in bytes. It never waits for
// anybody, so that a named pipe cannot hold up the rest of a tree.
func openLog(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, 0, err
	case info.IsDir():
		return nil, 0, &fs.PathError{Op: "read", Path: path, Err: errDirectory}
	case !info.Mode().IsRegular():
		return nil, 0, &fs.PathError{Op: "read", Path: path, Err: errNotRegular}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	if info, err = file.Stat(); err != nil {
		file.Close()
		return nil, 0, err
	}
	return file, info.Size(), nil
}

// SameFile returns a function that reports whether another path leads to the log
// at path, by way of links to directories. Hard links are other logs to dsh.
func SameFile(path string) func(derived string) bool {
	return func(derived string) bool {
		if filepath.Base(derived) != filepath.Base(path) {
			return false
		}
		here, err := os.Stat(filepath.Dir(path))
		if err != nil {
			return false
		}
		there, err := os.Stat(filepath.Dir(derived))
		return err == nil && os.SameFile(here, there)
	}
}

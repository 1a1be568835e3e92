package database

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/turnlint/turnlint/internal/diskroom"
)

// companions are what belongs to a database beside its own file: what is written
// but not yet in it, or what would undo a transaction that was cut off.
var companions = []string{"-wal", "-journal"}

// copyName is how the copy is called, whatever the database is.
const copyName = "copy.db"

// attempts is how often a database is copied that is being written.
const attempts = 3

// ErrInUse says that the database changed while it was copied.
var ErrInUse = errors.New("in use: it changed while it was copied")

// copyFile copies the database at path and its companions into dir, and proves that
// they belong together: that none changed meanwhile.
func copyFile(ctx context.Context, path, dir string) error {
	path, err := filepath.EvalSymlinks(path) // the companions lie beside the file itself
	if err != nil {
		return err
	}
	for range attempts {
		before, err := snapshot(path)
		if err != nil {
			return err
		}
		if err := errors.Join(fits(before.size(), dir), before.settle(ctx)); err != nil {
			return err
		}
		if err := before.copy(ctx, dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		after, err := snapshot(path)
		if err != nil {
			return err
		}
		if before.Same(after) {
			return nil
		}
	}
	return ErrInUse
}

// part is a file of a database, without info where there is none.
type part struct {
	path, copy string
	info       fs.FileInfo
}

// Moment is the file of a database and its companions at one moment.
type Moment []part

// Look returns what the files of the database at path are now.
func Look(path string) (Moment, error) {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	return snapshot(path)
}

func snapshot(path string) (all Moment, err error) {
	for _, suffix := range append([]string{""}, companions...) {
		p := part{path: path + suffix, copy: copyName + suffix}
		p.info, err = os.Stat(p.path)
		switch {
		case suffix != "" && errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case !p.info.Mode().IsRegular():
			return nil, &fs.PathError{Op: "read", Path: p.path, Err: errors.New("not a regular file")}
		}
		all = append(all, p)
	}
	return all, nil
}

// Same reports whether nothing changed between two moments.
func (all Moment) Same(later Moment) bool {
	for i, p := range all {
		now := later[i]
		switch {
		case p.info == nil && now.info == nil:
		case p.info == nil || now.info == nil:
			return false
		case !os.SameFile(p.info, now.info), p.info.Size() != now.info.Size(), !p.info.ModTime().Equal(now.info.ModTime()):
			return false
		}
	}
	return true
}

// SameFile reports whether the database is the same file at two moments, whatever was
// written to it.
func (all Moment) SameFile(later Moment) bool { return os.SameFile(all[0].info, later[0].info) }

// size returns the bytes of all files.
func (all Moment) size() (sum int64) {
	for _, p := range all {
		if p.info != nil {
			sum += p.info.Size()
		}
	}
	return sum
}

// tick is as long as two writes may have the same time: file systems take it from a
// clock that is slower than they are.
const tick = 20 * time.Millisecond

// settle waits until a tick has passed since the last write, so that another one shows.
func (all Moment) settle(ctx context.Context) error {
	var wait time.Duration
	for _, p := range all {
		if p.info != nil {
			if left := tick - time.Since(p.info.ModTime()); left <= tick { // else its time is yet to come
				wait = max(wait, left)
			}
		}
	}
	if wait == 0 {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
		return nil
	}
}

// fits checks that a copy leaves room on the disk for what else needs it.
func fits(need int64, dir string) error {
	room, err := diskroom.Free(dir)
	if err == nil && room >= 0 && need+reserve > room {
		return fmt.Errorf("a copy of %d bytes does not fit into %s, which has room for %d: set TMPDIR to a folder with more", need, filepath.Dir(dir), room)
	}
	return err
}

// reserve is what a copy leaves free, in bytes.
const reserve = 16 << 20

func (all Moment) copy(ctx context.Context, dir string) error {
	for _, p := range all {
		to := filepath.Join(dir, p.copy)
		if p.info == nil {
			if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		if err := p.write(ctx, to); err != nil {
			return err
		}
	}
	return nil
}

func (p *part) write(ctx context.Context, to string) error {
	src, err := os.Open(p.path)
	if err != nil {
		return err
	}
	defer src.Close()
	return writeCopy(ctx, io.LimitReader(src, p.info.Size()), to)
}

// writeCopy writes a new file that only this user can read.
func writeCopy(ctx context.Context, src io.Reader, to string) error {
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, contextReader{ctx, src})
	return errors.Join(err, dst.Close())
}

// contextReader fails once its context is done.
type contextReader struct {
	ctx context.Context
	io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

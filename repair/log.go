package repair

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// openLog is a log that is open for a repair.
type openLog struct {
	ctx  context.Context
	name string // as it was named
	path string // absolute, its directory without links
	file File
	info fs.FileInfo // when it was opened
	sum  string      // SHA-256 of its bytes then
}

func (l *openLog) dir() string  { return filepath.Dir(l.path) }
func (l *openLog) base() string { return filepath.Base(l.path) }
func (l *openLog) close()       { l.file.Close() }

// ReadAt implements io.ReaderAt. It fails once the context is done, so that a
// long repair can be interrupted.
func (l *openLog) ReadAt(p []byte, off int64) (int, error) {
	if err := l.ctx.Err(); err != nil {
		return 0, err
	}
	return l.file.ReadAt(p, off)
}

// open opens the log of the given name, if it is a file that may be replaced.
func (c *Committer) open(ctx context.Context, name string) (*openLog, error) {
	path, err := c.locate(name)
	if err != nil {
		return nil, err
	}
	if err := c.replaceable(path); err != nil {
		return nil, err
	}
	l := &openLog{ctx: ctx, name: name, path: path}
	if l.file, err = c.FS.Open(path); err != nil {
		return nil, err
	}
	if l.info, err = l.file.Stat(); err == nil {
		l.sum, err = hashOf(l, l.info.Size())
	}
	if err != nil {
		return nil, errors.Join(err, l.file.Close())
	}
	return l, nil
}

// locate returns the absolute path of a log, with the links of its directory
// resolved: one log has one path, and with it one lock and one row of backups.
func (c *Committer) locate(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	return filepath.Join(dir, filepath.Base(path)), err
}

// replaceable refuses files that a rename would not replace as a user means it.
func (c *Committer) replaceable(path string) error {
	info, err := c.FS.Lstat(path)
	switch {
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return errors.New("it is a symbolic link: name the file that it leads to")
	case !info.Mode().IsRegular():
		return errors.New("it is not a regular file")
	case linksOf(info) > 1:
		if err := c.checkLinks(path, info); err != nil {
			return err
		}
	}
	return checkOwner(info)
}

// checkLinks refuses a log with a second name, which would keep the damaged
// bytes. Only a name that dsh left behind when it published the log may do so
// (docs/format.md §1.1).
func (c *Committer) checkLinks(path string, info fs.FileInfo) error {
	names, err := c.FS.ReadDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	known := 1
	for _, name := range names {
		if !isTempName(filepath.Base(path), name) {
			continue
		}
		other, err := c.FS.Lstat(filepath.Join(filepath.Dir(path), name))
		if err == nil && os.SameFile(info, other) {
			known++
		}
	}
	if n := linksOf(info); n > known {
		return fmt.Errorf("it has %d names (hard links): a repair would change only this one", n)
	}
	return nil
}

var tempSuffix = regexp.MustCompile(`^\.[0-9a-f]{12}\.tmp$`)

// isTempName reports whether name is one of those that dsh gives a log while it
// writes it, and ignores.
func isTempName(base, name string) bool {
	suffix, ok := strings.CutPrefix(name, base)
	return ok && tempSuffix.MatchString(suffix)
}

// attributesWithoutTime are those that a repaired log takes over: it is new.
func attributesWithoutTime(info fs.FileInfo) Attributes {
	a := attributesOf(info)
	return Attributes{Mode: a.Mode, Owner: a.Owner}
}

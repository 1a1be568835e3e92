package repair

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/store"
)

// lockTries is how often dsh, and turnfix, open the lock file of a session that others
// put another file in place of (docs/generations.md §7.4).
const lockTries = 3

// guard keeps others away from a log for the time of its repair.
type guard struct {
	own    []*os.File // locks of turnfix
	theirs *os.File   // lock of the harness; nil when there is none
}

// release gives the locks back.
func (g *guard) release() {
	for _, f := range g.own {
		f.Close()
	}
	g.releaseTheirs()
}

// releaseTheirs gives the lock of the harness back.
func (g *guard) releaseTheirs() {
	if g.theirs != nil {
		g.theirs.Close()
	}
}

// guard makes sure that nobody else works on a log, as far as that can be known:
// another turnfix by a lock of its own, a harness by its lock file, its open
// descriptors and the time since the log last changed. Without an error, the
// caller has to release the guard.
func (c *Committer) guard(ctx context.Context, log *openLog) (*guard, error) {
	own, err := c.lockOwn(key(log.path))
	if err != nil {
		return nil, err
	}
	g := &guard{own: []*os.File{own}}
	if !c.AssumeStopped {
		g.theirs, err = lockSession(log)
		switch {
		case err == nil, errors.Is(err, fs.ErrNotExist):
			err = c.checkIdle(ctx, log)
		}
	}
	if err == nil {
		// Another turnfix may have had the lock since the log was read.
		err = c.checkUnchanged(log)
	}
	if err != nil {
		g.release()
		return nil, err
	}
	return g, nil
}

// lockSession takes the lock that a dsh holds as long as it has a session open to
// write (docs/generations.md §7.4). Those of v0 did not know it, so it is made only
// beside a log of a later format, and never removed: its holder locks the file, and
// not the name.
func lockSession(log *openLog) (*os.File, error) {
	flags := os.O_RDWR
	if name, ok := session.ParseLogName(log.base()); ok && name.Generation >= firstNative {
		flags |= os.O_CREATE
	}
	return lockFile(filepath.Join(log.dir(), store.LockName), flags)
}

// lockOwn takes turnfix's own lock of the log with the given key. Its file stays:
// to remove it could take it from under the next run.
func (c *Committer) lockOwn(key string) (*os.File, error) {
	dir := filepath.Join(c.StateDir, "locks")
	if err := c.FS.MkdirAll(dir); err != nil {
		return nil, err
	}
	return lockFile(filepath.Join(dir, key), os.O_RDWR|os.O_CREATE)
}

// lockFile opens and locks a file. A holder may remove its lock file when it ends,
// so the name must still mean the file that was locked.
func lockFile(path string, flags int) (*os.File, error) {
	for range lockTries {
		f, err := os.OpenFile(path, flags|noFollow, 0o600)
		if err != nil {
			return nil, err
		}
		taken, err := tryLock(f)
		if taken && current(f, path) {
			return f, nil
		}
		f.Close()
		switch {
		case err != nil:
			return nil, err
		case !taken:
			return nil, fmt.Errorf("%w: somebody holds the lock %q", ErrInUse, path)
		}
	}
	return nil, fmt.Errorf("%w: somebody replaces the lock %q all the time", ErrInUse, path)
}

// current reports whether path still names the open file.
func current(f *os.File, path string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(path)
	return err == nil && os.SameFile(open, now)
}

// settle returns how long a log must have been left alone.
func (c *Committer) settle() time.Duration { return cmp.Or(c.Settle, DefaultSettle) }

// checkIdle refuses a log that another process has open, and waits until it has
// been left alone for the settle time.
func (c *Committer) checkIdle(ctx context.Context, log *openLog) error {
	if pid, open := openElsewhere(log.info); open {
		return fmt.Errorf("%w: the process %d has it open", ErrInUse, pid)
	}
	// A time in the future says nothing: such a log is watched for the settle time.
	wait := min(c.settle()-time.Since(log.info.ModTime()), c.settle())
	if wait > 0 && c.Waiting != nil {
		c.Waiting(log.path, c.settle())
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
	}
	return nil
}

// checkUnchanged refuses a log that is no longer what was read.
func (c *Committer) checkUnchanged(log *openLog) error {
	now, err := c.FS.Lstat(log.path)
	if err == nil && !unchanged(log.info, now) {
		err = fmt.Errorf("%w: it changed a moment ago", ErrInUse)
	}
	return err
}

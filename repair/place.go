package repair

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// roomSlack is room for manifests, closers and directories.
const roomSlack = 1 << 20 // bytes

// checkPlace refuses a repair, before anything is written, for which the directory
// of the log or the state directory has no place: it is among the sessions, cannot
// be written or has no room. room is the bytes that are written besides the copy
// of the log in the backup. Both directories may share a file system, so that each
// must have room for everything.
func (c *Committer) checkPlace(log *openLog, room int64) error {
	if err := outside(log.path, c.StateDir, "the state directory"); err != nil {
		return err
	}
	for _, dir := range []string{log.dir(), c.StateDir} {
		if err := c.checkRoom(dir, log.info.Size()+room+roomSlack); err != nil {
			return err
		}
	}
	return nil
}

// checkRoom refuses a directory in which need bytes cannot be written. It need not
// exist yet; then its parent counts.
func (c *Committer) checkRoom(dir string, need int64) error {
	_, err := c.FS.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) && filepath.Dir(dir) != dir {
		return c.checkRoom(filepath.Dir(dir), need)
	}
	if err != nil {
		return err
	}
	free, err := c.FS.Room(dir)
	switch {
	case err != nil:
		return fmt.Errorf("nothing can be written in %q: %w", dir, err)
	case free >= 0 && free < need:
		return fmt.Errorf("there is no room for the backup and the new log: %q has %d bytes left and %d may be needed", dir, free, need)
	}
	return nil
}

// checkOwner refuses a log of another user: only root could give the new file to
// them, and the harness could no longer write its own log.
func checkOwner(info fs.FileInfo) error {
	owner, user := ownerOf(info), os.Geteuid()
	if owner == nil || user <= 0 || owner.UID == user { // user is -1 where there are none
		return nil
	}
	return fmt.Errorf("it belongs to another user (id %d): run turnfix as that user", owner.UID)
}

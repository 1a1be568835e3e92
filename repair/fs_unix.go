//go:build unix

package repair

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// noFollow makes opening a symbolic link fail; without O_NONBLOCK, opening a FIFO
// would wait for a writer.
const noFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK

func syncDir(name string) error {
	dir, err := os.Open(name)
	if err != nil {
		return err
	}
	err = dir.Sync()
	// Some network file systems know no fsync of directories: their names are
	// durable once the call that made them has returned.
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, dir.Close())
}

func ownerOf(info fs.FileInfo) *Owner {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return &Owner{UID: int(stat.Uid), GID: int(stat.Gid)}
}

// linksOf returns the number of names that a file has.
func linksOf(info fs.FileInfo) int {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 1
	}
	return int(stat.Nlink)
}

func checkWritable(dir string) error {
	return unix.Faccessat(unix.AT_FDCWD, dir, unix.W_OK|unix.X_OK, unix.AT_EACCESS)
}

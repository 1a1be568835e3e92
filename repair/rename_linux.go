package repair

import (
	"errors"

	"golang.org/x/sys/unix"
)

func renameNew(name, second string) error {
	err := unix.Renameat2(unix.AT_FDCWD, name, unix.AT_FDCWD, second, unix.RENAME_NOREPLACE)
	if err == unix.EINVAL { // the file system does not know the flag
		return errors.ErrUnsupported
	}
	return err
}

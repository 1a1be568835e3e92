package repair

import "golang.org/x/sys/unix"

func renameNew(name, second string) error {
	return unix.RenamexNp(name, second, unix.RENAME_EXCL)
}

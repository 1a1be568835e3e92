package database

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
)

// journalMagic ends a rollback journal that names another file (SQLite, pager.c).
const journalMagic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"

var errSuperJournal = errors.New("its rollback journal names another file, which SQLite would delete: nothing that dsh writes does")

// checkJournal refuses a rollback journal of the database at path that names a super-journal, the file that
// joins a transaction over several databases. dsh never makes one, and to roll back
// SQLite deletes the file of that name, wherever it is.
func checkJournal(path string) error {
	file, err := os.Open(path + "-journal")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || info.Size() < 16 {
		return err
	}
	var end [16]byte // length of the name, its sum, magic
	if _, err := file.ReadAt(end[:], info.Size()-16); err != nil {
		return err
	}
	if string(end[8:]) == journalMagic && binary.BigEndian.Uint32(end[:]) > 0 {
		return errSuperJournal
	}
	return nil
}

package database

import (
	"encoding/binary"
	"errors"
	"io"
	"path/filepath"
)

// magic is how every SQLite database begins (SQLite file format §1.3.1).
const magic = "SQLite format 3\x00"

// FileName is how dsh calls its session database unless told otherwise.
const FileName = "sessions.db"

// Recognise reports whether the first size bytes of src are a SQLite database by
// their content. An empty file is one when it is called like dsh's, in which dsh
// then makes a new store.
func Recognise(src io.ReaderAt, size int64, path string) (bool, error) {
	if size == 0 {
		return filepath.Base(path) == FileName, nil
	}
	head := make([]byte, len(magic))
	n, err := src.ReadAt(head, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return string(head[:n]) == magic, err
}

// File is what the header of the database file says (SQLite file format §1.3).
type File struct {
	Size      int64 // bytes of the file
	PageSize  int64 // bytes; 0 in a file that has no header
	PageCount int64 // pages of PageSize by the header, 0 for unknown
	// ReadOnly says that SQLite refuses to write the file, because it is of a later
	// file format.
	ReadOnly bool
}

// headerLen is the size of the header of a database file in bytes.
const headerLen = 100

func readFile(src io.ReaderAt, size int64) (File, error) {
	f := File{Size: size}
	if size < headerLen {
		return f, nil
	}
	var head [headerLen]byte
	if _, err := src.ReadAt(head[:], 0); err != nil {
		return f, err
	}
	if f.PageSize = int64(binary.BigEndian.Uint16(head[16:])); f.PageSize == 1 {
		f.PageSize = 1 << 16
	}
	f.ReadOnly = head[18] > 2
	if binary.BigEndian.Uint32(head[24:]) == binary.BigEndian.Uint32(head[92:]) { // else the count is of an old writer
		f.PageCount = int64(binary.BigEndian.Uint32(head[28:]))
	}
	return f, nil
}

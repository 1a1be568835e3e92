package repair

import (
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"time"
)

// Attributes are what a file has besides its bytes.
type Attributes struct {
	Mode    fs.FileMode // permission bits
	Owner   *Owner      // nil where files have none
	ModTime time.Time   // zero: as it comes
}

// Owner of a file.
type Owner struct {
	UID int `json:"uid"`
	GID int `json:"gid"`
}

// attributesOf returns the attributes of a file.
func attributesOf(info fs.FileInfo) Attributes {
	return Attributes{Mode: info.Mode().Perm(), Owner: ownerOf(info), ModTime: info.ModTime()}
}

// unchanged reports whether two looks saw the same file in the same state.
func unchanged(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.Mode() == b.Mode() && a.ModTime().Equal(b.ModTime())
}

// fileMode is the permission bits of a file; in JSON their octal form, as chmod
// takes it.
type fileMode fs.FileMode

// MarshalText implements encoding.TextMarshaler.
func (m fileMode) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%04o", uint32(m)), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (m *fileMode) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 8, 32)
	*m = fileMode(fs.FileMode(n).Perm())
	return err
}

package repair

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
)

// content is what a new file gets and how to tell that it is right.
type content struct {
	write  func(io.Writer) error
	verify func(src io.ReaderAt, size int64) error
}

// staged is a new file that is complete, verified and durable, under a name that
// dsh ignores.
type staged struct {
	path  string
	print Fileprint
}

// stage makes a new file in dir that is to become dir/base. On an error it leaves
// nothing behind, or what the next run removes.
func (c *Committer) stage(dir, base string, a Attributes, content content) (*staged, error) {
	if err := c.removeLeftovers(dir, base); err != nil {
		return nil, err
	}
	made := &staged{path: filepath.Join(dir, newTempName(base))}
	f, err := c.FS.Create(made.path)
	if err != nil {
		return nil, err
	}
	made.print, err = c.fill(f, content)
	if err == nil {
		err = c.FS.Adopt(made.path, a)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, c.discard(made, err)
	}
	return made, nil
}

// fill writes the content and reads it back.
func (c *Committer) fill(f File, content content) (got Fileprint, err error) {
	h := sha256.New()
	if err := content.write(&newFile{f, c.FS, h}); err != nil {
		return got, err
	}
	info, err := f.Stat()
	if err != nil {
		return got, err
	}
	got.Size = info.Size()
	if got.SHA256, err = hashOf(f, got.Size); err != nil {
		return got, err
	}
	if got.SHA256 != hex.EncodeToString(h.Sum(nil)) {
		return got, errors.New("the disk does not hold the bytes that were written")
	}
	return got, content.verify(f, got.Size)
}

// discard removes a file that is not published and returns why it is not.
func (c *Committer) discard(made *staged, why error) error {
	if err := c.FS.Remove(made.path); err != nil {
		return fmt.Errorf("%w; %q is left behind and can be removed", why, filepath.Base(made.path))
	}
	return why
}

// A temporary name ends in 12 hex digits, like those of dsh, which ignores them
// all. The first half is random and the second half follows from it, so that a
// later run knows its predecessors' files from the ones that dsh is still writing.
const halfTag = 3 // bytes

func newTempName(base string) string {
	var tag [halfTag]byte
	rand.Read(tag[:])
	return fmt.Sprintf("%s.%x%x.tmp", base, tag, mark(base, tag[:]))
}

func mark(base string, tag []byte) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "turnfix %x %s", tag, base))
	return sum[:halfTag]
}

// isOwnTempName reports whether name was made by newTempName for base.
func isOwnTempName(base, name string) bool {
	if !isTempName(base, name) {
		return false
	}
	digits := strings.TrimSuffix(strings.TrimPrefix(name, base+"."), ".tmp")
	tag, err := hex.DecodeString(digits)
	return err == nil && bytes.Equal(tag[halfTag:], mark(base, tag[:halfTag]))
}

// removeLeftovers removes the files that an interrupted run left beside a log.
func (c *Committer) removeLeftovers(dir, base string) error {
	names, err := c.FS.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !isOwnTempName(base, name) {
			continue
		}
		if err := c.FS.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

package repair

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/turnlint/turnlint/internal/diskroom"
)

// FS is the file operations of a repair. The tests make the n-th of them fail.
// Names are paths of the operating system, and errors are its own.
type FS interface {
	// Lstat describes a file without following a link.
	Lstat(name string) (fs.FileInfo, error)
	// Open opens a file for reading. It does not follow a link.
	Open(name string) (File, error)
	// Create opens a new file for writing and reading, mode 0600. It fails when
	// the name exists.
	Create(name string) (File, error)
	// Copy appends a range of the bytes of a file, which has them, to another one.
	Copy(to, from File, r Range) error
	// MkdirAll makes a directory that only its owner can use, and its parents.
	MkdirAll(name string) error
	// Adopt gives a file the mode and, where permitted, the owner that a has, and
	// the modification time when a states one.
	Adopt(name string, a Attributes) error
	// Link gives a file a second name. It fails when that name exists.
	Link(name, second string) error
	// Rename replaces the file of the second name in one step.
	Rename(name, second string) error
	// RenameNew gives a file or a directory another name in one step. It fails when
	// that name exists.
	RenameNew(name, second string) error
	Remove(name string) error
	// ReadDir returns the names in a directory.
	ReadDir(name string) ([]string, error)
	// SyncDir makes the names in a directory durable.
	SyncDir(name string) error
	// Room returns the bytes that may still be written below a directory, negative
	// when the system does not tell. It fails for a directory that may not be
	// written.
	Room(name string) (free int64, err error)
}

// File is an open file of an [FS].
type File interface {
	io.ReaderAt
	io.WriteCloser
	Stat() (fs.FileInfo, error)
	// Sync makes what was written durable.
	Sync() error
}

// Disk is the FS of the operating system.
type Disk struct{}

// Lstat implements FS.
func (Disk) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

// Open implements FS.
func (Disk) Open(name string) (File, error) {
	return os.OpenFile(name, os.O_RDONLY|noFollow, 0)
}

// Create implements FS.
func (Disk) Create(name string) (File, error) {
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|noFollow, 0o600)
}

// Copy implements FS. Between two files of a system that can do it, such as Linux with
// copy_file_range, the bytes stay in the kernel, or are shared by both files.
func (Disk) Copy(to, from File, r Range) error {
	var src io.Reader = io.NewSectionReader(from, r.FileOff, r.Len)
	if file, ok := from.(*os.File); ok {
		// io.Copy knows what it can leave to the system by these types. Nothing else
		// uses the position of a file that is read with ReadAt.
		if _, err := file.Seek(r.FileOff, io.SeekStart); err != nil {
			return err
		}
		src = io.LimitReader(file, r.Len)
	}
	n, err := io.Copy(to, src)
	if err == nil && n < r.Len {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// MkdirAll implements FS.
func (Disk) MkdirAll(name string) error { return os.MkdirAll(name, 0o700) }

// Adopt implements FS.
func (Disk) Adopt(name string, a Attributes) error {
	if a.Owner != nil {
		// The user is the right one, or root (checkOwner). A group that the user is
		// not in, or a file system without owners, is no reason to fail.
		_ = os.Lchown(name, a.Owner.UID, a.Owner.GID)
	}
	if err := os.Chmod(name, a.Mode); err != nil {
		return err
	}
	if a.ModTime.IsZero() {
		return nil
	}
	return os.Chtimes(name, a.ModTime, a.ModTime)
}

// Link implements FS.
func (Disk) Link(name, second string) error { return os.Link(name, second) }

// Rename implements FS.
func (Disk) Rename(name, second string) error { return os.Rename(name, second) }

// RenameNew implements FS. Where the file system knows no such rename, it looks
// first, and only the locks keep others from making the name in between.
func (Disk) RenameNew(name, second string) error {
	err := renameNew(name, second)
	if errors.Is(err, errors.ErrUnsupported) {
		if _, err := os.Lstat(second); err == nil {
			return &os.LinkError{Op: "rename", Old: name, New: second, Err: fs.ErrExist}
		}
		return os.Rename(name, second)
	}
	if err != nil {
		return &os.LinkError{Op: "rename", Old: name, New: second, Err: err}
	}
	return nil
}

// Remove implements FS.
func (Disk) Remove(name string) error { return os.Remove(name) }

// ReadDir implements FS.
func (Disk) ReadDir(name string) ([]string, error) {
	dir, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.Readdirnames(-1)
}

// SyncDir implements FS.
func (Disk) SyncDir(name string) error { return syncDir(filepath.Clean(name)) }

// Room implements FS.
func (Disk) Room(name string) (free int64, err error) {
	if err := checkWritable(name); err != nil {
		return 0, err
	}
	return diskroom.Free(name)
}

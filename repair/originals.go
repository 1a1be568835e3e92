package repair

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Copies of a log have backups of their own with the same original. It is stored
// once: the backups have hard links to one file, where the file system has them.
// Nothing ever writes to that file, and it goes with the last of its backups.

// saveOriginal brings the log into the directory of its backup.
func (c *Committer) saveOriginal(log *openLog, dir string) error {
	name := filepath.Join(dir, originalName)
	if twin := c.twin(log, dir); twin != "" && c.FS.Link(twin, name) == nil {
		return nil
	}
	if err := c.create(name, copyOf(log, log.info.Size())); err != nil {
		return err
	}
	return c.proveCopy(log, name)
}

// proveCopy makes sure that a file in a backup has the bytes of the log, which may be
// about to go.
func (c *Committer) proveCopy(log *openLog, name string) error {
	same, err := c.compare(name, Fileprint{log.sum, log.info.Size()})
	if err == nil && !same {
		err = fmt.Errorf("%q does not hold the bytes that were copied to it", name)
	}
	return err
}

// twin returns the file in which another backup has the bytes of the log, "" when
// none has. A backup with a manifest is durable.
func (c *Committer) twin(log *openLog, own string) string {
	dir := filepath.Dir(own)
	names, err := c.FS.ReadDir(dir)
	if err != nil {
		return ""
	}
	want := Fileprint{log.sum, log.info.Size()}
	for _, name := range names {
		other := filepath.Join(dir, name)
		if other == own || !strings.HasSuffix(name, "-"+log.sum[:12]) {
			continue
		}
		original := filepath.Join(other, originalName)
		if _, err := c.readManifest(filepath.Join(other, manifestName)); err == nil && c.holds(original, want) {
			return original
		}
	}
	return ""
}

// Usage returns the bytes that the copies in some backups take up together. What
// several of them share counts once.
func (c *Committer) Usage(backups []Backup) (n int64) {
	seen := make(map[int64][]fs.FileInfo) // by size
	for i := range backups {
		n += backups[i].Size
		info, err := c.FS.Lstat(filepath.Join(string(backups[i].Dir), originalName))
		if err != nil {
			continue
		}
		size := info.Size()
		if slices.ContainsFunc(seen[size], func(other fs.FileInfo) bool { return os.SameFile(info, other) }) {
			n -= size
			continue
		}
		seen[size] = append(seen[size], info)
	}
	return n
}

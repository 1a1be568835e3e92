package repair

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"time"
)

// Names in the directory of a backup.
const (
	manifestName  = "manifest.json"
	originalName  = "original" // the log before the repair
	repairedName  = "repaired" // the repaired log, once it has been undone
	lostFoundName = "lost+found"
	indexName     = "index.json"  // of lost+found
	editsName     = "edits.jsonl" // in lost+found: what edits took away
	newSuffix     = ".new"        // of a file that is to replace another one
)

// backupDir returns the directory for the backup of a log in a certain state. The
// same repair, done again after a crash or an undo, has the same backup.
func (c *Committer) backupDir(path, sum string) string {
	return filepath.Join(c.StateDir, "backups", key(path)+"-"+sum[:12])
}

// moveDir returns the directory for the backup of a log that gets another place.
func (c *Committer) moveDir(kind MoveKind, path, sum string) string {
	return c.backupDir(path, sum) + "-" + string(kind)
}

// backUp copies the log and what leaves it into the state directory, all of it
// durable, and returns the path of the manifest. The manifest is written last: a
// directory without one is a backup that never came to be.
func (c *Committer) backUp(log *openLog, p *Plan, after Fileprint) (string, error) {
	dir := c.backupDir(log.path, log.sum)
	lost := filepath.Join(dir, lostFoundName)
	if err := c.FS.MkdirAll(lost); err != nil {
		return "", err
	}
	m := c.manifest(log, p, after)
	m.History = append(c.historyOf(dir), Swap{time.Now().UTC(), Applied})
	if err := c.empty(dir); err != nil {
		return "", err
	}
	if err := c.saveOriginal(log, dir); err != nil {
		return "", err
	}
	text := p.openText(log)
	defer text.close()
	for i := range m.LostFound {
		l := &m.LostFound[i]
		write := func(w io.Writer) error { return text.leave(w, &l.Leave) }
		if err := c.create(filepath.Join(lost, l.File), write); err != nil {
			return "", err
		}
	}
	if len(p.Rewrites) > 0 {
		write := func(w io.Writer) error { return p.writeEdits(w, log) }
		if err := c.create(filepath.Join(lost, editsName), write); err != nil {
			return "", err
		}
	}
	if err := c.create(filepath.Join(lost, indexName), encode(m.LostFound)); err != nil {
		return "", err
	}
	name := filepath.Join(dir, manifestName)
	if err := c.create(name, encode(m)); err != nil {
		return "", err
	}
	return name, c.syncUp(lost)
}

// empty removes the files in the directory of a backup. The manifest goes first,
// so that it never describes files that are gone.
func (c *Committer) empty(dir string) error {
	files, err := c.filesOf(dir)
	if err != nil {
		return err
	}
	for _, file := range append([]string{filepath.Join(dir, manifestName)}, files...) {
		if err := c.removeIfThere(file); err != nil {
			return err
		}
	}
	return nil
}

// filesOf returns the paths of the files in the directory of a backup, without the
// manifest. It follows no link out of the state directory.
func (c *Committer) filesOf(dir string) ([]string, error) {
	var files []string
	for _, d := range []string{filepath.Join(dir, lostFoundName), dir} {
		info, err := c.FS.Lstat(d)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && !info.IsDir() {
			err = fmt.Errorf("%q is no directory", d)
		}
		if err != nil {
			return nil, err
		}
		names, err := c.FS.ReadDir(d)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if name != manifestName && name != lostFoundName {
				files = append(files, filepath.Join(d, name))
			}
		}
	}
	return files, nil
}

func (c *Committer) removeIfThere(name string) error {
	err := c.FS.Remove(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// put makes a file, or replaces it in one step, durable but for its name.
func (c *Committer) put(name string, write func(io.Writer) error) error {
	if err := c.removeIfThere(name + newSuffix); err != nil {
		return err
	}
	if err := c.create(name+newSuffix, write); err != nil {
		return errors.Join(err, c.removeIfThere(name+newSuffix))
	}
	return c.FS.Rename(name+newSuffix, name)
}

// create makes a new file with the content that write gives it, durable.
func (c *Committer) create(name string, write func(io.Writer) error) error {
	f, err := c.FS.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(&newFile{File: f, fs: c.FS}) // which takes no short write for a whole one
	err = write(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// copyOf writes the first size bytes of src.
func copyOf(src io.ReaderAt, size int64) func(io.Writer) error {
	return func(w io.Writer) error { return copyRange(w, src, Range{0, size}) }
}

// copyRange writes bytes of src, all of which have to be there.
func copyRange(w io.Writer, src io.ReaderAt, r Range) error {
	n, err := io.Copy(w, io.NewSectionReader(src, r.FileOff, r.Len))
	if err == nil && n < r.Len {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// syncUp makes the names durable from dir up to the parent of the state directory,
// which may be new as well.
func (c *Committer) syncUp(dir string) error {
	top := filepath.Dir(filepath.Clean(c.StateDir))
	for {
		if err := c.FS.SyncDir(dir); err != nil {
			return err
		}
		if dir == top {
			return nil
		}
		dir = filepath.Dir(dir)
	}
}

package repair

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// ErrUndone is returned by Undo for a log that is already as it was before the repair.
var ErrUndone = errors.New("it is as it was before the repair: nothing to undo")

// Undo puts the bytes of a backup back, with their mode and modification time.
// name is the path of a log, whose last repair is undone, or of a manifest. It
// refuses a log that is not as the repair left it, because that would lose what
// was written since.
func (c *Committer) Undo(ctx context.Context, name string) (*Outcome, error) {
	path, manifest, err := c.findBackup(ctx, name)
	if err != nil {
		return nil, err
	}
	log, err := c.open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer log.close()
	m, err := c.readManifest(manifest)
	if err != nil {
		return nil, err
	}
	switch log.sum {
	case m.Before.SHA256:
		return nil, ErrUndone
	case m.After.SHA256:
	default:
		return nil, errors.New("it has changed since the repair: undoing would lose that change")
	}
	guard, err := c.guard(ctx, log)
	if err != nil {
		return nil, err
	}
	defer guard.release()
	made, err := c.restore(log, m, filepath.Dir(manifest))
	if err != nil {
		return nil, err
	}
	out := &Outcome{Target: path, Manifest: manifest}
	return out, c.replace(ctx, log, made, out)
}

// restore stages the bytes of a backup beside the log.
func (c *Committer) restore(log *openLog, m *Manifest, dir string) (*staged, error) {
	original, err := c.FS.Open(filepath.Join(dir, originalName))
	if err != nil {
		return nil, err
	}
	defer original.Close()
	a := Attributes{Mode: fs.FileMode(m.Mode), Owner: m.Owner, ModTime: m.ModTime}
	return c.stage(log.dir(), log.base(), a, content{
		write: copyFrom(io.NewSectionReader(original, 0, m.Before.Size)),
		verify: func(src io.ReaderAt, size int64) error {
			sum, err := hashOf(src, size)
			if err == nil && sum != m.Before.SHA256 {
				err = errors.New("the backup is damaged: it does not hold the bytes that its manifest names")
			}
			return err
		},
	})
}

// findBackup returns the log and the manifest that name stands for.
func (c *Committer) findBackup(ctx context.Context, name string) (path, manifest string, err error) {
	if filepath.Base(name) == manifestName {
		m, err := c.readManifest(name)
		if err != nil {
			return "", "", err
		}
		return string(m.Path), name, nil
	}
	log, err := c.open(ctx, name)
	if err != nil {
		return "", "", err
	}
	log.close()
	manifest, err = c.backupOf(log.path, log.sum)
	return log.path, manifest, err
}

// backupOf returns the manifest of the repair that made the log what it is, or
// else of one that started from what it is now.
func (c *Committer) backupOf(path, sum string) (string, error) {
	dir := filepath.Join(c.StateDir, "backups")
	names, err := c.FS.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("no backups: %w", err)
	}
	slices.Sort(names)
	undone, others := "", 0
	for _, name := range names {
		if !strings.HasPrefix(name, key(path)+"-") {
			continue
		}
		manifest := filepath.Join(dir, name, manifestName)
		m, err := c.readManifest(manifest)
		switch {
		case err != nil: // a backup that never came to be
		case m.After.SHA256 == sum:
			return manifest, nil
		case m.Before.SHA256 == sum:
			undone = manifest
		default:
			others++
		}
	}
	switch {
	case undone != "":
		return undone, nil
	case others > 0:
		return "", errors.New("it has changed since the repair: undoing would lose that change")
	}
	return "", fmt.Errorf("no backup of it in %q", c.StateDir)
}

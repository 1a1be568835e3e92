package repair

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

var (
	// ErrUndone is returned by Undo for a log that is as it was before a repair
	// that has never been undone: that repair was interrupted.
	ErrUndone  = errors.New("it is as it was before the repair: nothing to undo")
	errChanged = errors.New("it has changed since the repair: undoing would lose that change")
)

// Undo puts the other bytes of a backup in the place of the log, with their mode and
// modification time: those from before the repair, or, of a log that was undone
// before, the repaired ones. name is the path of a log, whose last swap is undone,
// or of a manifest in the state directory. The bytes that leave are in the backup
// before they do, so that every undo can be undone.
//
// It refuses a log that holds neither of both, because that would lose what was
// written since.
func (c *Committer) Undo(ctx context.Context, name string) (*Outcome, error) {
	path, manifest, err := c.findBackup(ctx, name)
	if err != nil {
		return nil, err
	}
	m, err := c.readManifest(manifest)
	if err != nil {
		return nil, err
	}
	switch {
	case m.Move != nil:
		return c.undoMove(ctx, manifest, m)
	case m.Sessions != nil:
		return c.undoStore(ctx, manifest, m, nil)
	}
	log, err := c.open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer log.close()
	back, err := c.returning(log, m, filepath.Dir(manifest))
	if err != nil {
		return nil, err
	}
	if err := c.checkPlace(log, back.comes.Size); err != nil {
		return nil, err
	}
	guard, err := c.guard(ctx, log)
	if err != nil {
		return nil, err
	}
	defer guard.release()
	made, err := c.restore(log, back)
	if err != nil {
		return nil, err
	}
	if err := c.recordReturn(log, back); err != nil {
		return nil, c.discard(made, err)
	}
	out := &Outcome{Target: path, Manifest: manifest, Kind: back.kind}
	return out, c.replace(ctx, log, made, out)
}

// returning is a swap that brings bytes back from a backup.
type returning struct {
	kind     SwapKind
	manifest *Manifest
	dir      string // of the backup
	// comes are the bytes that come back and leaves those that they replace, both
	// in the manifest; the names are those of their files in dir.
	comes, leaves         *FileState
	comesName, leavesName string
}

// returning finds out which bytes of the backup the log does not hold.
func (c *Committer) returning(log *openLog, m *Manifest, dir string) (*returning, error) {
	switch log.sum {
	case m.After.SHA256:
		return &returning{Undone, m, dir, &m.Before, &m.After, originalName, repairedName}, nil
	case m.Before.SHA256:
		switch missing, err := c.missing(filepath.Join(dir, repairedName)); {
		case err != nil:
			return nil, err
		case missing:
			return nil, ErrUndone
		}
		return &returning{Redone, m, dir, &m.After, &m.Before, repairedName, originalName}, nil
	}
	return nil, errChanged
}

func (c *Committer) exists(name string) bool {
	_, err := c.FS.Lstat(name)
	return err == nil
}

// restore stages the bytes that come back beside the log.
func (c *Committer) restore(log *openLog, back *returning) (*staged, error) {
	return c.stageBack(log.dir(), log.base(), back.dir, back.comesName, back.comes)
}

// recordReturn brings the bytes and attributes that are to leave the path into the
// backup, unless it has them, and the swap into its history, all of it durable.
func (c *Committer) recordReturn(log *openLog, back *returning) error {
	*back.leaves = log.state()
	if name := filepath.Join(back.dir, back.leavesName); !c.holds(name, back.leaves.Fileprint) {
		if err := c.put(name, copyOf(log, log.info.Size())); err != nil {
			return err
		}
		if err := c.proveCopy(log, name); err != nil {
			return err
		}
	}
	m := back.manifest
	m.History = append(m.History, Swap{time.Now().UTC(), back.kind})
	if err := c.put(filepath.Join(back.dir, manifestName), encode(m)); err != nil {
		return err
	}
	return c.FS.SyncDir(back.dir)
}

// findBackup returns the log and the manifest that name stands for.
func (c *Committer) findBackup(ctx context.Context, name string) (path, manifest string, err error) {
	if filepath.Base(name) == manifestName {
		return c.logOf(name)
	}
	path, err = c.locate(name)
	if errors.Is(err, fs.ErrNotExist) { // its directory may have gone with it
		path, err = resolve(name)
	}
	if err != nil {
		return "", "", err
	}
	moved, stale := c.moveOf(path)
	log, err := c.open(ctx, name)
	switch {
	case err == nil:
		log.close()
	case moved.manifest != "":
		return path, moved.manifest, nil
	default:
		return "", "", err
	}
	swapped, err := c.backupOf(log.path, log.sum)
	if best := swapped.or(moved); best.manifest != "" {
		return path, best.manifest, nil
	}
	if stale {
		err = errMoved
	}
	return "", "", err
}

// logOf returns the log that a manifest is about. Only a manifest in its place in the
// state directory counts: one from elsewhere could name any file.
func (c *Committer) logOf(name string) (path, manifest string, err error) {
	m, err := c.readManifest(name)
	if err != nil {
		return "", "", err
	}
	dir, err := resolve(filepath.Dir(name))
	if err != nil {
		return "", "", err
	}
	place := c.backupDir(string(m.Path), m.Before.SHA256)
	if m.Move != nil {
		place = c.moveDir(m.Move.Kind, string(m.Path), m.Before.SHA256)
	}
	want, err := resolve(place)
	if err == nil && dir != want {
		err = fmt.Errorf("it is no backup of %q in the state directory %q", m.Path, c.StateDir)
	}
	return string(m.Path), name, err
}

// backupOf returns the backup of the last swap after which the log had the bytes
// that it has now, or before it: one that can be undone if there is one.
func (c *Committer) backupOf(path, sum string) (best candidate, err error) {
	dir := filepath.Join(c.StateDir, "backups")
	names, err := c.FS.ReadDir(dir)
	if err != nil {
		return best, fmt.Errorf("no backups: %w", err)
	}
	others := 0
	var unread error
	for _, name := range names {
		if !strings.HasPrefix(name, key(path)+"-") {
			continue
		}
		manifest := filepath.Join(dir, name, manifestName)
		m, err := c.readManifest(manifest)
		switch {
		case errors.Is(err, fs.ErrNotExist): // a backup that never came to be
		case err != nil:
			unread = err
		case m.Move != nil:
		case m.After.SHA256 != sum && m.Before.SHA256 != sum:
			others++
		default:
			undoable := m.After.SHA256 == sum || c.exists(filepath.Join(dir, name, repairedName))
			best = best.or(candidate{manifest, undoable, m.last()})
		}
	}
	switch {
	case best.manifest != "":
		return best, nil
	case others > 0:
		return best, errChanged
	}
	if unread != nil {
		return best, fmt.Errorf("no backup of it in %q that can be read: %w", c.StateDir, unread)
	}
	return best, fmt.Errorf("no backup of it in %q", c.StateDir)
}

// candidate is a backup that knows the bytes of a log.
type candidate struct {
	manifest string
	undoable bool
	last     time.Time
}

func (a candidate) or(b candidate) candidate {
	if a.undoable == b.undoable && a.last.After(b.last) || a.undoable && !b.undoable {
		return a
	}
	return b
}

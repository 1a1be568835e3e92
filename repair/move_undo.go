package repair

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

var (
	errMoved         = errors.New("it has changed since it was moved or quarantined")
	errBackupDamaged = errors.New("the backup is damaged: it does not hold the bytes that its manifest names")
)

// undoMove takes a relocation back, or makes it again where it was taken back.
func (c *Committer) undoMove(ctx context.Context, manifest string, m *Manifest) (*Outcome, error) {
	out := &Outcome{Move: m.Move.move(string(m.Path)), Manifest: manifest}
	if err := outsideTree(string(m.Move.Root), c.StateDir, "the state directory"); err != nil {
		return nil, err
	}
	state, err := c.stateOfMove(m)
	switch {
	case err != nil:
		return nil, err
	case state == BackupCurrent:
		out.Kind = Undone
	case !m.undone():
		return nil, ErrUndone
	default:
		out.Kind = Redone
	}
	if m.Move.Kind == Quarantine {
		return out, c.undoQuarantine(ctx, m, out)
	}
	return out, c.undoToPlace(ctx, m, out)
}

// undone reports whether the repair was ever taken back.
func (m *Manifest) undone() bool {
	return slices.ContainsFunc(m.History, func(s Swap) bool { return s.Kind == Undone })
}

// move returns the move of the log at path that r was.
func (r *Relocation) move(path string) *Move {
	below := func(path string) Path {
		rel, err := filepath.Rel(string(r.Root), path)
		if err != nil {
			return Path(path)
		}
		return Path(rel)
	}
	m := &Move{Kind: r.Kind, Root: r.Root, From: below(path), Action: Repair}
	if r.To != "" {
		m.To = below(string(r.To))
	}
	return m
}

// undoToPlace moves a log back to its old place, or to its new one again.
func (c *Committer) undoToPlace(ctx context.Context, m *Manifest, out *Outcome) error {
	w := m.Move.back(string(m.Path))
	if out.Kind == Redone {
		w = m.Move.out(string(m.Path))
	}
	log, err := c.open(ctx, w.from)
	if err != nil {
		return err
	}
	defer log.close()
	if log.sum != m.Before.SHA256 {
		return errMoved
	}
	if out.Kind == Redone {
		if m.Move, err = c.relocation(m.Move.Kind, string(m.Move.Root), w.from, w.to); err != nil {
			return err
		}
		w = m.Move.out(string(m.Path))
	}
	g, err := c.guardWay(ctx, log, w)
	if err != nil {
		return err
	}
	defer g.release()
	if err := c.recordAgain(m, out); err != nil {
		return err
	}
	out.Target = w.to
	return c.travel(ctx, log, g, w, out)
}

// undoQuarantine brings a log back from quarantine, or takes it out again.
func (c *Committer) undoQuarantine(ctx context.Context, m *Manifest, out *Outcome) error {
	path := string(m.Path)
	if out.Kind == Undone {
		return c.bringBack(m, out)
	}
	log, err := c.open(ctx, path)
	if err != nil {
		return err
	}
	defer log.close()
	if log.sum != m.Before.SHA256 {
		return errMoved
	}
	g, err := c.guard(ctx, log)
	if err != nil {
		return err
	}
	defer g.release()
	if m.Move, err = c.relocation(Quarantine, string(m.Move.Root), path, ""); err != nil {
		return err
	}
	if err := c.recordAgain(m, out); err != nil {
		return err
	}
	return c.takeOut(ctx, log, filepath.Dir(out.Manifest), m.Move, out)
}

// bringBack puts a log back that is in quarantine, if nothing is in its place, and
// completes out.
func (c *Committer) bringBack(m *Manifest, out *Outcome) error {
	path := string(m.Path)
	lock, err := c.lockOwn(key(path))
	if err != nil {
		return err
	}
	defer lock.Close()
	for _, dir := range []string{filepath.Dir(path), c.StateDir} {
		if err := c.checkRoom(dir, m.Before.Size+roomSlack); err != nil {
			return err
		}
	}
	if err := c.recordAgain(m, out); err != nil {
		return err
	}
	made, err := c.makeDirs(m.Move.back(path).made)
	if err == nil {
		err = c.publishBack(m, filepath.Dir(out.Manifest))
	}
	if err != nil {
		slices.Reverse(made)
		c.removeDirs(made)
		return err
	}
	out.Published, out.Target = true, path
	return c.confirm(path, m.Before.SHA256)
}

// publishBack makes the log of a manifest again from the backup in dir.
func (c *Committer) publishBack(m *Manifest, dir string) error {
	path := string(m.Path)
	copied, err := c.stageBack(filepath.Dir(path), filepath.Base(path), dir, originalName, &m.Before)
	if err != nil {
		return err
	}
	if err := c.publishNew(copied.path, path); err != nil {
		return c.discard(copied, err)
	}
	return nil
}

// recordAgain brings a further way of a log into the history of its backup.
func (c *Committer) recordAgain(m *Manifest, out *Outcome) error {
	m.History = append(m.History, Swap{time.Now().UTC(), out.Kind})
	if err := c.put(out.Manifest, encode(m)); err != nil {
		return err
	}
	return c.FS.SyncDir(filepath.Dir(out.Manifest))
}

// stageBack stages bytes of a backup as dir/base, with their attributes.
func (c *Committer) stageBack(dir, base, backup, name string, s *FileState) (*staged, error) {
	saved, err := c.FS.Open(filepath.Join(backup, name))
	if err != nil {
		return nil, err
	}
	defer saved.Close()
	a := Attributes{Mode: fs.FileMode(s.Mode), Owner: s.Owner, ModTime: s.ModTime}
	return c.stage(dir, base, a, content{
		write: copyOf(saved, s.Size),
		verify: func(src io.ReaderAt, size int64) error {
			sum, err := hashOf(src, size)
			if err == nil && sum != s.SHA256 {
				err = errBackupDamaged
			}
			return err
		},
	})
}

// stateOfMove says where the log of a relocation lies.
func (c *Committer) stateOfMove(m *Manifest) (BackupState, error) {
	atNew, err := c.isAtNew(m)
	if err != nil || atNew {
		return BackupCurrent, err
	}
	atOld, err := c.compare(string(m.Path), m.Before.Fileprint)
	if err != nil || atOld {
		return BackupUndone, err
	}
	return BackupStale, nil
}

// isAtNew reports whether the log of a relocation lies where that has taken it.
func (c *Committer) isAtNew(m *Manifest) (bool, error) {
	if m.Move.Kind == Quarantine {
		return c.missing(string(m.Path))
	}
	return c.compare(string(m.Move.To), m.Before.Fileprint)
}

// moveOf returns the backup of the last relocation from or to a path, among those
// that can be undone or done again now. stale says that there are others.
func (c *Committer) moveOf(path string) (best candidate, stale bool) {
	dir := filepath.Join(c.StateDir, "backups")
	names, err := c.FS.ReadDir(dir)
	if err != nil {
		return best, false
	}
	for _, name := range names {
		if !strings.HasSuffix(name, "-"+string(ToPlace)) && !strings.HasSuffix(name, "-"+string(Quarantine)) {
			continue
		}
		manifest := filepath.Join(dir, name, manifestName)
		m, err := c.readManifest(manifest)
		if err != nil || m.Move == nil || string(m.Path) != path && string(m.Move.To) != path {
			continue
		}
		switch state, err := c.stateOfMove(m); {
		case err != nil || state == BackupStale:
			stale = true
		default:
			best = best.or(candidate{manifest, state == BackupCurrent || m.undone(), m.last()})
		}
	}
	return best, stale
}

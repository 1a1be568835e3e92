package repair

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/turnlint/turnlint/database"
)

// UndoDatabase puts the sessions of the database at path, or the one with the id
// that session points to, back as they were before their last repair; of sessions that
// were undone before, it brings the repaired ones back. The rest of the database stays as it is. It
// refuses sessions that have changed since, because that would lose the change.
func (c *Committer) UndoDatabase(ctx context.Context, path string, session *string) (*Outcome, error) {
	path, err := c.locate(path)
	if err != nil {
		return nil, err
	}
	manifest, m, err := c.backupOfStore(ctx, path, session)
	if err != nil {
		return nil, err
	}
	return c.undoStore(ctx, manifest, m, session)
}

// backupOfStore returns the newest backup of a database that has all the sessions, or
// the one with an id, in a state in which they are now.
func (c *Committer) backupOfStore(ctx context.Context, path string, session *string) (manifest string, m *Manifest, err error) {
	all, err := c.Backups(ctx)
	if err != nil {
		return "", nil, err
	}
	known := false
	for _, b := range all { // the newest first
		if string(b.Path) != path || b.Sessions == nil || session != nil && !slices.Contains(b.Sessions, *session) {
			continue
		}
		known = true
		if b.State == BackupStale && session == nil {
			continue
		}
		manifest = filepath.Join(string(b.Dir), manifestName)
		m, err = c.readManifest(manifest)
		return manifest, m, err
	}
	if known {
		return "", nil, errChanged
	}
	return "", nil, fmt.Errorf("no backup of it in %q", c.StateDir)
}

// undoStore undoes the repair that a manifest describes, of all sessions or of the one
// with an id.
func (c *Committer) undoStore(ctx context.Context, manifest string, m *Manifest, session *string) (*Outcome, error) {
	path := string(m.Path)
	if err := c.storeReplaceable(path); err != nil {
		return nil, err
	}
	info, err := c.FS.Lstat(path)
	if err != nil {
		return nil, err
	}
	if err := c.checkRoom(c.StateDir, info.Size()+roomSlack); err != nil {
		return nil, err
	}
	o := &openStore{ctx: ctx, name: path, path: path, info: info}
	guard, err := c.guardStore(o)
	if err != nil {
		return nil, err
	}
	defer guard.release()
	live, err := o.openItself(c)
	if err != nil {
		return nil, err
	}
	r := &storeReturn{ctx: ctx, committer: c, live: live, manifest: m, dir: filepath.Dir(manifest)}
	err = r.run(session)
	if err != nil {
		return nil, errors.Join(err, live.Close())
	}
	out := &Outcome{Published: true, Target: path, Manifest: manifest, Kind: r.kind}
	if err := live.Close(); err != nil {
		return out, fmt.Errorf("%w: %w", ErrUnconfirmed, err)
	}
	return out, nil
}

// storeReturn brings sessions back from the backup of a database.
type storeReturn struct {
	ctx       context.Context
	committer *Committer
	live      *database.Live
	manifest  *Manifest
	dir       string // of the backup
	kind      SwapKind
	sessions  []SessionState
}

func (r *storeReturn) run(session *string) error {
	for _, s := range r.manifest.Sessions {
		if session == nil || s.ID == *session {
			r.sessions = append(r.sessions, s)
		}
	}
	if err := r.choose(); err != nil {
		return err
	}
	if err := r.save(); err != nil {
		return err
	}
	comes := originalName
	if r.kind == Redone {
		comes = repairedName
	}
	if err := r.live.Attach(filepath.Join(r.dir, comes)); err != nil {
		return err
	}
	return r.live.Write(func() error {
		if err := r.restore(); err != nil {
			return err
		}
		return r.record()
	})
}

// choose finds out which sessions have to go back: those that are as the repair left
// them, or, when there are none, all of them forth.
func (r *storeReturn) choose() error {
	var repaired []SessionState
	for _, s := range r.sessions {
		switch print, err := printOf(r.live.Database, s.ID); {
		case err != nil:
			return err
		case print == s.After:
			repaired = append(repaired, s)
		case print != s.Before:
			return fmt.Errorf("session %q: %w", s.ID, errChanged)
		}
	}
	switch {
	case len(repaired) > 0:
		r.kind, r.sessions = Undone, repaired
	case !r.committer.exists(filepath.Join(r.dir, repairedName)):
		return ErrUndone
	default:
		r.kind = Redone
	}
	return nil
}

// hold reports whether a database holds the sessions in one state.
func (r *storeReturn) hold(d *database.Database, state func(SessionState) string) (bool, error) {
	for _, s := range r.sessions {
		print, err := printOf(d, s.ID)
		if err != nil || print != state(s) {
			return false, err
		}
	}
	return true, nil
}

// save brings the repaired sessions into the backup before they leave the database,
// unless they are there.
func (r *storeReturn) save() error {
	name := filepath.Join(r.dir, repairedName)
	if r.kind == Redone || r.saved(name) {
		return nil
	}
	if err := r.committer.removeIfThere(name + newSuffix); err != nil {
		return err
	}
	if err := r.live.Backup(name + newSuffix); err != nil {
		return errors.Join(err, r.committer.removeIfThere(name+newSuffix))
	}
	return r.committer.FS.Rename(name+newSuffix, name)
}

// saved reports whether a file of the backup holds the repaired sessions.
func (r *storeReturn) saved(name string) bool {
	d, err := database.Open(r.ctx, name, database.Options{Path: name})
	if err != nil {
		return false
	}
	defer d.Close()
	if d.Refusal != nil {
		return false
	}
	same, err := r.hold(d, SessionState.after)
	return same && err == nil
}

// restore makes the sessions what they are in the backup.
func (r *storeReturn) restore() error {
	state := SessionState.before
	if r.kind == Redone {
		state = SessionState.after
	}
	for _, s := range r.sessions {
		err := r.live.Restore(s.ID)
		if errors.Is(err, database.ErrUnstorable) {
			return fmt.Errorf("session %q: %w; %q is the whole database as it was: stop dsh and put a copy of that in its place to go back with all sessions",
				s.ID, database.ErrUnstorable, filepath.Join(r.dir, originalName))
		}
		if err != nil {
			return err
		}
	}
	same, err := r.hold(r.live.Database, state)
	if err == nil && !same {
		err = errors.New("the backup does not hold the sessions that it should")
	}
	return err
}

// record puts the swap into the history of the backup, just before it is committed.
func (r *storeReturn) record() error {
	c, m := r.committer, r.manifest
	m.History = append(m.History, Swap{time.Now().UTC(), r.kind})
	if err := c.put(filepath.Join(r.dir, manifestName), encode(m)); err != nil {
		return err
	}
	return c.FS.SyncDir(r.dir)
}

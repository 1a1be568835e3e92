package repair

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"
)

// Move makes a move that comes from [PlanMoves]. A log that is no longer what the
// move was planned for gives [ErrMismatch], and so does a move that its log does
// not ask for.
//
// A move to a place, and a quarantine, are done in an order that leaves the log at
// its old place or at the new one, or in the backup, at any moment:
//
//  1. write the manifest, and for a quarantine the copy of the log, to the state
//     directory, fsync files and directories;
//  2. make sure that the log is still the one that was read;
//  3. rename it, or remove it, fsync the directories;
//  4. remove the directories that are empty now.
//
// An error without ErrUnconfirmed means that the log is as and where it was.
func (c *Committer) Move(ctx context.Context, m *Move) (*Outcome, error) {
	out := &Outcome{Move: m}
	if m.Action != Repair {
		return out, nil
	}
	root, err := resolve(string(m.Root))
	if err != nil {
		return out, err
	}
	log, err := c.openMoved(ctx, m, root)
	if err != nil {
		return out, err
	}
	defer log.close()
	if log.sum != m.SHA256 {
		return out, ErrMismatch
	}
	if err := outsideTree(root, c.StateDir, "the state directory"); err != nil {
		return out, err
	}
	switch m.Kind {
	case ToPlace:
		err = c.toPlace(ctx, log, root, out)
	case Quarantine:
		err = c.quarantine(ctx, log, root, out)
	case Adopt:
		err = c.adopt(ctx, log, out)
	case Rehead:
		err = c.rehead(ctx, log, out)
	default:
		err = ErrMismatch
	}
	return out, err
}

// openMoved opens the log of a move. What the move names has to lie below its root,
// with no link on the way.
func (c *Committer) openMoved(ctx context.Context, m *Move, root string) (*openLog, error) {
	for _, below := range []Path{m.From, m.To, m.With} {
		if below != "" && (!filepath.IsLocal(string(below)) || len(split(string(below))) > sessionDepth) {
			return nil, fmt.Errorf("%w: %q is no log of a sessions directory", ErrMismatch, below)
		}
	}
	if m.Kind == ToPlace {
		if err := namesPlace(m); err != nil {
			return nil, err
		}
	}
	log, err := c.open(ctx, m.Path())
	if err == nil && log.path != filepath.Join(root, string(m.From)) {
		log.close()
		return nil, errors.New("it lies behind a link: name the directory that the link leads to")
	}
	return log, err
}

// namesPlace makes sure that the header of the log names the place to which m moves
// it: a plan may have been written by anybody.
func namesPlace(m *Move) error {
	listing := listed(m.Path())
	if listing.Err != nil {
		return listing.Err
	}
	header := listing.Header
	if header == nil || listing.Blocks != nil {
		return fmt.Errorf("%w: it has no header", ErrMismatch)
	}
	if _, place, ok := placeOf(header, string(m.From)); !ok || place != string(m.To) {
		return fmt.Errorf("%w: its header does not name %q", ErrMismatch, m.To)
	}
	return nil
}

// toPlace moves a log to the place that its header names.
func (c *Committer) toPlace(ctx context.Context, log *openLog, root string, out *Outcome) error {
	to := filepath.Join(root, string(out.Move.To))
	r, err := c.relocation(ToPlace, root, log.path, to)
	if err != nil {
		return err
	}
	g, err := c.guardWay(ctx, log, r.out(log.path))
	if err != nil {
		return err
	}
	defer g.release()
	manifest, err := c.recordMove(log, r, out.Move.Options)
	if err != nil {
		return err
	}
	out.Target, out.Manifest, out.Kind = out.Move.Target(), manifest, Applied
	return c.travel(ctx, log, g, r.out(log.path), out)
}

// guardWay guards a log at both of its places, which must be directories that can be
// written.
func (c *Committer) guardWay(ctx context.Context, log *openLog, w *way) (*guard, error) {
	dirs := []string{filepath.Dir(w.from), filepath.Dir(w.to), c.StateDir}
	if w.whole {
		dirs = append(dirs, filepath.Dir(filepath.Dir(w.from)))
	}
	for _, dir := range dirs {
		if err := c.checkRoom(dir, roomSlack); err != nil {
			return nil, err
		}
	}
	return c.guardBoth(ctx, log, w.to)
}

// guardBoth guards a log, and another path against other runs of turnfix.
func (c *Committer) guardBoth(ctx context.Context, log *openLog, other string) (*guard, error) {
	g, err := c.guard(ctx, log)
	if err != nil {
		return nil, err
	}
	lock, err := c.lockOwn(key(other))
	if err != nil {
		g.release()
		return nil, err
	}
	g.own = append(g.own, lock)
	return g, nil
}

// quarantine takes a log out of its sessions directory.
func (c *Committer) quarantine(ctx context.Context, log *openLog, root string, out *Outcome) error {
	r, err := c.relocation(Quarantine, root, log.path, "")
	if err != nil {
		return err
	}
	for _, dir := range []string{log.dir(), c.StateDir} {
		if err := c.checkRoom(dir, log.info.Size()+roomSlack); err != nil {
			return err
		}
	}
	stays, err := c.locate(out.Move.Other())
	if err != nil {
		return err
	}
	g, err := c.guardBoth(ctx, log, stays)
	if err != nil {
		return err
	}
	defer g.release()
	sum, err := c.hash(stays)
	switch {
	case err != nil:
		return err
	case sum != out.Move.withSum:
		return fmt.Errorf("%w: %q, which was to stay, has changed", ErrMismatch, stays)
	}
	manifest, err := c.recordMove(log, r, out.Move.Options)
	if err != nil {
		return err
	}
	out.Manifest, out.Kind = manifest, Applied
	return c.takeOut(ctx, log, filepath.Dir(manifest), r, out)
}

// takeOut removes a log of which the backup in dir holds the bytes.
func (c *Committer) takeOut(ctx context.Context, log *openLog, dir string, r *Relocation, out *Outcome) error {
	err := ctx.Err()
	if err == nil {
		err = c.checkCopy(dir, log.sum)
	}
	if err == nil {
		err = c.recheck(log)
	}
	if err != nil {
		return err
	}
	log.close() // Windows removes no open file
	if err := c.FS.Remove(log.path); err != nil {
		return err
	}
	out.Published = true
	err = c.syncNames(log.dir())
	c.removeDirs(r.Left)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnconfirmed, err)
	}
	return nil
}

// checkCopy makes sure that a backup holds the bytes of its log.
func (c *Committer) checkCopy(dir, sum string) error {
	got, err := c.hash(filepath.Join(dir, originalName))
	if err == nil && got != sum {
		err = errBackupDamaged
	}
	return err
}

// recordMove writes the manifest of a relocation, for a quarantine with a copy of
// the log, and returns its path. All of it is durable.
func (c *Committer) recordMove(log *openLog, r *Relocation, opt Options) (string, error) {
	dir := c.moveDir(r.Kind, log.path, log.sum)
	if err := c.FS.MkdirAll(dir); err != nil {
		return "", err
	}
	m := c.manifestOf(log, opt)
	m.Move = r
	m.History = append(c.historyOf(dir), Swap{time.Now().UTC(), Applied})
	if err := c.empty(dir); err != nil {
		return "", err
	}
	if r.Kind == Quarantine {
		if err := c.saveOriginal(log, dir); err != nil {
			return "", err
		}
	}
	name := filepath.Join(dir, manifestName)
	if err := c.create(name, encode(m)); err != nil {
		return "", err
	}
	return name, c.syncUp(dir)
}

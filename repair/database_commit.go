package repair

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/scan"
)

// commitStore does steps 2 to 5 of [Committer.ApplyDatabase] and completes the outcomes.
func (c *Committer) commitStore(o *openStore, all []*Outcome) error {
	live, err := o.openItself(c)
	if err != nil {
		return err
	}
	b := c.newStoreBackup(o)
	err = c.saveStore(live, b, o)
	if err == nil {
		err = live.Write(func() error {
			if err := o.change(live, b.states); err != nil {
				return err
			}
			return c.finishBackup(b)
		})
	}
	if err != nil {
		return errors.Join(err, live.Close())
	}
	for _, out := range all {
		if out.Plan.Action == Repair {
			out.Published, out.Target, out.Manifest, out.Kind = true, o.name, b.manifestPath(), Applied
		}
	}
	if err := live.Close(); err != nil {
		return fmt.Errorf("%w: %w", ErrUnconfirmed, err)
	}
	return o.confirm(b.states)
}

// change repairs the sessions within a transaction, verifies what came of it and fills
// in the states after it.
func (o *openStore) change(live *database.Live, states []SessionState) error {
	for i, p := range o.repairs() {
		s, err := live.Session(p.session.ID)
		if err != nil {
			return err
		}
		if now, err := s.Print(); err != nil || now != p.plan.SHA256 {
			return errors.Join(err, fmt.Errorf("%w: its session %q changed a moment ago", ErrInUse, s.ID))
		}
		if err := o.ctx.Err(); err != nil {
			return err
		}
		if err := p.write(live); err != nil {
			return fmt.Errorf("session %q: %w", s.ID, err)
		}
		if states[i].After, err = p.verify(live); err != nil {
			return fmt.Errorf("session %q: %w", s.ID, err)
		}
	}
	return nil
}

// write changes the rows of the session, and gives it the next revision as dsh does.
func (s *sessionPlan) write(live *database.Live) error {
	id := s.session.ID
	for c, err := range s.changes() {
		switch {
		case err != nil:
			return err
		case c.remove != nil:
			err = live.Delete(id, c.remove)
		case c.add != nil:
			err = live.Insert(id, c.add)
		}
		if err != nil {
			return err
		}
	}
	return live.SetRevision(id, s.session.Header.Revision+1)
}

// verify reads the repaired session out of the database, as dsh and as the linter, and
// returns its print.
func (s *sessionPlan) verify(d interface {
	Session(id string) (*database.Session, error)
},
) (print string, err error) {
	now, err := d.Session(s.session.ID)
	if err != nil {
		return "", err
	}
	if now.Refusal != nil {
		return "", errors.New(now.Refusal.Text)
	}
	digest := newEventsDigest()
	var reading *scan.Reading
	text, err := newSpool(func(w io.Writer) (err error) {
		reading, err = readSessionInto(now, func(record *scan.Record) error {
			digest.add(record)
			return writeLine(w, rowLine(record))
		})
		return err
	})
	if err != nil {
		return "", err
	}
	defer text.Close()
	switch {
	case reading.Verdict != scan.Opens:
		return "", fmt.Errorf("dsh would not open the repaired session as it is: it %s", reading.Verdict)
	case digest.sum() != s.digest:
		return "", errors.New("the repaired session holds other events than it should")
	}
	check := *s.log
	check.Digest = "" // which tells apart what differs in the order of members only
	if err := check.Verify(text, text.size); err != nil {
		return "", err
	}
	return now.Print()
}

// confirm reads the sessions from the disk again.
func (o *openStore) confirm(states []SessionState) error {
	d, err := database.Open(o.ctx, o.path, database.Options{Path: o.path})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnconfirmed, err)
	}
	defer d.Close()
	if d.Refusal != nil {
		return fmt.Errorf("%w: %s", ErrUnconfirmed, d.Refusal.Text)
	}
	for i := range states {
		print, err := printOf(d, states[i].ID)
		if err == nil && print != states[i].After {
			err = fmt.Errorf("the session %q holds other rows now", states[i].ID)
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrUnconfirmed, err)
		}
	}
	return nil
}

// printOf returns the print of a session of a database, "" when it is not there.
func printOf(d *database.Database, id string) (string, error) {
	s, err := d.Session(id)
	if err != nil || s.Header == nil {
		return "", err
	}
	return s.Print()
}

// CopyDatabase writes a copy of a database to target, which must not exist, with its
// sessions, or the one with the id that session points to, repaired. A session that
// needs no repair, or is refused, is copied as it is; of a database that is refused as a
// whole nothing is written.
func (c *Committer) CopyDatabase(ctx context.Context, source StoreSource, session *string, target string, opt Options) ([]*Outcome, error) {
	opt.Copy = true
	o, err := c.openStore(ctx, source, session, opt)
	if err != nil {
		return nil, err
	}
	defer o.close()
	all := o.outcomes()
	if o.New || o.refused() {
		return all, nil
	}
	if err := c.prepareTarget(source.file(), target, 2*o.size); err != nil {
		return all, err
	}
	made, err := c.newStorePath(target)
	if err != nil {
		return all, err
	}
	if err := errors.Join(o.fillCopy(made), ctx.Err()); err != nil {
		return all, errors.Join(err, removeStore(made))
	}
	if err := c.publishNew(made, target); err != nil {
		return all, errors.Join(err, removeStore(made))
	}
	for _, out := range all {
		if out.Plan.Action != Refuse {
			out.Published, out.Target = true, target
		}
	}
	if err := c.FS.SyncDir(filepath.Dir(target)); err != nil {
		return all, fmt.Errorf("%w: %w", ErrUnconfirmed, err)
	}
	return all, nil
}

// fillCopy makes the copy with the repaired sessions.
func (o *openStore) fillCopy(path string) error {
	if err := o.Backup(path); err != nil {
		return err
	}
	live, err := o.openLive(path)
	if err != nil {
		return err
	}
	states := make([]SessionState, len(o.repairs()))
	return errors.Join(live.Write(func() error { return o.change(live, states) }), live.Close())
}

// newStorePath returns the path under which a database is made that is to become
// target. It removes what an interrupted run left behind.
func (c *Committer) newStorePath(target string) (string, error) {
	dir, base := filepath.Dir(target), filepath.Base(target)
	names, err := c.FS.ReadDir(dir)
	if err != nil {
		return "", err
	}
	for _, name := range names {
		if isOwnTempName(base, name) {
			err = errors.Join(err, removeStore(filepath.Join(dir, name)))
		}
	}
	return filepath.Join(dir, newTempName(base)), err
}

// removeStore removes a database that is not to be.
func removeStore(path string) (err error) {
	for _, suffix := range storeSuffixes {
		if e := os.Remove(path + suffix); !errors.Is(e, os.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

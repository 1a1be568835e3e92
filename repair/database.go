package repair

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/diff"
	"github.com/turnlint/turnlint/scan"
)

// openStore is a database of sessions that is open for a repair: a private copy.
type openStore struct {
	*database.Database
	ctx  context.Context
	name string // as it was named
	path string // absolute, its directory without links; of an image its name
	size int64
	info fs.FileInfo // nil for an image
	// plans are the repairs of the sessions that were asked for.
	plans []*sessionPlan
}

func (o *openStore) close() error {
	for _, p := range o.plans {
		p.close()
	}
	if o.Database == nil {
		return nil
	}
	return o.Database.Close()
}

// openStore opens a database and plans the repair of its sessions, or of the one that
// session names. It has to be c.Expect, if that is set.
func (c *Committer) openStore(ctx context.Context, source StoreSource, session *string, opt Options) (*openStore, error) {
	if err := storeOptions(&opt); err != nil {
		return nil, err
	}
	o := &openStore{ctx: ctx, name: source.Path}
	err := o.open(c, source, session, opt)
	if err == nil && c.Expect != nil && (len(o.plans) != 1 || !o.plans[0].plan.SameAs(c.Expect)) {
		err = ErrMismatch
	}
	if err != nil {
		return nil, errors.Join(err, o.close())
	}
	return o, nil
}

func (o *openStore) open(c *Committer, source StoreSource, session *string, opt Options) (err error) {
	if source, o.info, err = source.locate(c); err != nil {
		return err
	}
	o.path, o.size = source.Path, source.Size
	if o.Database, err = source.open(o.ctx); err != nil {
		return err
	}
	switch {
	case o.Refusal != nil && o.Refusal.Kind != database.Damage:
		o.refuse(scan.Incompatible, opt, fmt.Sprintf("dsh does not open it: %q", o.Refusal.Text), noStoreNext(o.Database))
		return nil
	case o.Refusal != nil:
		o.refuse(scan.Damaged, opt, fmt.Sprintf("SQLite cannot read it: %q", o.Refusal.Text), noStoreNext(o.Database))
		return nil
	case o.New && session != nil:
		return fmt.Errorf("%w: %q", ErrNoSession, *session)
	case o.New:
		return nil
	}
	faults, err := o.Integrity()
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		o.refuse(scan.Damaged, opt, fmt.Sprintf("the file of the database is damaged: %q", faults[0]),
			"turnfix export --partial makes logs of what can be read; sqlite3 DB .recover makes a new database of what SQLite finds")
		return nil
	}
	return o.planSessions(session, opt)
}

// refuse makes the one plan for the database a refusal of all of it.
func (o *openStore) refuse(verdict scan.Verdict, opt Options, reason, next string) {
	p := &Plan{
		Version: PlanVersion, Tool: tool(), Path: Path(o.name), Size: o.size, Options: opt,
		Encoding: scan.SQLite.String(), Written: scan.SQLite.String(), Verdict: verdict.String(), After: verdict.String(),
	}
	p.refuse(reason, next)
	o.plans = append(o.plans, &sessionPlan{plan: p})
}

// storeOptions refuses what means something for the file of a log only.
func storeOptions(opt *Options) error {
	if opt.Header != "" || opt.CWD != "" || opt.Export || len(opt.KeepCopies) > 0 {
		return errors.New("--header-from, --cwd and --keep-copy are about the file of a log: of a session in a database, correct the row of the table sessions")
	}
	return nil
}

// planSessions plans the repair of all sessions, or of the one with an id.
func (o *openStore) planSessions(id *string, opt Options) error {
	sessions, err := selectSessions(o.Database, id)
	if err != nil {
		return err
	}
	for _, s := range sessions {
		p, err := newSessionPlan(o.ctx, o.name, s, opt)
		if err != nil {
			return fmt.Errorf("session %q: %w", s.ID, err)
		}
		o.plans = append(o.plans, p)
	}
	return nil
}

// refused reports whether the one plan is a refusal of the whole database.
func (o *openStore) refused() bool { return len(o.plans) == 1 && o.plans[0].session == nil }

// repairs returns the plans that change something.
func (o *openStore) repairs() (some []*sessionPlan) {
	for _, p := range o.plans {
		if p.plan.Action == Repair {
			some = append(some, p)
		}
	}
	return some
}

// outcomes returns what came of the plans, in their order, before anything is published.
func (o *openStore) outcomes() []*Outcome {
	var all []*Outcome
	for _, p := range o.plans {
		all = append(all, &Outcome{Plan: p.plan})
	}
	return all
}

// PlannedSession is a session of a database with the plan of its repair.
type PlannedSession struct {
	*Plan
	session *sessionPlan
}

// Diff returns what the repair does to the events; see [Plan.Diff]. Only a session that
// is to be repaired has one.
func (p *PlannedSession) Diff() (*diff.Diff, error) {
	s := p.session
	return s.log.Diff(s.text, s.repaired, s.repaired.size)
}

// Map returns the map of the rows. A database that is refused as a whole has none.
func (p *PlannedSession) Map() (*RowMap, error) {
	s := p.session.session
	if s == nil {
		return nil, errors.New(p.Reason)
	}
	return newRowMap(filepath.Base(string(p.Path)), s, p.Plan)
}

// PlanDatabase plans the repair of the sessions of a database, or of the one with the id
// that session points to, and calls use for each of them. What it gets is valid during
// the call.
func PlanDatabase(ctx context.Context, source StoreSource, session *string, opt Options, use func(*PlannedSession) error) error {
	o, err := (&Committer{FS: Disk{}}).openStore(ctx, source, session, opt)
	if err != nil {
		return err
	}
	defer o.close()
	for _, p := range o.plans {
		if err := use(&PlannedSession{p.plan, p}); err != nil {
			return err
		}
	}
	return nil
}

// ApplyDatabase repairs the sessions of the database at path, or the one with the
// id that session points to, in one transaction:
//
//  1. plan on a private copy, which proves that the database can be read;
//  2. open the database alone, and make sure that it is still a store of dsh;
//  3. copy it to the backup by SQLite's own means, with what leaves it, durable;
//  4. in a transaction, make sure that the sessions are still as they were read, change
//     their rows, read the result as dsh and the linter do, write the manifest, commit;
//  5. read what is on the disk.
//
// Whatever moment a crash picks, the sessions are all as before, or all repaired with a
// backup: SQLite undoes a transaction that was not committed. An error without
// ErrUnconfirmed means that the sessions are as they were. The outcomes are in the order
// of the sessions.
func (c *Committer) ApplyDatabase(ctx context.Context, path string, session *string, opt Options) ([]*Outcome, error) {
	if err := c.storeReplaceable(path); err != nil {
		return nil, err
	}
	o, err := c.openStore(ctx, StoreSource{Path: path}, session, opt)
	if err != nil {
		return nil, err
	}
	defer o.close()
	all := o.outcomes()
	if len(o.repairs()) == 0 {
		return all, nil
	}
	if err := c.checkStorePlace(o); err != nil {
		return all, err
	}
	guard, err := c.guardStore(o)
	if err != nil {
		return all, err
	}
	defer guard.release()
	return all, c.commitStore(o, all)
}

// storeSuffixes name what SQLite keeps beside a database.
var storeSuffixes = []string{"", "-wal", "-journal", "-shm"}

// storeReplaceable refuses a database of which some file is a link, or is no file.
func (c *Committer) storeReplaceable(name string) error {
	path, err := c.locate(name)
	if err != nil {
		return err
	}
	for _, suffix := range storeSuffixes {
		err := c.replaceable(path + suffix)
		switch {
		case suffix != "" && errors.Is(err, fs.ErrNotExist):
		case suffix != "" && err != nil:
			return fmt.Errorf("%s: %w", filepath.Base(path+suffix), err)
		case err != nil:
			return err
		}
	}
	return nil
}

// checkStorePlace makes sure that there is room for two copies in the state directory,
// one for the way back, and for a journal beside the database.
func (c *Committer) checkStorePlace(o *openStore) error {
	need := o.size
	for _, p := range o.repairs() {
		need += p.repaired.size
	}
	for _, dir := range []string{filepath.Dir(o.path), c.StateDir} {
		if err := c.checkRoom(dir, 2*need+roomSlack); err != nil {
			return err
		}
	}
	return nil
}

// guardStore keeps other turnfixes away from a database, and makes sure that no process
// has it open and that it has been left alone for a while. The lock of SQLite follows,
// which no option turns off.
func (c *Committer) guardStore(o *openStore) (*guard, error) {
	own, err := c.lockOwn(key(o.path))
	if err != nil {
		return nil, err
	}
	g := &guard{own: []*os.File{own}}
	for _, suffix := range storeSuffixes {
		info, err := c.FS.Lstat(o.path + suffix)
		if c.AssumeStopped || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = c.checkIdle(o.ctx, &openLog{path: o.path, info: info})
		}
		if err != nil {
			g.release()
			return nil, err
		}
	}
	return g, nil
}

// openItself opens the database that was read for writing.
func (o *openStore) openItself(c *Committer) (*database.Live, error) {
	live, err := o.openLive(o.path)
	if err != nil {
		return nil, err
	}
	if now, err := c.FS.Lstat(o.path); err != nil || !os.SameFile(o.info, now) {
		return nil, errors.Join(fmt.Errorf("%w: another file has taken its place", ErrInUse), err, live.Close())
	}
	return live, nil
}

// openLive opens a database for writing.
func (o *openStore) openLive(path string) (*database.Live, error) {
	live, err := database.OpenLive(o.ctx, path, database.Options{Path: o.path})
	switch {
	case errors.Is(err, database.ErrBusy):
		return nil, fmt.Errorf("%w: %w", ErrInUse, err)
	case err != nil:
		return nil, err
	case live.Refusal != nil:
		return nil, errors.Join(fmt.Errorf("dsh does not open it any more: %q", live.Refusal.Text), live.Close())
	}
	return live, nil
}

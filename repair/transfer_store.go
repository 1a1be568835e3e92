package repair

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/store"
)

// NewStore is a session database that is being made of logs. It appears under its name
// when it is published, complete, verified and durable.
type NewStore struct {
	committer *Committer
	ctx       context.Context
	live      *database.Live
	encoder   *database.Encoder
	made      string // path until it is published
	target    string
	from      map[string]string // paths of the logs, by the ids of their sessions
	digests   map[string]string // of the events, by id
}

// NewStore begins a database that is to become target, which must not exist. The caller
// has to publish or to discard it. The database has the same sessions and rows for the
// same logs every time.
func (c *Committer) NewStore(ctx context.Context, target string) (*NewStore, error) {
	if err := c.prepareTarget("", target, 0); err != nil {
		return nil, err
	}
	made, err := c.newStorePath(target)
	if err != nil {
		return nil, err
	}
	n := &NewStore{committer: c, ctx: ctx, target: target, made: made, from: make(map[string]string), digests: make(map[string]string)}
	if n.encoder, err = database.NewEncoder(); err != nil {
		return nil, err
	}
	n.live, err = database.Create(ctx, n.made, newUUID("turnfix store "+filepath.Base(target)))
	if err != nil {
		return nil, errors.Join(err, removeStore(n.made))
	}
	return n, nil
}

// Add stores the log in the first size bytes of src: the events that dsh reads of it.
// A log that dsh would not open, or only with a loss, is refused, and so is one of a
// later format than v0, which no database holds. path is its name, for messages; the
// transfer says what became of the log. An error means that the log could not be read,
// or the database not be written.
func (n *NewStore) Add(src io.ReaderAt, size int64, path string, encoding scan.Encoding) (*Transfer, error) {
	t := &Transfer{Path: Path(path), Verdict: scan.Unreadable.String()}
	result, err := rules.Check(src, size, rules.Options{Path: path, Encoding: encoding})
	if err != nil {
		return t, err
	}
	reading := result.Reading
	t.Verdict = reading.Verdict.String()
	header := reading.Header
	taken, twice := n.from[header.ID]
	switch {
	case reading.Verdict == scan.Unreadable:
		t.refuse("it is no session log", "turnlint shows what it holds")
	case reading.Generation != session.Version:
		t.refuse(fmt.Sprintf("it has format v%d, and dsh keeps sessions of format v%d only in a database", reading.Generation, session.Version), "leave it as it is")
	case !sound(reading.Verdict):
		t.refuse(unsoundText(reading), "turnfix plan says how it can be repaired")
	case twice:
		t.refuse(fmt.Sprintf("%q has been taken for the session %q", taken, header.ID), "decide which of them is the session")
	default:
		err = n.take(src, size, result.Container.Encoding, header, t)
	}
	return t, err
}

// AddDatabase stores the sessions of a database, or the one with the id that session
// points to, as [NewStore.Add] does logs.
func (n *NewStore) AddDatabase(source StoreSource, session *string) ([]*Transfer, error) {
	d, err := source.open(n.ctx)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if d.Refusal != nil {
		return []*Transfer{refusedStore(source.Path, d)}, nil
	}
	faults, err := d.Integrity()
	if err != nil {
		return nil, err
	}
	sessions, err := selectSessions(d, session)
	if err != nil {
		return nil, err
	}
	var all []*Transfer
	for _, s := range sessions {
		t, err := n.addSession(store.SessionName(source.Path, s.ID), s, faults)
		if err != nil {
			return all, fmt.Errorf("session %q: %w", s.ID, err)
		}
		all = append(all, t)
	}
	return all, nil
}

// addSession stores a session of another database, unless the file of that has faults.
func (n *NewStore) addSession(name string, s *database.Session, faults []string) (*Transfer, error) {
	t := &Transfer{Path: Path(name), Verdict: scan.Damaged.String()}
	reading, err := readSession(s)
	if err != nil {
		return t, err
	}
	t.Verdict = reading.Verdict.String()
	switch {
	case len(faults) > 0:
		t.refuse(damagedFile(faults), "turnfix export --partial --to jsonl makes a log of what can be read")
		return t, nil
	case !sound(reading.Verdict):
		t.refuse(unsoundText(reading), "turnfix plan says how it can be repaired")
		return t, nil
	}
	text, err := newSpool(func(w io.Writer) error { return writeText(w, s) })
	switch {
	case errors.Is(err, errRow):
		t.refuse(err.Error(), "leave it as it is")
		return t, nil
	case err != nil:
		return t, err
	}
	defer text.Close()
	if t, err = n.Add(text, text.size, name, scan.Plain); err != nil {
		return t, err
	}
	return t, t.nameRows(s)
}

// nameRows makes rows of what was left out of the text of a session.
func (t *Transfer) nameRows(s *database.Session) error {
	left := t.LeftOut
	r := s.Reader()
	for record := range r.Records() {
		if len(left) > 0 && left[0].Line == record.Line {
			seq := record.Key
			left[0].Line, left[0].Seq, left[0].Reason = 0, &seq, "row that dsh does not read"
			left = left[1:]
		}
	}
	return r.Err()
}

// take stores a log in one transaction.
func (n *NewStore) take(src io.ReaderAt, size int64, encoding scan.Encoding, header *session.Header, t *Transfer) error {
	sum, err := hashOf(src, size)
	if err != nil {
		return err
	}
	digest := newEventsDigest()
	var unfit *unfitError
	err = n.live.Write(func() error {
		if err := n.live.InsertSession(header, newUUID("turnfix incarnation "+sum)); err != nil {
			return &unfitError{err}
		}
		return n.insert(src, size, encoding, header.ID, digest, t)
	})
	switch {
	case errors.As(err, &unfit):
		t.LeftOut, t.Events = nil, 0
		t.refuse(unfit.Error(), "leave it as it is")
		return nil
	case err != nil:
		return err
	}
	t.Events = digest.events
	n.from[header.ID], n.digests[header.ID] = string(t.Path), digest.sum()
	return n.ctx.Err()
}

// unfitError says that no database can hold a log.
type unfitError struct{ error }

// insert stores the events that dsh reads of a log, and notes what it does not read.
func (n *NewStore) insert(src io.ReaderAt, size int64, encoding scan.Encoding, id string, digest *eventsDigest, t *Transfer) error {
	r, err := scan.NewReader(src, size, scan.Options{Encoding: encoding})
	if err != nil {
		return err
	}
	m := scan.NewModel(scan.ModelOptions{})
	var rows []database.Row
	for record := range r.Records() {
		switch accepted := m.Add(record); {
		case record.Kind == scan.Header:
			continue
		case !accepted:
			t.LeftOut = append(t.LeftOut, Omission{Line: record.Line, Events: completeEvents(record), Reason: "line that dsh does not read"})
			continue
		}
		if rows, err = n.encoder.Append(rows[:0], record); err != nil {
			return &unfitError{fmt.Errorf("line %d: %w", record.Line, err)}
		}
		for i := range rows {
			if err := n.live.Insert(id, &rows[i]); err != nil {
				return err
			}
		}
		digest.add(record)
	}
	return r.Err()
}

// Discard removes a database that is not published.
func (n *NewStore) Discard() error { return errors.Join(n.live.Close(), removeStore(n.made)) }

// Sessions returns the number of sessions that were stored.
func (n *NewStore) Sessions() int { return len(n.digests) }

// Publish reads the database back, makes sure that it holds the sessions as the logs
// have them, and gives it its name.
func (n *NewStore) Publish() error {
	err := errors.Join(n.live.Close(), n.ctx.Err())
	if err == nil {
		err = n.verify()
	}
	if err == nil {
		err = n.committer.publishNew(n.made, n.target)
	}
	if err != nil {
		return errors.Join(err, removeStore(n.made))
	}
	if err := n.committer.FS.SyncDir(filepath.Dir(n.target)); err != nil {
		return fmt.Errorf("%w: %w", ErrUnconfirmed, err)
	}
	return nil
}

func (n *NewStore) verify() error {
	d, err := database.Open(n.ctx, n.made, database.Options{Path: n.made})
	if err != nil {
		return err
	}
	defer d.Close()
	if d.Refusal != nil {
		return errors.New(d.Refusal.Text)
	}
	for id, want := range n.digests {
		if err := verifySession(d, id, want); err != nil {
			return fmt.Errorf("session %q: %w", id, err)
		}
	}
	return nil
}

func verifySession(d *database.Database, id, want string) error {
	s, err := d.Session(id)
	if err != nil {
		return err
	}
	digest := newEventsDigest()
	reading, err := readSessionInto(s, func(record *scan.Record) error {
		digest.add(record)
		return nil
	})
	switch {
	case err != nil:
		return err
	case digest.sum() != want:
		return errors.New("the database holds other events than the log")
	case !sound(reading.Verdict):
		return fmt.Errorf("dsh would not open it: it %s", reading.Verdict)
	}
	return nil
}

package database

import (
	"iter"
	"unicode/utf8"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// Session is one session of a store.
type Session struct {
	// ID as stored; any bytes.
	ID string
	// Header is nil where there are only events.
	Header *Header
	// Refusal is why dsh does not get as far as the events, nil when it does: what it
	// says of the header, or that there is no such session.
	Refusal *session.Refusal

	database *Database
	last     *int64 // see Until
}

// Until returns the session as if it had only the rows up to that with a seq.
func (s *Session) Until(seq int64) *Session {
	part := *s
	part.last = &seq
	return &part
}

// Session returns the session with an id as dsh looks it up. One that is not there
// has a Refusal, and may have events all the same.
func (d *Database) Session(id string) (*Session, error) {
	s := &Session{ID: id, database: d}
	if d.New {
		s.Refusal = notFound(id)
		return s, nil
	}
	header, err := d.lookUp(id)
	switch {
	case err != nil:
		return nil, err
	case header == nil, !utf8.ValidString(id): // which no name that dsh is given can be
		s.Header, s.Refusal = header, notFound(id)
	default:
		s.Header, s.Refusal = header, header.Refusal
	}
	return s, nil
}

// Sibling returns the session with another id of the same database, as
// [Database.Session] does.
func (s *Session) Sibling(id string) (*Session, error) { return s.database.Session(id) }

func notFound(id string) *session.Refusal {
	return session.Refuse("session \"" + Name(id) + "\" not found")
}

// Sessions yields all sessions of the store: those that have a header in the order
// in which they were stored, then those of which only events are there. Damage that
// hides sessions shows in [Database.Headers]. An error ends the sequence.
func (d *Database) Sessions() iter.Seq2[*Session, error] {
	return func(yield func(*Session, error) bool) {
		if d.New {
			return
		}
		for h, err := range d.Headers() {
			if err == nil && h.columns[colID].Class != Text {
				continue // nobody can name it
			}
			if !d.yieldSession(h, err, yield) {
				return
			}
		}
		for id, err := range d.orphans() {
			if !d.yieldSession(&Header{ID: id}, err, yield) {
				return
			}
		}
	}
}

func (d *Database) yieldSession(h *Header, err error, yield func(*Session, error) bool) bool {
	if err != nil {
		return yield(nil, err)
	}
	return yield(d.Session(h.ID))
}

// orphans yields the ids of events without a session.
func (d *Database) orphans() iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		values := make([]Value, 1)
		const query = "SELECT DISTINCT session_id, typeof(session_id) FROM events WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = session_id) AND ?1 > 0"
		for err := range d.query(values, query) {
			if refusal, other := RefusalOf(err); refusal != nil {
				return // what is left of the events cannot be listed
			} else if other != nil {
				yield("", other)
				return
			}
			if !yield(string(values[0].Bytes), nil) {
				return
			}
		}
	}
}

var rowColumns = []string{"seq", "type", "time", "data", "source_event_seqs", "surface_op", "ignorable"}

// Rows yields the rows of the session by seq, each valid until the next. Damage of
// the file ends them with an error of which [RefusalOf] tells.
func (s *Session) Rows() iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		if s.database.New {
			return
		}
		v := make([]Value, len(rowColumns))
		where, args := "session_id = ?2", []any{s.ID}
		if s.last != nil {
			where, args = where+" AND seq <= ?3", append(args, *s.last)
		}
		query := "SELECT " + columnList(rowColumns) + " FROM events WHERE " + where + " ORDER BY seq"
		for err := range s.database.queryUpTo(s.database.maxValue, v, query, args...) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&Row{v[0], v[1], v[2], v[3], v[4], v[5], v[6]}, nil) {
				return
			}
		}
	}
}

// Reader returns a Reader of the session's records: its header, then its rows. It
// can be called again for another Reader.
func (s *Session) Reader() *scan.Reader {
	return scan.NewRowReader(s.records, scan.Container{})
}

// records yields the header, and each row as a record.
func (s *Session) records(yield func(*scan.Record, error) bool) {
	var record scan.Record
	s.header(&record)
	if !yield(&record, nil) {
		return
	}
	d := decoder{limit: s.database.maxValue}
	defer d.zstd.Close()
	for row, err := range s.Rows() {
		record.Place = behind(&record.Place)
		if refusal, other := RefusalOf(err); refusal != nil {
			record = scan.Record{Place: record.Place, Terminated: true, Stored: &scan.Stored{Refusal: &refusal.Refusal, Damaged: true}}
			yield(&record, nil)
			return
		} else if other != nil {
			yield(nil, other)
			return
		}
		if seq, ok := row.Seq.safeInt(); ok && seq >= 0 {
			record.Key = seq
		}
		d.decode(row, &record)
		if !yield(&record, nil) {
			return
		}
	}
}

// behind returns the place of the row behind another one, but for its key.
func behind(p *scan.Place) scan.Place {
	return scan.Place{Line: p.Line + 1, PlainOff: p.PlainOff + p.Len + 1, Table: scan.EventsTable, Key: scan.NoKey}
}

// header makes record that of the header. A session without one has an empty line.
func (s *Session) header(record *scan.Record) {
	*record = scan.Record{Kind: scan.Header, Terminated: true, Stored: &scan.Stored{Refusal: s.Refusal, Header: new(session.Header)}}
	record.Line, record.Table, record.Key = 1, scan.SessionsTable, scan.NoKey
	if s.Header != nil {
		record.Stored.Damaged = s.Header.Damaged
		record.Stored.Header, record.Stored.LastRevision = s.Header.Header, s.Header.Revision == maxSafe
		record.Reread(s.Header.Line)
		record.Len = int64(len(s.Header.Line))
	}
}

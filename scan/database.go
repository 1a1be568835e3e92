package scan

import (
	"fmt"
	"iter"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// The tables of a session database that hold records (docs/format.md §10.2).
const (
	SessionsTable = "sessions" // of which a row is the header of a session
	EventsTable   = "events"   // of which a row is an event or a packed row
)

// Stored is what a record has that is a row of a database.
type Stored struct {
	// Refusal is why dsh does not take the columns of the row: wherever it is, the
	// session is then refused. Nil when it takes them.
	Refusal *session.Refusal
	// Damaged says that SQLite itself cannot read the row, nor any behind it.
	Damaged bool
	// Fault says in words why the columns are no event, "" when they are one. Such a
	// row is [Undecodable].
	Fault string
	// Content says of a row that is none all the same that it has the type and the data
	// of an event, so that what was said there can be read.
	Content bool
	// Header is that of the row of a session, as far as it could be read.
	Header *session.Header
	// LastRevision says of a header that its session has been written as often as dsh
	// can count: it cannot read the row again after one more write.
	LastRevision bool
}

// NewRowReader returns a Reader of the records that are the rows of a session in a
// database: first its header, then its events by seq. c says what is known of the
// text that the rows would be as a log; its encoding is [SQLite].
func NewRowReader(rows iter.Seq2[*Record, error], c Container) *Reader {
	c.Encoding = SQLite
	return &Reader{rows: rows, container: c}
}

// yieldRows is [Reader.Records] for the rows of a database.
func (r *Reader) yieldRows(yield func(*Record) bool) {
	for record, err := range r.rows {
		if err != nil {
			r.err = err
			return
		}
		r.container.TextLen = record.end()
		r.container.Size = r.container.TextLen
		if !yield(record) {
			return
		}
	}
}

// ReadEvent takes text for an event of any type, packed or not by its name: a
// database tells packed rows by a column of their own.
func (r *Record) ReadEvent(text []byte) {
	r.Text, r.Len, r.Syntax = text, int64(len(text)), nil
	if !r.parse() || r.Doc.Root.Kind != jsjson.Object {
		r.Kind = Undecodable
		return
	}
	r.Event.Read(r.Doc.Root)
	r.Kind = Event
}

// addStoredHeader takes the row of a session. dsh gets no further when it refuses
// that, but what the events are is another matter.
func (m *Model) addStoredHeader(r *Record) bool {
	m.scan.begin(r, r.Stored.Header, nil)
	m.headerRefusal, m.lastRevision, m.logLike = r.Stored.Refusal, r.Stored.LastRevision, true
	m.load.header(r.Stored.Header)
	return r.Stored.Refusal == nil
}

// takeColumns notes that dsh does not take the columns of a row.
func (s *scanLog) takeColumns(r *Record) {
	if r.Stored != nil && s.columns == nil {
		s.columns = r.Stored.Refusal
	}
}

// badRow is what dsh says of a row that does not decode or does not continue the
// sequence, where it does not take it for torn.
func badRow(r *Record) string {
	return fmt.Sprintf("corrupt session log: invalid committed physical row at seq %d", r.Key)
}

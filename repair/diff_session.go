package repair

import (
	"bytes"
	"iter"
	"slices"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/diff"
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
)

// SessionEvents is [StoredEvents] for a session in a database: the events of all rows
// that decode. One that has no header and no row is a log of nothing.
func SessionEvents(s *database.Session) diff.Log { return &sessionLog{session: s} }

// sessionLog is a session of a database as its events.
type sessionLog struct {
	session *database.Session
	err     error
}

// Header implements [diff.Log].
func (l *sessionLog) Header() []byte {
	if l.session.Header == nil {
		return nil
	}
	return sortMembers(l.session.Header.Line)
}

// Err implements [diff.Log].
func (l *sessionLog) Err() error { return l.err }

// Events implements [diff.Log].
func (l *sessionLog) Events() iter.Seq[diff.Event] {
	return func(yield func(diff.Event) bool) {
		var text []byte
		r := l.session.Reader()
		for record := range r.Records() {
			switch {
			case record.Kind == scan.Header || !record.IsEvent():
			case record.Kind == scan.Row:
				if !members(record, yield) {
					return
				}
			default:
				text = appendOrdered(text[:0], &record.Event)
				if !yield(single(record, text)) {
					return
				}
			}
		}
		l.err = r.Err()
	}
}

// sortMembers returns the canonical text of a header with its members sorted: the columns
// of a database have no order. What is no JSON object stays as it is.
func sortMembers(line []byte) []byte {
	var doc jsjson.Doc
	if doc.Parse(line) != nil || doc.Root.Kind != jsjson.Object {
		return line
	}
	var members [][]byte
	for m := range doc.Root.Members() {
		key := jsjson.AppendCanonical(nil, m.Key)
		members = append(members, jsjson.AppendCanonical(append(key, ':'), m.Value))
	}
	slices.SortFunc(members, bytes.Compare)
	return slices.Concat([]byte{'{'}, bytes.Join(members, []byte{','}), []byte{'}'})
}

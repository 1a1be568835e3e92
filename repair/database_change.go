package repair

import (
	"bytes"
	"iter"
	"math"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/scan"
)

// change is what happens to one row: it goes, it comes, or, with neither, it stays.
type change struct {
	remove, add *database.Row
	why         string // remove goes
}

// changes yields what becomes of the rows, by seq: what goes before what comes in its
// place. A change is valid until the next one. The same plan gives the same changes
// every time.
func (s *sessionPlan) changes() iter.Seq2[change, error] {
	return func(yield func(change, error) bool) {
		m := &rowMerge{yield: yield, wanted: true}
		m.encoder, m.err = database.NewEncoder()
		if m.err == nil {
			m.run(s)
		}
		if m.err != nil && m.wanted {
			yield(change{}, m.err)
		}
	}
}

// rowMerge goes through the rows of a session and through the lines of the repaired
// text, both by seq.
type rowMerge struct {
	yield   func(change, error) bool
	wanted  bool // more changes are
	err     error
	encoder *database.Encoder
	next    func() (*oldRow, error, bool)
	old     *oldRow // the first row that has not been dealt with, nil behind the last
	stored  *rowCursor
	made    []database.Row
}

// oldRow is a row as it is now, with its line.
type oldRow struct {
	number int // in the session, from 0
	line   []byte
	seq    float64
	why    string // it does not decode
}

func (m *rowMerge) run(s *sessionPlan) {
	next, stop := iter.Pull2(oldRows(s.session))
	defer stop()
	m.next, m.stored = next, newRowCursor(s.session)
	defer m.stored.stop()
	m.advance()
	r, err := s.repaired.reader()
	if err != nil {
		m.err = err
		return
	}
	for record := range r.Records() {
		if record.Kind != scan.Header && !m.take(record) {
			return
		}
	}
	if m.err = r.Err(); m.err == nil {
		m.removeBefore(math.Inf(1))
	}
}

func (m *rowMerge) advance() {
	old, err, ok := m.next()
	if m.err = err; !ok || err != nil {
		old = nil
	}
	m.old = old
}

// take takes the next line of the repaired text and reports whether to go on.
func (m *rowMerge) take(record *scan.Record) bool {
	seq, _ := record.Seq()
	if !m.removeBefore(float64(seq)) {
		return false
	}
	if m.old != nil && m.old.seq == float64(seq) && bytes.Equal(m.old.line, record.Text) {
		return m.emit(change{}) && m.passed()
	}
	m.made, m.err = m.encoder.Append(m.made[:0], record)
	for i := range m.made {
		row := &m.made[i]
		if m.err != nil || !m.removeBefore(float64(row.Seq.Int)+1) || !m.emit(change{add: row}) {
			return false
		}
	}
	return m.err == nil
}

// removeBefore removes the rows with a seq below the given one, and reports whether to
// go on.
func (m *rowMerge) removeBefore(seq float64) bool {
	for m.err == nil && m.old != nil && (m.old.seq < seq || math.IsInf(seq, 1)) {
		row, err := m.stored.row(m.old.number)
		if m.err = err; err != nil || !m.emit(change{remove: row, why: m.old.why}) || !m.passed() {
			return false
		}
	}
	return m.err == nil
}

// passed goes on behind the old row, and reports whether that was possible.
func (m *rowMerge) passed() bool {
	m.advance()
	return m.err == nil
}

func (m *rowMerge) emit(c change) bool {
	m.wanted = m.yield(c, nil)
	return m.wanted
}

// oldRows yields the rows of a session by seq. Each is valid until the next.
func oldRows(s *database.Session) iter.Seq2[*oldRow, error] {
	return func(yield func(*oldRow, error) bool) {
		r := s.Reader()
		number := 0
		for record := range r.Records() {
			if record.Kind == scan.Header {
				continue
			}
			if !yield(&oldRow{number, rowLine(record), float64(record.Key), faultOf(record)}, nil) {
				return
			}
			number++
		}
		if r.Err() != nil {
			yield(nil, r.Err())
		}
	}
}

// rowCursor finds the rows of a session as they are stored, by their number. It reads
// none of them before it is asked for one.
type rowCursor struct {
	next func() (*database.Row, error, bool)
	stop func()
	at   int // number of the next row
}

func newRowCursor(s *database.Session) *rowCursor {
	c := &rowCursor{}
	c.next, c.stop = iter.Pull2(s.Rows())
	return c
}

// row returns the row with a number, which may not be lower than in the call before. It
// is valid until the next one.
func (c *rowCursor) row(number int) (*database.Row, error) {
	for {
		row, err, ok := c.next()
		switch {
		case !ok:
			return nil, errOtherText
		case err != nil || c.at == number:
			c.at++
			return row, err
		}
		c.at++
	}
}

// faultOf says why a row does not decode, "" when it does.
func faultOf(r *scan.Record) string {
	switch {
	case r.Kind == scan.TooLong:
		return tooLong
	case r.Stored == nil:
		return ""
	case r.Stored.Refusal != nil:
		return r.Stored.Refusal.Text
	}
	return r.Stored.Fault
}

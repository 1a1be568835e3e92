package scan

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// scanLog is dsh's line scanner: it accepts the longest run of records whose
// events are numbered 0, 1, 2, … and tolerates what follows unless a turn/end
// is there (docs/format.md §3).
type scanLog struct {
	outcome
	issue string // message of the first defect, "" while there is none
}

// unparsable is the defect of a record that does not decode.
func (s *scanLog) unparsable(r *Record) string {
	if r.Stored != nil {
		return badRow(r)
	}
	return fmt.Sprintf("corrupt session log: unparsable committed event at line %d", r.Line-1)
}

// outOfOrder is the defect of a record that does not continue the sequence.
func (s *scanLog) outOfOrder(r *Record) string {
	if r.Stored != nil {
		return badRow(r)
	}
	return fmt.Sprintf("corrupt session log: seq gap in committed region at line %d (expected %d, got %s)",
		r.Line-1, s.events, recordSeq(r).JSString())
}

// accept takes the next record behind the header and reports whether its events
// continue the sequence. A record without LF is never looked at.
func (s *scanLog) accept(r *Record) bool {
	s.takeColumns(r)
	if s.fatal != nil {
		return false
	}
	if !r.Terminated {
		s.drop(r)
		return false
	}
	switch {
	case r.Kind == Null:
		s.fail(r, s.nullCrash())
	case s.issue != "":
		s.tail(r)
	case r.Kind == Undecodable || r.Kind == TooLong:
		s.defect(r, s.unparsable(r))
	case !s.continues(r):
		s.defect(r, s.outOfOrder(r))
		s.tail(r)
	default:
		s.events += r.Events()
		s.committed = r.end()
		return true
	}
	return false
}

// defect notes the first defect, behind which a log without a committed turn is torn.
func (s *scanLog) defect(r *Record, issue string) {
	s.issue = issue
	if r.Stored != nil {
		key := r.Key
		s.tornFrom = &key
	}
}

// continues reports whether the first event of the record has the next seq. The
// other members of a row follow it by construction.
func (s *scanLog) continues(r *Record) bool {
	seq, ok := r.Seq()
	return ok && seq == s.events
}

func recordSeq(r *Record) jsjson.Value {
	switch r.Kind {
	case Row:
		return r.Doc.Get("seq0")
	case Event:
		return r.Event.Seq
	}
	return jsjson.Value{}
}

// tail takes a record at or behind the first defect: a turn/end there means
// that a committed turn is damaged, anything else is a torn tail.
func (s *scanLog) tail(r *Record) {
	if r.Kind == Event && r.Event.Kind == session.TurnEnd {
		s.fail(r, session.Refuse(s.issue))
		return
	}
	s.drop(r)
}

// nullCrash is the TypeError that a null line raises, in a tail as anywhere.
func (s *scanLog) nullCrash() *session.Refusal {
	property := "seq"
	if s.issue != "" {
		property = "type"
	}
	return cannotRead("null", property)
}

// cannotRead is V8's TypeError for reading a property of null or undefined.
func cannotRead(what, property string) *session.Refusal {
	return &session.Refusal{
		Class: session.ClassTypeError,
		Text:  "Cannot read properties of " + what + " (reading '" + property + "')",
	}
}

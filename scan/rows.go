package scan

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// Restore is how a dsh takes the rows of a log from format v2 on. The zero
// Restore is that of an ordinary open by a dsh of the log's own generation.
type Restore struct {
	// Strict makes the first bad row and any torn tail refuse the log, as in the
	// check of a log that has just been written.
	Strict bool
	// Migrates says that a newer dsh reads the log to migrate it. It then leaves
	// out more than an ordinary open does (docs/generations.md §2.6).
	Migrates bool
}

// rows is the row engine of the formats from v2 on (docs/generations.md §2.4). It
// accepts the longest run of sound rows that are numbered 0, 1, 2, …, and
// tolerates what follows unless a turn/end is there.
type rows struct {
	outcome
	generation int64
	how        Restore

	issue *session.Refusal // the first defect of a row, nil while there is none
	// at is where the issue or the fatal row is.
	at Place
	// noJSON is the first line that is no JSON, for a migration: it leaves out that
	// line and all behind it without another look.
	noJSON *session.Refusal
	cut    int64 // seq of the last accepted marker of inherited events, -1 for none
	// retired says that the log is refused for a row of an earlier generation.
	retired bool

	event   session.Event // of the last row
	sources session.Sources
	whole   jsjson.Doc // of an event whose sources had to be spelled out
}

// known is the generation whose vocabulary and rules apply.
func (s *rows) known() int64 { return min(s.generation, session.Newest) }

// accept takes the next record behind the header and reports whether it is the
// next event, which s.event then holds.
func (s *rows) accept(r *Record) bool {
	if s.fatal != nil {
		return false
	}
	if !r.Terminated || s.how.Strict && !s.how.Migrates && r.Torn {
		s.drop(r)
		return false
	}
	if s.how.Migrates {
		s.committed = r.end() // the file is not asked for what lies behind the last sound row
	}
	if r.Kind == TooLong || r.Syntax != nil {
		s.unparsable(r)
		return false
	}
	s.read(&r.Doc)
	if s.noJSON != nil {
		s.tail(r, s.noJSON)
		return false
	}
	if fault := s.admit(); fault != nil {
		s.retired, s.at = fault.Retired, r.Place
		s.fail(r, s.unadmitted(fault))
		return false
	}
	if !s.decode(r) {
		return false
	}
	if s.event.Inherited() {
		s.cut = s.events
	}
	s.events++
	s.committed = r.end()
	return true
}

func (s *rows) read(doc *jsjson.Doc) {
	s.event.Read(doc.Root)
	s.event.Kind = session.AnyTypeOf(s.event.Type).In(s.known())
}

// unparsable takes a line that is no JSON.
func (s *rows) unparsable(r *Record) {
	line := r.Line - 1
	switch {
	case s.how.Migrates && s.noJSON == nil:
		s.noJSON, s.at = session.Refuse(fmt.Sprintf("corrupt session log: row %d is not valid JSON", line)), r.Place
	case s.how.Migrates:
	case s.issue == nil:
		s.at = r.Place
		s.issue = session.Refuse(fmt.Sprintf("corrupt session log: unparsable committed event at line %d", line))
		if s.how.Strict {
			s.fail(r, s.issue)
		}
	}
}

// admit runs the check of the row alone, which no tolerance for a torn tail
// softens.
func (s *rows) admit() *session.RowFault {
	if s.how.Migrates {
		return session.AdmitStored(&s.event, s.generation)
	}
	return session.Admit(&s.event, s.generation)
}

func (s *rows) unadmitted(fault *session.RowFault) *session.Refusal {
	class := session.ClassFormat
	switch {
	case fault.Unsupported && s.how.Migrates:
		class = session.ClassMigration
	case fault.Unsupported:
		class = session.ClassUnsupported
	}
	return &session.Refusal{Class: class, Text: jsjson.ToValidUTF8(fault.Text)}
}

// decode checks envelope, seq and what the generation demands of the row in its
// place, and reports whether the row goes on with the log.
func (s *rows) decode(r *Record) bool {
	if s.issue != nil && !s.how.Migrates {
		s.tail(r, s.issue)
		return false
	}
	own := !s.how.Migrates // a migration lets a turn/end with these defects pass as a torn tail
	row := int64(r.Line) - 2
	if fault := s.envelope(row); fault != "" {
		s.doubt(r, fault, own)
		return false
	}
	if s.issue != nil {
		s.tail(r, s.issue)
		return false
	}
	if fault := s.event.SeqGap(row, s.events); fault != "" {
		s.doubt(r, fault, true)
		return false
	}
	if fault := s.event.MarkerFault(s.events); fault != "" {
		if s.how.Migrates {
			s.at = r.Place
			s.fail(r, &session.Refusal{Class: session.ClassFormat, Text: fault})
		} else {
			s.doubt(r, fault, true)
		}
		return false
	}
	if s.generation == 3 {
		if fault := session.CanonicalFault(&s.event, s.events); fault != "" {
			s.doubt(r, fault, own)
			return false
		}
	}
	s.spellOut()
	return true
}

// envelope checks the envelope and sourceEventSeqs.
func (s *rows) envelope(row int64) string {
	e := &s.event
	if fault := e.RowFault(row); fault != "" {
		return jsjson.ToValidUTF8(fault)
	}
	s.sources.Pairs = false
	if !e.Sources.Exists() {
		return ""
	}
	seq, ok := e.SeqNumber()
	if !ok {
		seq = s.events
	}
	return s.sources.Read(e.Sources, seq)
}

// spellOut puts the seqs that pairs stand for into the event, as dsh does.
func (s *rows) spellOut() {
	if !s.sources.Pairs {
		return
	}
	members := s.event.Root.OwnMembers(nil)
	replace(members, "sourceEventSeqs", s.sources.Append(nil))
	if s.whole.Parse(object(members...)) == nil {
		s.read(&s.whole)
	}
}

// doubt takes a row with a defect. It is the end of the log, unless a turn/end
// comes; own says that this row itself may be one.
func (s *rows) doubt(r *Record, fault string, own bool) {
	if s.issue == nil {
		s.issue, s.at = s.defect(r, fault), r.Place
	}
	switch {
	case s.how.Strict:
		s.fail(r, s.issue)
	case own:
		s.tail(r, s.issue)
	default:
		s.drop(r)
	}
}

func (s *rows) defect(r *Record, fault string) *session.Refusal {
	if s.how.Migrates {
		return &session.Refusal{Class: session.ClassFormat, Text: fault}
	}
	return session.Refuse(fmt.Sprintf("corrupt session log: invalid committed event at line %d: %s", r.Line-1, fault))
}

// tail takes a row at or behind the first defect: a turn/end there means that a
// committed turn is damaged.
func (s *rows) tail(r *Record, issue *session.Refusal) {
	if s.event.Kind == session.TurnEnd {
		s.fail(r, issue)
		return
	}
	s.drop(r)
}

// drop counts an event that dsh does not read. Packed rows are none here.
func (s *rows) drop(r *Record) {
	if r.Kind != TooLong && r.Doc.Root.Kind == jsjson.Object && r.Event.Type.NonEmptyString() {
		s.dropped++
	}
}

// seed checks the end of the log against the header: a seeded log has a marker of
// inherited events, others have none.
func (s *rows) seed() *session.Refusal {
	switch seeded := s.header.Seeded; {
	case seeded && s.cut < 0:
		return &session.Refusal{Class: session.ClassFormat, Text: "released v2 seeded Session lacks an inherited end-seed marker"}
	case !seeded && s.cut >= 0:
		return &session.Refusal{Class: session.ClassFormat, Text: "released v2 unseeded Session contains an inherited end-seed marker"}
	}
	return nil
}

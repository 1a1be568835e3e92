package repair

import (
	"slices"
	"strings"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// remedy is a kind of edit: it changes one member of the events of one type, and only
// when the user allows it by name.
type remedy struct {
	name  string // of the permission, without its object
	wants string // what object a permission names behind the =, "" for none
	does  string // what it does to an event, in words
	// native says that logs from v2 on may need it too. Their readers look at events in
	// other ways, so that most of what mends those of v0 does not apply.
	native bool
	// upgrade says that the log needs it only for a newer dsh to take it over; see mend.go.
	upgrade bool
	// find proposes what would mend a record.
	find func(e *editor, r *scan.Record, propose func(object string, edit Edit))
}

// remedies are all kinds of edits, by name.
var remedies = []*remedy{
	expandReferences, dropReferences, markIgnorable, mintCallIDs, mintIDs, moveMembers, movePayload, padTimes, renumber, retiredSource, roundTimes, setDescriptor,
}

func (m *remedy) permission(object string) Permission {
	if m.wants == "" {
		return Permission(m.name)
	}
	return Permission(m.name + "=" + object)
}

// isAllowedBy reports whether p is for m, with whatever object.
func (m *remedy) isAllowedBy(p Permission) bool {
	name, object, named := strings.Cut(string(p), "=")
	return m.name == name && named == (m.wants != "") && named == (object != "")
}

// suits reports whether logs of a generation may need the remedy.
func (m *remedy) suits(generation int64) bool {
	return generation < firstNative || generation <= session.Newest && m.native
}

// remedyOf returns the remedy that a permission is for, or nil.
func remedyOf(p Permission) *remedy {
	if i := slices.IndexFunc(remedies, func(m *remedy) bool { return m.isAllowedBy(p) }); i >= 0 {
		return remedies[i]
	}
	return nil
}

// editor changes single members of the records of a log, as far as it is allowed to.
// It does the same in every pass over the log.
type editor struct {
	logID
	allow    []Permission
	all      bool        // everything is allowed
	remedies []*remedy   // that may be allowed
	steps    []stepCalls // what comes before the first step, then each step
	runs     *runs       // of seqs; nil when none is renumbered
	mend     *mend       // nil unless a newer dsh is to take the log over

	piece  int         // pieces before the next one in this pass
	run    int         // that the current piece belongs to
	step   int         // steps that have started in this pass
	record scan.Record // an edited one
	text   []byte      // of that
}

// newEditor returns the editor for a log in which the given edits are allowed, or
// all of them. id is that of the session where the log has no header to say it.
func newEditor(s *source, id string, allow []Permission, all bool) (*editor, error) {
	e := &editor{logID: logID{id, s.generation}, allow: allow, all: all, steps: make([]stepCalls, 1)}
	for _, m := range remedies {
		if m.suits(s.generation) && (all && !m.upgrade || slices.ContainsFunc(allow, m.isAllowedBy)) {
			e.remedies = append(e.remedies, m)
		}
	}
	if len(e.remedies) == 0 {
		return e, nil
	}
	for p := range s.pieces() {
		if p.header {
			if h, _ := parseHeader(p.record.Text, s.generation); h.ID != "" {
				e.session = h.ID
			}
		} else if p.junk == "" {
			e.noteCalls(p.record)
		}
	}
	if s.err != nil || !e.may(renumber.permission("")) {
		return e, s.err
	}
	runs, err := findRuns(s, e)
	e.runs = runs
	return e, err
}

func (e *editor) may(p Permission) bool { return e.all || slices.Contains(e.allow, p) }

// rewind starts a pass.
func (e *editor) rewind() { e.step, e.piece = 0, 0 }

// edit makes the allowed changes to a piece. It stays what it is when they would
// not leave a record.
func (e *editor) edit(p *piece) {
	e.run = e.runs.of(e.piece)
	e.piece++
	if len(e.remedies) == 0 || p.header || p.junk != "" && !isMalformedRow(p) {
		return
	}
	if p.record.Event.Kind == session.StepStart {
		e.step++
	}
	edits := e.proposals(p.record)
	if len(edits) == 0 {
		return
	}
	e.text = appendEdited(e.text[:0], p.record.Text, edits)
	e.record.Place, e.record.LastFrame, e.record.Torn = p.record.Place, p.record.LastFrame, p.record.Torn
	if e.record.Reparse(e.text); !e.record.IsEvent() {
		return
	}
	know(&e.record, e.generation)
	e.mend.note(&e.record, edits)
	p.record, p.junk, p.clean = &e.record, "", false
	p.span.Edits, p.span.Events = edits, e.record.Events()
}

// proposals returns the allowed edits of a record in the order of their places. The
// renumbering leaves out what another edit writes anew, with the new numbers.
func (e *editor) proposals(r *scan.Record) (edits []Edit) {
	for _, m := range e.remedies {
		m.find(e, r, func(object string, edit Edit) {
			if edit.Allow = m.permission(object); e.may(edit.Allow) && !slices.ContainsFunc(edits, edit.meets) {
				edits = append(edits, edit)
			}
		})
	}
	slices.SortFunc(edits, byPlace)
	return edits
}

// isMalformedRow reports whether a piece is a whole line with a packed row that dsh
// cannot read.
func isMalformedRow(p *piece) bool {
	r := p.record
	return r.Kind == scan.Undecodable && r.Syntax == nil && p.span.PlainOff == r.PlainOff && p.span.Len == lineLen(r) &&
		session.ChunkKindOf(r.Event.Type) != session.NoChunks
}

package repair

import (
	"strconv"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// maxCited bounds the references of one event that are looked at: a pair is short and
// can stand for any number of them.
const maxCited = 1 << 20

// dropReferences takes out of sourceEventSeqs what cannot be a reference: numbers
// of no earlier event, and repeated ones (docs/format.md §2.3).
var dropReferences = &remedy{
	name: "drop-references", wants: "TYPE", does: "drops references to events that are not earlier ones from",
	find: func(e *editor, r *scan.Record, propose func(string, Edit)) {
		if !citesEvents(r) || hasPairs(r.Event.Sources) {
			return
		}
		cited, valid := references(&r.Event)
		if valid && (len(cited) > 0 || mayCiteNothing(r)) {
			return
		}
		for _, edit := range setReferences(e, r, cited) {
			propose(r.Event.Type.Text(), edit)
		}
	},
}

// expandReferences writes pairs of a first and a last seq, the form in which later
// generations store long lists, as the numbers that they stand for.
var expandReferences = &remedy{
	name: "expand-references", wants: "TYPE", does: "writes out compressed references of",
	find: func(e *editor, r *scan.Record, propose func(string, Edit)) {
		if !citesEvents(r) || !hasPairs(r.Event.Sources) {
			return
		}
		if cited, valid := references(&r.Event); valid {
			propose(r.Event.Type.Text(), setValue(r, sourceEventSeqs, r.Event.Sources, e.listText(cited)))
		}
	},
}

const sourceEventSeqs = "sourceEventSeqs"

// citesEvents reports whether a record may cite events and does, with a seq of its
// own to compare them with.
func citesEvents(r *scan.Record) bool {
	_, ok := r.Event.Seq.SafeInt()
	return ok && r.Kind == scan.Event && r.Event.Kind.Surface() && r.Event.Sources.Kind == jsjson.Array
}

// mayCiteNothing reports whether the list of an event may be empty (docs/format.md
// §2.3).
func mayCiteNothing(r *scan.Record) bool { return r.Event.Kind == session.AssistantMessage }

func hasPairs(sources jsjson.Value) bool {
	for v := range sources.Elements() {
		if v.Kind == jsjson.Array {
			return true
		}
	}
	return false
}

// references returns the distinct earlier seqs that an event cites, in its order;
// valid tells whether they are all that its list holds.
func references(e *session.Event) (cited []int64, valid bool) {
	valid = true
	end, _ := e.Seq.SafeInt()
	seen := make(map[int64]bool)
	for v := range e.Sources.Elements() {
		first, last, ok := span(v)
		if !ok || first < 0 || last >= end || last-first >= int64(maxCited-len(cited)) {
			valid = false
			continue
		}
		for seq := first; seq <= last; seq++ {
			if seen[seq] {
				valid = false
				continue
			}
			seen[seq] = true
			cited = append(cited, seq)
		}
	}
	return cited, valid
}

// span returns the seqs of an element: one number, or a pair of the first and the
// last.
func span(v jsjson.Value) (first, last int64, ok bool) {
	if v.Kind != jsjson.Array {
		first, ok = v.SafeInt()
		return first, first, ok
	}
	var ends []int64
	for end := range v.Elements() {
		n, ok := end.SafeInt()
		if !ok || len(ends) == 2 {
			return 0, 0, false
		}
		ends = append(ends, n)
	}
	if len(ends) != 2 || ends[0] > ends[1] {
		return 0, 0, false
	}
	return ends[0], ends[1], true
}

// setReferences gives the event another list, or none where the list would be empty
// and may not be.
func setReferences(e *editor, r *scan.Record, cited []int64) (edits []Edit) {
	if len(cited) > 0 || mayCiteNothing(r) {
		return []Edit{setValue(r, sourceEventSeqs, r.Event.Sources, e.listText(cited))}
	}
	for m := range r.Event.Root.Members() {
		if m.Key.EqualText(sourceEventSeqs) {
			edits = append(edits, removeMember(r, sourceEventSeqs, m))
		}
	}
	return edits
}

// listText writes a list of seqs, renumbered.
func (e *editor) listText(seqs []int64) string {
	text := []byte{'['}
	for i, seq := range seqs {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, e.renumbered(seq), 10)
	}
	return string(append(text, ']'))
}

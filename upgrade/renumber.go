package upgrade

import (
	"slices"
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// renumbering maps the seqs of an older log to those of a newer one that lacks
// some of its events.
type renumbering struct{ from, to []int64 } // ascending

func (r *renumbering) add(from, to int64) {
	r.from = append(r.from, from)
	r.to = append(r.to, to)
}

// find returns where an event went. ok is false for one that is gone or is still
// to come, and for a value that is no seq.
func (r *renumbering) find(seq jsjson.Value) (to int64, ok bool) {
	n, ok := seq.SafeInt()
	if !ok {
		return 0, false
	}
	i, ok := slices.BinarySearch(r.from, n)
	if !ok {
		return 0, false
	}
	return r.to[i], true
}

// remap makes an event of v1 name the events of v2: in the metadata of the
// surface and in the references of its payload.
func (s *v1ToV2) remap(e Event) (Event, error) {
	if err := checkMarker(e); err != nil {
		return e, err
	}
	return mapReferences(e.metadataLast(), func(v jsjson.Value, path string) (jsjson.Value, error) {
		if path == "surfaceOp.startSeq" || path == "surfaceOp.endSeq" {
			return v, nil // v1 has no such members
		}
		moved, ok := s.moved.find(v)
		if !ok {
			return v, consumed(e, path, v)
		}
		return number(moved), nil
	})
}

// metadataLast puts the metadata of the surface behind the other members, as dsh
// does here.
func (e Event) metadataLast() Event {
	sources, op := e.Get("sourceEventSeqs"), e.Get("surfaceOp")
	if !sources.Exists() && !op.Exists() {
		return e
	}
	e = e.Without("sourceEventSeqs", "surfaceOp")
	if sources.Exists() {
		e = e.With("sourceEventSeqs", sources)
	}
	if op.Exists() {
		e = e.With("surfaceOp", op)
	}
	return e
}

// checkMarker refuses a surface marker that is neither "append" nor has both ends
// of a range. dsh takes the ends of anything.
func checkMarker(e Event) error {
	op := e.Get("surfaceOp")
	switch {
	case !op.Exists() || op.EqualText("append"):
		return nil
	case op.Kind == jsjson.Null:
		return refuse("Cannot read properties of null (reading 'start')")
	}
	for _, path := range []string{"surfaceOp.start", "surfaceOp.end"} {
		end := op.Get(strings.TrimPrefix(path, "surfaceOp."))
		if !end.Exists() {
			return consumed(e, path, end)
		}
	}
	return nil
}

// consumed refuses a reference to an event that v2 does not have.
func consumed(e Event, path string, seq jsjson.Value) error {
	name, _, _ := strings.Cut(path, "[")
	switch {
	case name == "sourceEventSeqs":
		name = "sources"
	case strings.HasPrefix(name, "surfaceOp."):
		name = "surface " + strings.TrimPrefix(name, "surfaceOp.")
	default:
		name, _, _ = strings.Cut(name, ".")
	}
	return unsupported("%s %d %s targets consumed assistant/chunk %s", e.Type, e.Seq, name, seq.JSString())
}

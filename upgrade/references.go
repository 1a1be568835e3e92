package upgrade

import (
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// references are the members of the payloads that name other events by their seq,
// by type (docs/generations.md §5.4). A path goes through members; a member that
// ends in "[]" is an array whose elements are meant.
var references = map[string][]string{
	"command/done":              {"sourceEventSeq"},
	"compaction/summary":        {"shadowedRange.start", "shadowedRange.end", "shadowedSeqs[]"},
	"compaction/prune":          {"shadowedRange.start", "shadowedRange.end", "shadowedSeqs[]"},
	"session/title":             {"messageSeqs[]"},
	"session/title-llm-request": {"messageSeqs[]"},
	"image/offload":             {"targets[].seq"},
	"developer/message":         {"headerSeq"},
}

// envelopeReferences are those of the envelope of events of every type.
var envelopeReferences = []string{
	"sourceEventSeqs[]", "surfaceOp.start", "surfaceOp.end", "surfaceOp.startSeq", "surfaceOp.endSeq",
}

// mapping gives a reference its new value. path is the one of the tables above.
type mapping func(v jsjson.Value, path string) (jsjson.Value, error)

// mapReferences returns the event with a new value for each of its references.
func mapReferences(e Event, to mapping) (Event, error) {
	envelope := e.Object
	for _, path := range envelopeReferences {
		changed, err := mapPath(envelope, path, path, to)
		if err != nil {
			return e, err
		}
		envelope = changed
	}
	e.Object = envelope
	paths := references[e.Type]
	if paths == nil || e.Data().Kind != jsjson.Object {
		return e, nil
	}
	data := ObjectOf(e.Data())
	for _, path := range paths {
		changed, err := mapPath(data, path, path, to)
		if err != nil {
			return e, err
		}
		data = changed
	}
	return e.WithData(data), nil
}

// mapPath maps what a path leads to in an object. It leaves an object that lacks
// it alone.
func mapPath(o Object, path, whole string, to mapping) (Object, error) {
	key, rest, _ := strings.Cut(path, ".")
	key, each := strings.CutSuffix(key, "[]")
	v := o.Get(key)
	if !v.Exists() || each != (v.Kind == jsjson.Array) {
		return o, nil
	}
	mapped, err := mapValue(v, each, rest, whole, to)
	if err != nil {
		return o, err
	}
	return o.With(key, mapped), nil
}

func mapValue(v jsjson.Value, each bool, rest, whole string, to mapping) (jsjson.Value, error) {
	if each {
		var elements []jsjson.Value
		for element := range v.Elements() {
			mapped, err := mapValue(element, false, rest, whole, to)
			if err != nil {
				return v, err
			}
			elements = append(elements, mapped)
		}
		return array(elements...), nil
	}
	if rest == "" {
		return to(v, whole)
	}
	if v.Kind != jsjson.Object {
		return v, nil
	}
	o, err := mapPath(ObjectOf(v), rest, whole, to)
	return o.Value(), err
}

// shifts are the places at which an edge inserts events: from each one on, seqs
// are one higher than before.
type shifts []int64 // seqs of the older generation, ascending

// insert notes an event in front of the one with the older seq.
func (s *shifts) insert(before int64) { *s = append(*s, before) }

// seq returns the newer seq of an older one.
func (s shifts) seq(old int64) int64 {
	n := len(s)
	for n > 0 && s[n-1] > old {
		n--
	}
	return old + int64(n)
}

// apply returns the event with its own seq and its references in the newer
// numbering. References that are no seqs stay as they are.
func (s shifts) apply(e Event) Event {
	if len(s) == 0 {
		return e
	}
	e, _ = mapReferences(e, func(v jsjson.Value, _ string) (jsjson.Value, error) {
		if n, ok := v.SafeInt(); ok && n >= 0 {
			return number(s.seq(n)), nil
		}
		return v, nil
	})
	return e.At(s.seq(e.Seq))
}

package upgrade

import (
	"fmt"
	"slices"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// rowDecoder decodes the rows of v0 and v1: events, and packed rows of chunks
// (docs/generations.md §4.1).
type rowDecoder struct {
	recovery
	header *Header
	emit   Emit
	next   int64 // seq of the next event
}

func newRowDecoder(h *Header, strict bool, emit Emit) decoder {
	return &rowDecoder{recovery: recovery{strict: strict}, header: h, emit: emit}
}

func (d *rowDecoder) row(index int, v jsjson.Value) error {
	if d.noJSON {
		return d.behind(isTurnEnd(v))
	}
	r, err := parseRow(index, v, d.next)
	if err != nil {
		return d.bad(malformed(err.Error()))
	}
	turnEnd := !r.packed && r.typ == "turn/end"
	if d.issue != nil {
		return d.behind(turnEnd)
	}
	if r.seq.Kind != jsjson.Number || r.seq.Float() != float64(d.next) {
		d.issue = malformed(fmt.Sprintf("released Session row %d has seq gap (expected %d, got %s)",
			index, d.next, jsjson.ToValidUTF8(r.seq.JSString())))
		return d.behind(turnEnd)
	}
	if r.packed {
		return r.chunks.each(d)
	}
	return d.put(r.event)
}

// put emits the next event.
func (d *rowDecoder) put(envelope Object) error {
	e := NewEvent(envelope, d.next)
	d.next++
	return d.emit(e)
}

func (d *rowDecoder) finish() (cut int64, err error) {
	if d.header.Cut > d.next {
		return noCut, malformed("Session inheritedEventCount exceeds its event count")
	}
	return d.header.Cut, nil
}

// row is a decoded row: an event or packed chunks.
type row struct {
	seq jsjson.Value // of the first event

	typ   string
	event Object

	packed bool
	chunks chunks
}

// parseRow decodes a row. The error is the text of the refusal of a row that
// cannot be decoded; of the envelope of an event only seq and the sources count.
// next is the seq that is to come.
func parseRow(index int, v jsjson.Value, next int64) (row, error) {
	if v.Kind != jsjson.Object {
		return row{}, refuse("released Session row %d must be a JSON object", index)
	}
	typ := v.Get("type")
	if kind := session.ChunkKindOf(typ); kind != session.NoChunks {
		r := row{packed: true, seq: v.Get("seq0")}
		at := &place{name: fmt.Sprintf("released %s row %d", typ.Text(), index)}
		return r, r.chunks.read(&deltaKinds[kind-session.TextChunks], v, at)
	}
	r := row{typ: typ.Text(), seq: v.Get("seq"), event: ObjectOf(v)}
	sources := r.event.Get("sourceEventSeqs")
	if !sources.Exists() {
		return r, nil
	}
	list, pairs, err := readSources(sources, r.seq)
	if pairs && r.seq.Float() == float64(next) {
		r.event = r.event.With("sourceEventSeqs", spellOut(list))
	}
	return r, err
}

// span is a run of seqs.
type span struct{ first, last int64 }

// readSources reads a list of seqs and pairs [first, last] of them. All in all it
// must name no more seqs than there are before its event.
func readSources(v, seq jsjson.Value) (list []span, pairs bool, err error) {
	if v.Kind != jsjson.Array {
		return nil, false, refuse("sourceEventSeqs must be an array")
	}
	room, _ := seq.SafeInt()
	sorted := true
	for element := range v.Elements() {
		s, ok := readSpan(element)
		if !ok {
			return nil, false, refuse("sourceEventSeqs range must be a [start, end] pair")
		}
		if room -= s.last - s.first + 1; room < 0 {
			return nil, false, refuse("sourceEventSeqs exceeds its event seq")
		}
		sorted = sorted && (len(list) == 0 || list[len(list)-1].last < s.first)
		pairs = pairs || element.Kind == jsjson.Array
		list = append(list, s)
	}
	if pairs && !sorted {
		return nil, false, refuse("sourceEventSeqs ranges must be strictly increasing")
	}
	return list, pairs, nil
}

// spellOut names each seq of a list.
func spellOut(list []span) jsjson.Value {
	var elements []jsjson.Value
	for _, s := range list {
		for n := s.first; n <= s.last; n++ {
			elements = append(elements, number(n))
		}
	}
	return array(elements...)
}

// readSpan reads a seq, or a pair of the first and the last of several.
func readSpan(v jsjson.Value) (s span, ok bool) {
	if v.Kind != jsjson.Array {
		n, ok := count(v)
		return span{n, n}, ok
	}
	ends := slices.Collect(v.Elements())
	if len(ends) != 2 {
		return span{}, false
	}
	first, firstOK := count(ends[0])
	last, lastOK := count(ends[1])
	return span{first, last}, firstOK && lastOK && first <= last
}

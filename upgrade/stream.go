package upgrade

import (
	"bytes"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// stream is the chunks of an attempt as v2 keeps them: runs of deltas of one
// block in one record, all others in a record each (docs/generations.md §4.4).
type stream struct {
	records bytes.Buffer // separated by commas
	run     *run         // the open run of deltas, nil for none
}

// run is a run of deltas of one block.
type run struct {
	kind            *deltaKind
	index, id, name jsjson.Value
	time0, last     int64 // of the first and last delta
	texts, gaps     []jsjson.Value
}

// deltaKind is one of the kinds of deltas.
type deltaKind struct {
	delta, row  string // the types of the chunk and of the record
	text, texts string // the members that hold the text
	call        bool   // the delta names a call
}

var deltaKinds = []deltaKind{
	{delta: "text-delta", row: "text-chunks", text: "text", texts: "texts"},
	{delta: "reasoning-delta", row: "reasoning-chunks", text: "text", texts: "texts"},
	{delta: "tool-call-delta", row: "tool-call-chunks", text: "argumentsDelta", texts: "args", call: true},
}

// push adds a chunk with the time of its event.
func (s *stream) push(time, chunk jsjson.Value) error {
	typ := chunk.Get("type").Text()
	switch typ {
	case "block-start", "block-end", "usage", "finish":
		s.plain(time, chunk)
		return nil
	}
	for i := range deltaKinds {
		if deltaKinds[i].delta == typ {
			return s.delta(&deltaKinds[i], time, chunk)
		}
	}
	return refuse("unreachable variant in AssistantStreamAccumulator.push: %s", chunk.Stringify())
}

// plain adds a record of one chunk.
func (s *stream) plain(time, chunk jsjson.Value) {
	s.closeRun()
	s.add(Object{member("type", text("chunk")), member("time", time), member("chunk", chunk)})
}

func (s *stream) add(record Object) {
	if s.records.Len() > 0 {
		s.records.WriteByte(',')
	}
	s.records.Write(record.Value().Raw())
}

// delta adds a delta to the open run when it goes on with that, else to a new one.
func (s *stream) delta(kind *deltaKind, time, chunk jsjson.Value) error {
	index := chunk.Get("index")
	if _, ok := count(index); !ok {
		return refuse("%s index must be a non-negative safe integer", kind.delta)
	}
	now, ok := safeInt(time)
	if !ok || kind.call && !chunk.Get("id").NonEmptyString() {
		s.plain(time, chunk)
		return nil
	}
	next := run{kind: kind, index: index, time0: now, last: now}
	if kind.call {
		next.id, next.name = chunk.Get("id"), chunk.Get("name")
	}
	if s.run == nil || !s.run.continues(&next) {
		s.closeRun()
		s.run = &next
	} else {
		s.run.gaps = append(s.run.gaps, number(now-s.run.last))
		s.run.last = now
	}
	s.run.texts = append(s.run.texts, chunk.Get(kind.text))
	return nil
}

// continues tells whether the first delta of another run belongs to r.
func (r *run) continues(next *run) bool {
	return r.kind == next.kind && jsjson.StrictEqual(r.index, next.index) &&
		jsjson.StrictEqual(r.id, next.id) && jsjson.StrictEqual(r.name, next.name)
}

func (s *stream) closeRun() {
	r := s.run
	if r == nil {
		return
	}
	s.run = nil
	record := Object{
		member("type", text(r.kind.row)), member("time0", number(r.time0)), member("index", r.index), member("dt", array(r.gaps...)),
	}
	if r.kind.call {
		record = append(record, member("id", r.id))
		if r.name.Exists() {
			record = append(record, member("name", r.name))
		}
	}
	s.add(append(record, member(r.kind.texts, array(r.texts...))))
}

// value returns the stream as the array that v2 stores.
func (s *stream) value() jsjson.Value {
	s.closeRun()
	raw := make([]byte, 0, s.records.Len()+2)
	raw = append(append(append(raw, '['), s.records.Bytes()...), ']')
	return jsjson.NewValue(jsjson.Array, raw)
}

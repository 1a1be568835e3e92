package session

import (
	"bytes"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// Event is the envelope of one event record: its members as views of the line
// (docs/format.md §2.2). An absent member is the zero Value. An Event read from
// a value that is not an object has no members at all, as in JavaScript.
type Event struct {
	Root jsjson.Value // the whole record
	Kind Type         // the known type that Type names

	Type      jsjson.Value
	Seq       jsjson.Value
	Time      jsjson.Value
	Data      jsjson.Value
	Surface   jsjson.Value // surfaceOp
	Sources   jsjson.Value // sourceEventSeqs
	Ignorable jsjson.Value
	Foreign   jsjson.Value // key of the first member that is none of these

	seq, time  integer      // Seq and Time
	turn, step jsjson.Value // of Data, once placed
	placed     bool
}

// integer is what [jsjson.Value.SafeInt] returns.
type integer struct {
	value int64
	ok    bool
}

// Read sets e to the envelope of a record. Of duplicate keys the last one counts
// (ECMA-262, JSON.parse).
func (e *Event) Read(root jsjson.Value) {
	*e = Event{}
	e.Root = root
	if root.Kind == jsjson.Object {
		for c := root.Inside(); c.More(); c.Next() {
			if slot := e.slot(c.Key()); slot != nil {
				*slot = c.Value()
			} else if !e.Foreign.Exists() {
				e.Foreign = c.Key()
			}
		}
	}
	e.settle()
}

// ReadMembers is Read for a record whose members are at hand, in another order
// perhaps.
func (e *Event) ReadMembers(root jsjson.Value, members []jsjson.Member) {
	*e = Event{}
	e.Root = root
	for i := range members {
		if slot := e.slot(members[i].Key); slot != nil {
			*slot = members[i].Value
		} else if !e.Foreign.Exists() {
			e.Foreign = members[i].Key
		}
	}
	e.settle()
}

// IsRecord reports whether the record is a JSON object.
func (e *Event) IsRecord() bool { return e.Root.Kind == jsjson.Object }

// Field returns a member of data.
func (e *Event) Field(key string) jsjson.Value { return e.Data.Get(key) }

// Turn returns data.turn.
func (e *Event) Turn() jsjson.Value {
	e.place()
	return e.turn
}

// Step returns data.step.
func (e *Event) Step() jsjson.Value {
	e.place()
	return e.step
}

// place finds data.turn and data.step once for the many who ask.
func (e *Event) place() {
	if !e.placed {
		e.turn, e.step, e.placed = e.Data.Get("turn"), e.Data.Get("step"), true
	}
}

// SeqNumber returns the seq of the event; ok is false where it is no safe integer.
func (e *Event) SeqNumber() (seq int64, ok bool) { return e.seq.value, e.seq.ok }

// Millis returns the time of the event; ok is false where it is no safe integer.
func (e *Event) Millis() (time int64, ok bool) { return e.time.value, e.time.ok }

// settle completes what follows from the members.
func (e *Event) settle() {
	e.Kind = TypeOf(e.Type)
	e.seq.value, e.seq.ok = e.Seq.SafeInt()
	e.time.value, e.time.ok = e.Time.SafeInt()
}

// Message returns the message of the event: data itself for a user message,
// data.message for every other type (docs/format.md §2.6).
func (e *Event) Message() jsjson.Value {
	if e.Kind == UserMessage {
		return e.Data
	}
	return e.Field("message")
}

// MessageField returns a member of the message of the event.
func (e *Event) MessageField(key string) jsjson.Value { return e.Message().Get(key) }

// ValidEnvelope reports whether the record keeps the envelope rules that dsh
// checks when it builds a session (docs/format.md §2.2): no foreign key, type a
// string, seq and time safe integers, data present, ignorable absent or true.
func (e *Event) ValidEnvelope() bool {
	if !e.IsRecord() || e.Foreign.Exists() || e.Type.Kind != jsjson.String {
		return false
	}
	if seq, ok := e.SeqNumber(); !ok || seq < 0 {
		return false
	}
	if _, ok := e.Millis(); !ok || !e.Data.Exists() {
		return false
	}
	return !e.Ignorable.Exists() || e.Ignorable.Kind == jsjson.True
}

// IsEnvelopeKey reports whether an event may have a member with this key.
func IsEnvelopeKey(key jsjson.Value) bool { return new(Event).slot(key) != nil }

// slot returns the member of e that an envelope key names, or nil.
func (e *Event) slot(key jsjson.Value) *jsjson.Value {
	name := key.Raw()[1 : len(key.Raw())-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		name = key.AppendText(nil)
	}
	switch string(name) {
	case "type":
		return &e.Type
	case "seq":
		return &e.Seq
	case "time":
		return &e.Time
	case "data":
		return &e.Data
	case "surfaceOp":
		return &e.Surface
	case "sourceEventSeqs":
		return &e.Sources
	case "ignorable":
		return &e.Ignorable
	}
	return nil
}

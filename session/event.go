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

	data, message         jsjson.Fields // of Data and of Message
	dataRead, messageRead bool
}

// Read sets e to the envelope of a parsed line. Of duplicate keys the last one
// counts (ECMA-262, JSON.parse).
func (e *Event) Read(doc *jsjson.Doc) {
	*e = Event{Root: doc.Root, data: e.data, message: e.message}
	for i := range doc.Members {
		m := &doc.Members[i]
		if slot := e.slot(m.Key); slot != nil {
			*slot = m.Value
		} else if !e.Foreign.Exists() {
			e.Foreign = m.Key
		}
	}
	e.Kind = TypeOf(e.Type)
}

// IsRecord reports whether the record is a JSON object.
func (e *Event) IsRecord() bool { return e.Root.Kind == jsjson.Object }

// Field returns a member of data. The members are found once for all calls.
func (e *Event) Field(key string) jsjson.Value {
	if !e.dataRead {
		e.data.Read(e.Data)
		e.dataRead = true
	}
	return e.data.Get(key)
}

// Turn returns data.turn.
func (e *Event) Turn() jsjson.Value { return e.Field("turn") }

// Step returns data.step.
func (e *Event) Step() jsjson.Value { return e.Field("step") }

// Message returns the message of the event: data itself for a user message,
// data.message for every other type (docs/format.md §2.6).
func (e *Event) Message() jsjson.Value {
	if e.Kind == UserMessage {
		return e.Data
	}
	return e.Field("message")
}

// MessageField returns a member of the message of the event.
func (e *Event) MessageField(key string) jsjson.Value {
	if e.Kind == UserMessage {
		return e.Field(key)
	}
	if !e.messageRead {
		e.message.Read(e.Message())
		e.messageRead = true
	}
	return e.message.Get(key)
}

// ValidEnvelope reports whether the record keeps the envelope rules that dsh
// checks when it builds a session (docs/format.md §2.2): no foreign key, type a
// string, seq and time safe integers, data present, ignorable absent or true.
func (e *Event) ValidEnvelope() bool {
	if !e.IsRecord() || e.Foreign.Exists() || e.Type.Kind != jsjson.String {
		return false
	}
	if seq, ok := e.Seq.SafeInt(); !ok || seq < 0 {
		return false
	}
	if _, ok := e.Time.SafeInt(); !ok || !e.Data.Exists() {
		return false
	}
	return !e.Ignorable.Exists() || e.Ignorable.Kind == jsjson.True
}

// IsEnvelopeKey reports whether an event may have a member with this key.
func IsEnvelopeKey(key jsjson.Value) bool { return new(Event).slot(key) != nil }

// slot returns the member of e that an envelope key names, or nil.
func (e *Event) slot(key jsjson.Value) *jsjson.Value {
	name := key.Raw[1 : len(key.Raw)-1]
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

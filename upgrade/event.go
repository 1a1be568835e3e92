package upgrade

import (
	"bytes"
	"strconv"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// Object is a JSON object on its way through the edges: its own members in the
// order of JavaScript. It is never changed; the methods that edit it return a
// copy. Values are texts of validated JSON.
type Object []jsjson.Member

// ObjectOf returns the own members of an object; none of any other value.
func ObjectOf(v jsjson.Value) Object { return v.OwnMembers(nil) }

// Get returns the value of a member, absent when there is none.
func (o Object) Get(key string) jsjson.Value {
	for i := range o {
		if o[i].Key.EqualText(key) {
			return o[i].Value
		}
	}
	return jsjson.Value{}
}

// Has reports whether there is a member with the key.
func (o Object) Has(key string) bool { return o.Get(key).Exists() }

// With returns the object with another value of a member, in its place; a new
// member comes last, as an assignment in JavaScript does it.
func (o Object) With(key string, v jsjson.Value) Object {
	changed := append(make(Object, 0, len(o)+1), o...)
	for i := range changed {
		if changed[i].Key.EqualText(key) {
			changed[i].Value = v
			return changed
		}
	}
	return append(changed, member(key, v))
}

// Without returns the object without some members.
func (o Object) Without(keys ...string) Object { return jsjson.Without(o, keys...) }

// Value returns the object as a value of its own.
func (o Object) Value() jsjson.Value {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(o[i].Key.Raw())
		b.WriteByte(':')
		b.Write(o[i].Value.Raw())
	}
	b.WriteByte('}')
	return jsjson.NewValue(jsjson.Object, b.Bytes())
}

// member returns a member. The key is in WTF-8.
func member(key string, v jsjson.Value) jsjson.Member {
	return jsjson.Member{Key: text(key), Value: v}
}

// text returns a string in WTF-8 as a value.
func text(s string) jsjson.Value {
	return jsjson.NewValue(jsjson.String, jsjson.AppendQuoted(nil, s))
}

// number returns an integer as a value.
func number(n int64) jsjson.Value {
	return jsjson.NewValue(jsjson.Number, strconv.AppendInt(nil, n, 10))
}

// array returns an array of values.
func array(elements ...jsjson.Value) jsjson.Value {
	b := []byte{'['}
	for i := range elements {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, elements[i].Raw()...)
	}
	return jsjson.NewValue(jsjson.Array, append(b, ']'))
}

// truth is the value true.
var truth = jsjson.NewValue(jsjson.True, []byte("true"))

// Event is one event between two edges: the members of its envelope, of any
// kind and number until an edge has checked them, with type and seq at hand.
type Event struct {
	Object
	Type string // of the member type, WTF-8; "" when that is no string
	Seq  int64  // of the member seq
	Row  int64  // seq of the event of the source log that led to it
}

// NewEvent returns the event of an envelope whose seq a decoder has accepted.
func NewEvent(envelope Object, seq int64) Event {
	return Event{Object: envelope, Type: envelope.Get("type").Text(), Seq: seq, Row: seq}
}

// Data returns the payload.
func (e Event) Data() jsjson.Value { return e.Get("data") }

// With returns the event with another value of a member of its envelope.
func (e Event) With(key string, v jsjson.Value) Event {
	e.Object = e.Object.With(key, v)
	if key == "type" {
		e.Type = v.Text()
	}
	return e
}

// Without returns the event without some members of its envelope.
func (e Event) Without(keys ...string) Event {
	e.Object = e.Object.Without(keys...)
	return e
}

// WithData returns the event with another payload.
func (e Event) WithData(data Object) Event { return e.With("data", data.Value()) }

// At returns the event with another seq.
func (e Event) At(seq int64) Event {
	if e.Seq == seq {
		return e
	}
	e = e.With("seq", number(seq))
	e.Seq = seq
	return e
}

// AppendText appends the event as the line, without LF, that a writer makes of
// it: the text of JSON.stringify (ECMA-262 §25.5.2).
func (e Event) AppendText(dst []byte) []byte { return jsjson.AppendCanonical(dst, e.Value()) }

// unnumbered is the seq, and the row, of an event that the older log does not have.
const unnumbered = -1

// newEvent returns an event that the older log does not have.
func newEvent(typ string, time jsjson.Value, data Object) Event {
	e := NewEvent(Object{
		member("type", text(typ)), member("seq", number(0)), member("time", time), member("data", data.Value()),
	}, 0)
	e.Seq, e.Row = unnumbered, unnumbered
	return e
}

// interrupted returns the end of a turn that has none.
func interrupted(turn int64, time jsjson.Value) Event {
	reason := Object{member("kind", text("interrupted"))}
	return newEvent("turn/end", time, Object{member("turn", number(turn)), member("reason", reason.Value())})
}

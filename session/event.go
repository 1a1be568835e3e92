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

	seq, time integer          // Seq and Time
	skeleton  *jsjson.Skeleton // of Root

	placed, opened bool
	turn, step     jsjson.Value // of Data, once placed
	message        Message      // once opened
}

// Where the members are in a record, and what its skeleton tells: one more than its
// type, and the number of its first foreign member, from 1.
var (
	memberPaths = [...]*jsjson.Path{
		jsjson.NewPath("type"), jsjson.NewPath("seq"), jsjson.NewPath("time"), jsjson.NewPath("data"),
		jsjson.NewPath("surfaceOp"), jsjson.NewPath("sourceEventSeqs"), jsjson.NewPath("ignorable"),
	}
	turnPath   = jsjson.NewPath("data", "turn")
	stepPath   = jsjson.NewPath("data", "step")
	placePaths = [...]*jsjson.Path{turnPath, stepPath}
	rowPaths   = [...]*jsjson.Path{memberPaths[0], memberPaths[3]}
	knownAs    = jsjson.NewNote()
	foreign    = jsjson.NewNote()
)

// integer is what [jsjson.Value.SafeInt] returns.
type integer struct {
	value int64
	ok    bool
}

// Read sets e to the envelope of a record. Of duplicate keys the last one counts
// (ECMA-262, JSON.parse).
func (e *Event) Read(root jsjson.Value) {
	skeleton := root.Skeleton()
	if known := knownAs.Of(skeleton); known > 0 {
		e.Root, e.skeleton, e.Kind = root, skeleton, Type(known-1)
		e.readKnown()
	} else {
		*e = Event{Root: root, skeleton: skeleton}
		e.readAny()
	}
	e.settle()
}

// ReadRow sets e to what a packed row shares with events: its type and data.
func (e *Event) ReadRow(root jsjson.Value) {
	e.Root, e.skeleton, e.Kind = root, root.Skeleton(), Unknown
	root.AtEach(rowPaths[:], &e.Type, &e.Data)
	e.Seq, e.Time, e.Surface, e.Sources = jsjson.Value{}, jsjson.Value{}, jsjson.Value{}, jsjson.Value{}
	e.Ignorable, e.Foreign = jsjson.Value{}, jsjson.Value{}
	e.seq, e.time, e.placed, e.opened = integer{}, integer{}, false, false
}

// readKnown reads a record whose skeleton tells what its members are. What is found
// in data only when it is asked for stays as it was, which keeps that memory out of
// the way.
func (e *Event) readKnown() {
	e.Root.AtEach(memberPaths[:], &e.Type, &e.Seq, &e.Time, &e.Data, &e.Surface, &e.Sources, &e.Ignorable)
	e.Foreign, e.placed, e.opened = jsjson.Value{}, false, false
	if n := foreign.Of(e.skeleton); n > 0 {
		c := e.Root.Inside()
		for range n - 1 {
			c.Next()
		}
		e.Foreign = c.Key()
	}
}

func (e *Event) readAny() {
	if e.Root.Kind == jsjson.Object {
		n := uint32(0)
		for c := e.Root.Inside(); c.More(); c.Next() {
			n++
			if slot := e.slot(c.Key()); slot != nil {
				*slot = c.Value()
			} else if !e.Foreign.Exists() {
				e.Foreign = c.Key()
				foreign.Set(e.skeleton, n)
			}
		}
	}
	e.Kind = TypeOf(e.Type)
	if e.Type.Fixed() {
		knownAs.Set(e.skeleton, uint32(e.Kind)+1)
	}
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
	e.Kind = TypeOf(e.Type)
	e.settle()
}

// Skeleton returns what the record has in common with others, nil if nothing is
// known of that.
func (e *Event) Skeleton() *jsjson.Skeleton { return e.skeleton }

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
	if e.placed {
		return
	}
	if e.placed = true; e.skeleton != nil {
		e.Root.AtEach(placePaths[:], &e.turn, &e.step)
		return
	}
	e.turn, e.step = e.Data.Get("turn"), e.Data.Get("step")
}

// SeqNumber returns the seq of the event; ok is false where it is no safe integer.
func (e *Event) SeqNumber() (seq int64, ok bool) { return e.seq.value, e.seq.ok }

// Millis returns the time of the event; ok is false where it is no safe integer.
func (e *Event) Millis() (time int64, ok bool) { return e.time.value, e.time.ok }

// settle reads the numbers.
func (e *Event) settle() {
	e.seq.value, e.seq.ok = e.Seq.SafeInt()
	e.time.value, e.time.ok = e.Time.SafeInt()
}

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

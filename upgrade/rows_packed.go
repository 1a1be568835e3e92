package upgrade

import (
	"bytes"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// chunks is a packed row: a run of deltas of one block.
type chunks struct {
	kind  *deltaKind
	data  Object
	time  int64 // of the first
	gaps  []int64
	texts []jsjson.Value
}

const maxSafe = 1<<53 - 1

// The shapes of packed rows. What their texts and times must be to each other is
// checked in readMembers.
var (
	packedTexts = packedShape("dt", anything, "texts", anything)
	packedCalls = packedShape("id", anything, "name?", anything, "dt", anything, "args", anything)
)

func packedShape(members ...any) shape {
	data := flat(append([]any{"turn", natural, "step", natural, "index", natural}, members...)...)
	return object("type", anything, "seq0", natural, "time0", integer, "data", data)
}

// read reads a packed row.
func (c *chunks) read(kind *deltaKind, v jsjson.Value, at *place) error {
	form := packedTexts
	if kind.call {
		form = packedCalls
	}
	if err := form(v, at, 0); err != nil {
		return err
	}
	c.kind, c.data = kind, ObjectOf(v.Get("data"))
	c.time, _ = safeInt(v.Get("time0"))
	if fault := c.readMembers(); fault != "" {
		return wrong(at, "%s", fault)
	}
	if seq, _ := count(v.Get("seq0")); seq+int64(len(c.texts))-1 > maxSafe {
		return wrong(at, "final seq must be a non-negative safe integer")
	}
	return nil
}

// readMembers reads the texts and the times between them.
func (c *chunks) readMembers() (fault string) {
	id, name := c.data.Get("id"), c.data.Get("name")
	if c.kind.call && (id.Kind != jsjson.String || name.Exists() && name.Kind != jsjson.String) {
		return "id and optional name must be strings"
	}
	for text := range c.data.Get(c.kind.texts).Elements() {
		if text.Kind != jsjson.String {
			return "payload must be a non-empty string array"
		}
		c.texts = append(c.texts, text)
	}
	if len(c.texts) == 0 {
		return "payload must be a non-empty string array"
	}
	gaps := c.data.Get("dt")
	if gaps.Kind != jsjson.Array || gaps.Len() != len(c.texts)-1 {
		return "dt length must match its payload"
	}
	return c.readGaps(gaps)
}

func (c *chunks) readGaps(gaps jsjson.Value) (fault string) {
	time := c.time
	for gap := range gaps.Elements() {
		d, ok := safeInt(gap)
		if !ok {
			return "dt member must be a safe integer"
		}
		if time += d; time > maxSafe || time < -maxSafe {
			return "member time must be a safe integer"
		}
		c.gaps = append(c.gaps, d)
	}
	return ""
}

// each emits the events of the row.
func (c *chunks) each(d *rowDecoder) error {
	lead, time := c.lead(), c.time
	for i, text := range c.texts {
		if i > 0 {
			time += c.gaps[i-1]
		}
		data := make([]byte, 0, len(lead)+len(text.Raw())+len("}}"))
		data = append(append(append(data, lead...), text.Raw()...), "}}"...)
		if err := d.put(chunkEvent(d.next, time, data)); err != nil {
			return err
		}
	}
	return nil
}

// lead returns the payload of the row's events up to the text, which is the same
// for all.
func (c *chunks) lead() []byte {
	chunk := Object{member("type", text(c.kind.delta)), member("index", c.data.Get("index"))}
	if c.kind.call {
		chunk = append(chunk, member("id", c.data.Get("id")))
		if name := c.data.Get("name"); name.Exists() {
			chunk = append(chunk, member("name", name))
		}
	}
	chunk = append(chunk, member(c.kind.text, jsjson.Value{}))
	data := Object{
		member("turn", c.data.Get("turn")), member("step", c.data.Get("step")), member("chunk", chunk.Value()),
	}
	return bytes.TrimSuffix(data.Value().Raw(), []byte("}}"))
}

var (
	chunkType = member("type", text("assistant/chunk"))
	seqKey    = text("seq")
	timeKey   = text("time")
	dataKey   = text("data")
)

func chunkEvent(seq, time int64, data []byte) Object {
	return Object{
		chunkType,
		{Key: seqKey, Value: number(seq)},
		{Key: timeKey, Value: number(time)},
		{Key: dataKey, Value: jsjson.NewValue(jsjson.Object, data)},
	}
}

package session

import (
	"iter"
	"strconv"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// maxSafe is Number.MAX_SAFE_INTEGER (ECMA-262).
const maxSafe = 1<<53 - 1

// ChunkKind is one of the three tags of packed chunk rows.
type ChunkKind uint8

// The tags of packed rows (docs/format.md §2.4). NoChunks marks an ordinary record.
const (
	NoChunks ChunkKind = iota
	TextChunks
	ReasoningChunks
	ToolCallChunks
)

// ChunkKindOf returns the row tag that the type of a record names. A record
// with a tag is a row or it is undecodable: it is never an event.
func ChunkKindOf(recordType jsjson.Value) ChunkKind {
	switch {
	case recordType.EqualText("text-chunks"):
		return TextChunks
	case recordType.EqualText("reasoning-chunks"):
		return ReasoningChunks
	case recordType.EqualText("tool-call-chunks"):
		return ToolCallChunks
	}
	return NoChunks
}

// Chunks is a packed row: a run of assistant/chunk events of one stream, stored
// in one record (docs/format.md §2.4).
type Chunks struct {
	Kind  ChunkKind
	Seq0  int64 // seq of the first member
	Time0 int64 // epoch ms of the first member
	Count int   // members, at least 1

	Turn, Step, Index jsjson.Value // numbers of any kind
	ID, Name          jsjson.Value // of a tool call; Name may be absent
	Texts             jsjson.Value // array of Count strings
	Deltas            jsjson.Value // array of Count-1 safe integers, ms

	LastTime int64 // epoch ms of the last member
}

// Read sets c to the row in a parsed record whose type carries the tag kind,
// and reports whether the row is valid. An invalid row makes its whole line
// undecodable.
func (c *Chunks) Read(kind ChunkKind, doc *jsjson.Doc) bool {
	*c = Chunks{Kind: kind}
	if !doc.Root.HasExactly("type", "seq0", "time0", "data") {
		return false
	}
	seq, seqOK := doc.Get("seq0").SafeInt()
	time, timeOK := doc.Get("time0").SafeInt()
	c.Seq0, c.Time0 = seq, time
	return seqOK && seq >= 0 && timeOK && c.readData(doc.Get("data")) && c.readTimes()
}

func (c *Chunks) readData(data jsjson.Value) bool {
	texts := "texts"
	if c.Kind == ToolCallChunks {
		texts = "args"
		c.ID, c.Name = data.Get("id"), data.Get("name")
		if c.ID.Kind != jsjson.String || c.Name.Exists() && c.Name.Kind != jsjson.String {
			return false
		}
	}
	if !c.hasDataKeys(data, texts) {
		return false
	}
	c.Turn, c.Step, c.Index = data.Get("turn"), data.Get("step"), data.Get("index")
	c.Texts, c.Deltas = data.Get(texts), data.Get("dt")
	if c.Turn.Kind != jsjson.Number || c.Step.Kind != jsjson.Number || c.Index.Kind != jsjson.Number ||
		c.Texts.Kind != jsjson.Array || c.Deltas.Kind != jsjson.Array {
		return false
	}
	for text := c.Texts.Inside(); text.More(); text.Next() {
		if text.Kind() != jsjson.String {
			return false
		}
		c.Count++
	}
	return c.Count > 0 && c.Seq0+int64(c.Count)-1 <= maxSafe
}

func (c *Chunks) hasDataKeys(data jsjson.Value, texts string) bool {
	switch {
	case c.Kind != ToolCallChunks:
		return data.HasExactly("turn", "step", "index", "dt", texts)
	case c.Name.Exists():
		return data.HasExactly("turn", "step", "index", "dt", "id", "name", texts)
	}
	return data.HasExactly("turn", "step", "index", "dt", "id", texts)
}

// readTimes adds up the deltas; every running time must be a safe integer.
func (c *Chunks) readTimes() bool {
	n := 0
	c.LastTime = c.Time0
	for delta := c.Deltas.Inside(); delta.More(); delta.Next() {
		d, ok := delta.Value().SafeInt()
		c.LastTime += d
		if n++; !ok || c.LastTime > maxSafe || c.LastTime < -maxSafe {
			return false
		}
	}
	return n == c.Count-1
}

// Events yields the member events of a valid row as the texts that
// JSON.stringify gives for them. A yielded slice is valid until the next one.
func (c *Chunks) Events() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		next, stop := iter.Pull(c.Deltas.Elements())
		defer stop()
		var buf []byte
		seq, time := c.Seq0, c.Time0
		for text := range c.Texts.Elements() {
			buf = c.appendEvent(buf[:0], seq, time, text)
			if !yield(buf) {
				return
			}
			delta, _ := next()
			d, _ := delta.SafeInt()
			seq, time = seq+1, time+d
		}
	}
}

// rowTags name the kinds in the type of a row.
var rowTags = [...]string{TextChunks: "text-chunks", ReasoningChunks: "reasoning-chunks", ToolCallChunks: "tool-call-chunks"}

// AppendPart appends the row of the members [first, first+count) of a valid row,
// count being at least 1, in the form in which dsh writes rows.
func (c *Chunks) AppendPart(dst []byte, first, count int) []byte {
	time := c.Time0
	var texts, deltas []byte
	n := 0
	for delta := range c.Deltas.Elements() {
		switch n++; {
		case n <= first:
			d, _ := delta.SafeInt()
			time += d
		case n < first+count:
			deltas = appendElement(deltas, delta)
		}
	}
	n = 0
	for text := range c.Texts.Elements() {
		if n >= first && n < first+count {
			texts = appendElement(texts, text)
		}
		n++
	}
	dst = append(append(append(dst, `{"type":"`...), rowTags[c.Kind]...), `","seq0":`...)
	dst = strconv.AppendInt(dst, c.Seq0+int64(first), 10)
	dst = strconv.AppendInt(append(dst, `,"time0":`...), time, 10)
	dst = appendRaw(dst, `,"data":{"turn":`, c.Turn)
	dst = appendRaw(dst, `,"step":`, c.Step)
	dst = appendRaw(dst, `,"index":`, c.Index)
	dst = append(append(append(dst, `,"dt":[`...), deltas...), ']')
	if c.Kind != ToolCallChunks {
		return append(append(append(dst, `,"texts":[`...), texts...), "]}}"...)
	}
	dst = appendRaw(dst, `,"id":`, c.ID)
	if c.Name.Exists() {
		dst = appendRaw(dst, `,"name":`, c.Name)
	}
	return append(append(append(dst, `,"args":[`...), texts...), "]}}"...)
}

func appendElement(dst []byte, v jsjson.Value) []byte {
	if len(dst) > 0 {
		dst = append(dst, ',')
	}
	return append(dst, v.Raw()...)
}

// appendRaw keeps the spelling of v.
func appendRaw(dst []byte, lead string, v jsjson.Value) []byte {
	return append(append(dst, lead...), v.Raw()...)
}

func (c *Chunks) appendEvent(dst []byte, seq, time int64, text jsjson.Value) []byte {
	dst = append(dst, `{"type":"assistant/chunk","seq":`...)
	dst = jsjson.AppendNumber(dst, float64(seq))
	dst = append(dst, `,"time":`...)
	dst = jsjson.AppendNumber(dst, float64(time))
	dst = appendMember(dst, `,"data":{"turn":`, c.Turn)
	dst = appendMember(dst, `,"step":`, c.Step)
	dst = append(dst, `,"chunk":{"type":"`...)
	dst = append(dst, chunkTypes[c.Kind]...)
	dst = appendMember(dst, `","index":`, c.Index)
	if c.Kind != ToolCallChunks {
		dst = appendMember(dst, `,"text":`, text)
		return append(dst, "}}}"...)
	}
	dst = appendMember(dst, `,"id":`, c.ID)
	if c.Name.Exists() {
		dst = appendMember(dst, `,"name":`, c.Name)
	}
	dst = appendMember(dst, `,"argumentsDelta":`, text)
	return append(dst, "}}}"...)
}

var chunkTypes = [...]string{
	TextChunks:      "text-delta",
	ReasoningChunks: "reasoning-delta",
	ToolCallChunks:  "tool-call-delta",
}

func appendMember(dst []byte, lead string, v jsjson.Value) []byte {
	return jsjson.AppendCanonical(append(dst, lead...), v)
}

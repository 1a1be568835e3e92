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

	LastTime int64 // epoch ms of the last member

	Turn, Step jsjson.Value // numbers of any kind
	root       jsjson.Value // the record
}

// Where the members of a row are, and what its skeleton tells: the kind of a row with
// the right members.
var (
	seq0Path  = jsjson.NewPath("seq0")
	time0Path = jsjson.NewPath("time0")
	dataPath  = jsjson.NewPath("data")
	indexPath = jsjson.NewPath("data", "index") // a number of any kind
	dtPath    = jsjson.NewPath("data", "dt")    // an array of Count-1 safe integers, ms
	textsPath = jsjson.NewPath("data", "texts") // an array of Count strings
	argsPath  = jsjson.NewPath("data", "args")  // instead of texts in a tool call
	idPath    = jsjson.NewPath("data", "id")    // of a tool call
	namePath  = jsjson.NewPath("data", "name")  // of a tool call, may be absent
	sound     = jsjson.NewNote()
)

// textsPath returns where the strings are that were streamed.
func (c *Chunks) textsPath() *jsjson.Path {
	if c.Kind == ToolCallChunks {
		return argsPath
	}
	return textsPath
}

func (c *Chunks) texts() jsjson.Value { return c.root.At(c.textsPath()) }

// deltas returns the array of times between the members.
func (c *Chunks) deltas() jsjson.Value { return c.root.At(dtPath) }

// SoundRow returns the kind of row that a record has the members of, as far as its
// skeleton tells; NoChunks where that tells nothing.
func SoundRow(root jsjson.Value) ChunkKind { return ChunkKind(sound.Of(root.Skeleton())) }

// Read sets c to the row in a parsed record whose type carries the tag kind,
// and reports whether the row is valid. An invalid row makes its whole line
// undecodable.
func (c *Chunks) Read(kind ChunkKind, doc *jsjson.Doc) bool {
	c.Kind, c.root, c.LastTime = kind, doc.Root, 0
	c.root.AtEach(placePaths[:], &c.Turn, &c.Step)
	var seqOK, timeOK bool
	c.Seq0, seqOK = c.root.IntAt(seq0Path)
	c.Time0, timeOK = c.root.IntAt(time0Path)
	if skeleton := c.root.Skeleton(); sound.Of(skeleton) != uint32(kind) {
		if !c.hasMembers(c.texts(), c.deltas()) {
			return false
		}
		sound.Set(skeleton, uint32(kind))
	}
	var known bool
	if c.Count, _, known = c.root.ListAt(c.textsPath()); !known {
		c.Count = c.texts().Len()
	}
	return seqOK && c.Seq0 >= 0 && timeOK && c.Count > 0 && c.Seq0+int64(c.Count)-1 <= maxSafe && c.readTimes()
}

// hasMembers reports whether a row has the members that it must have, each of the
// right kind.
func (c *Chunks) hasMembers(texts, deltas jsjson.Value) bool {
	name := c.root.At(namePath)
	if c.Kind == ToolCallChunks && (c.root.At(idPath).Kind != jsjson.String || name.Exists() && name.Kind != jsjson.String) {
		return false
	}
	if c.Turn.Kind != jsjson.Number || c.Step.Kind != jsjson.Number || c.root.At(indexPath).Kind != jsjson.Number ||
		texts.Kind != jsjson.Array || deltas.Kind != jsjson.Array {
		return false
	}
	for text := texts.Inside(); text.More(); text.Next() {
		if text.Kind() != jsjson.String {
			return false
		}
	}
	return c.root.HasExactly("type", "seq0", "time0", "data") && c.hasDataKeys(c.root.At(dataPath), name)
}

func (c *Chunks) hasDataKeys(data, name jsjson.Value) bool {
	switch {
	case c.Kind != ToolCallChunks:
		return data.HasExactly("turn", "step", "index", "dt", "texts")
	case name.Exists():
		return data.HasExactly("turn", "step", "index", "dt", "id", "name", "args")
	}
	return data.HasExactly("turn", "step", "index", "dt", "id", "args")
}

// readTimes adds up the deltas; every running time must be a safe integer.
func (c *Chunks) readTimes() bool {
	if n, sum, ok := c.root.ListAt(dtPath); ok && sum >= 0 { // none is negative, so that the last time is the greatest
		c.LastTime = c.Time0 + sum
		return n == c.Count-1 && c.LastTime <= maxSafe
	}
	n := 0
	c.LastTime = c.Time0
	for delta := c.deltas().Inside(); delta.More(); delta.Next() {
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
		next, stop := iter.Pull(c.deltas().Elements())
		defer stop()
		var buf []byte
		seq, time := c.Seq0, c.Time0
		for text := range c.texts().Elements() {
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
	for delta := range c.deltas().Elements() {
		switch n++; {
		case n <= first:
			d, _ := delta.SafeInt()
			time += d
		case n < first+count:
			deltas = appendElement(deltas, delta)
		}
	}
	n = 0
	for text := range c.texts().Elements() {
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
	dst = appendRaw(dst, `,"index":`, c.root.At(indexPath))
	dst = append(append(append(dst, `,"dt":[`...), deltas...), ']')
	if c.Kind != ToolCallChunks {
		return append(append(append(dst, `,"texts":[`...), texts...), "]}}"...)
	}
	dst = appendRaw(dst, `,"id":`, c.root.At(idPath))
	if name := c.root.At(namePath); name.Exists() {
		dst = appendRaw(dst, `,"name":`, name)
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
	dst = appendMember(dst, `","index":`, c.root.At(indexPath))
	if c.Kind != ToolCallChunks {
		dst = appendMember(dst, `,"text":`, text)
		return append(dst, "}}}"...)
	}
	dst = appendMember(dst, `,"id":`, c.root.At(idPath))
	if name := c.root.At(namePath); name.Exists() {
		dst = appendMember(dst, `,"name":`, name)
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

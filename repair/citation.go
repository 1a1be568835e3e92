package repair

import (
	"bytes"
	"iter"
	"strconv"
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// citation is a place in a record that names an event by its seq.
type citation struct {
	member  string       // that it stands in
	value   jsjson.Value // the seq, or an id that ends in it, or a pair
	seq     int64
	last    int64 // of a pair of a first and a last seq, else 0
	message bool  // the event has to be a message
}

// isPair reports whether the place stands for all seqs from the one to the other,
// which only logs from v2 on have (docs/generations.md §2.2).
func (c *citation) isPair() bool { return c.value.Kind == jsjson.Array }

// edit makes the edit that lets it name another seq.
func (c *citation) edit(r *scan.Record, seq int64) Edit {
	edit := setValue(r, c.member, c.value, strconv.FormatInt(seq, 10))
	if c.value.Kind == jsjson.String { // the digits before the closing quote
		n := len(strconv.FormatInt(c.seq, 10))
		edit.At += len(c.value.Raw()) - 1 - n
		edit.Len = n
	}
	return edit
}

// ownSeq is the place in a record that holds the seq of its first event. ok is false
// when it is none.
func ownSeq(r *scan.Record) (c citation, ok bool) {
	c.member, c.value = "seq", r.Event.Seq
	if session.ChunkKindOf(r.Event.Type) != session.NoChunks {
		c.member, c.value = "seq0", r.Event.Root.Get("seq0")
	}
	c.seq, ok = c.value.SafeInt()
	return c, ok
}

// logID says which log its events speak of.
type logID struct {
	session    string // id
	generation int64
}

// citations yields all places of an event of the given log that name another event,
// and those that repeat its own seq (docs/format.md §2.3, §2.5, §4.2 and §4.4, and for
// later formats docs/generations.md §9). Nothing else is a seq: agents of a workflow, positions in an inbox and
// whatever a text, an argument or a plugin's own data holds are not.
func citations(id logID, r *scan.Record) iter.Seq[citation] {
	return func(yield func(citation) bool) {
		if r.Kind != scan.Event {
			return
		}
		c := citer{logID: id, yield: yield, event: &r.Event}
		c.numbers("sourceEventSeqs", r.Event.Sources, false)
		c.surface(r.Event.Surface)
		switch r.Event.Kind {
		case session.UserMessage, session.AssistantMessage, session.ToolResult:
			c.id()
		case session.CommandDone:
			c.number("data.sourceEventSeq", r.Event.Field("sourceEventSeq"), false)
		case session.CompactionSummary, session.CompactionPrune:
			c.ends("data.shadowedRange", r.Event.Field("shadowedRange"))
			c.numbers("data.shadowedSeqs", r.Event.Field("shadowedSeqs"), true)
		case session.SessionTitle, session.SessionTitleRequest:
			c.numbers("data.messageSeqs", r.Event.Field("messageSeqs"), true)
		case session.ImageOffload:
			for target := range r.Event.Field("targets").Elements() {
				c.number("data.targets.seq", target.Get("seq"), true)
			}
		case session.DeveloperMessage:
			c.number("data.headerSeq", r.Event.Field("headerSeq"), false)
		case session.Unknown, session.DeliveryAccepted:
			if c.isDelivery() {
				c.number("data.throughSeq", r.Event.Field("throughSeq"), false)
			}
		}
	}
}

// isDelivery reports whether the event marks how far the log of this session, in
// this format, was delivered. Formats after v0 state theirs in the marker, and the
// numbers in those of another one are not those of the log.
func (c *citer) isDelivery() bool {
	e := c.event
	if !e.Type.EqualText("session-log-deepseek/delivery-accepted") || !e.Field("sessionId").EqualText(c.session) {
		return false
	}
	version := e.Field("sessionFormatVersion")
	stated, _ := version.SafeInt() // absent, it is 0
	return stated == c.generation && (c.generation > 0 || !version.Exists())
}

// citer finds the citations of an event.
type citer struct {
	logID
	yield func(citation) bool
	event *session.Event
	done  bool
}

func (c *citer) emit(found citation) {
	if !c.done {
		c.done = !c.yield(found)
	}
}

func (c *citer) number(member string, v jsjson.Value, message bool) {
	if seq, ok := v.SafeInt(); ok {
		c.emit(citation{member: member, value: v, seq: seq, message: message})
	}
}

func (c *citer) numbers(member string, list jsjson.Value, message bool) {
	for v := range list.Elements() {
		if first, last, ok := span(v); ok && v.Kind == jsjson.Array && c.generation >= firstNative {
			c.emit(citation{member: member, value: v, seq: first, last: last, message: message})
		} else {
			c.number(member, v, message)
		}
	}
}

// surface finds the ends of the range that a message replaces, which have got other
// names in v3.
func (c *citer) surface(op jsjson.Value) {
	if c.generation < 3 {
		c.ends("surfaceOp", op)
		return
	}
	c.number("surfaceOp.startSeq", op.Get("startSeq"), true)
	c.number("surfaceOp.endSeq", op.Get("endSeq"), true)
}

// ends finds the first and the last message of a range.
func (c *citer) ends(member string, r jsjson.Value) {
	c.number(member+".start", r.Get("start"), true)
	c.number(member+".end", r.Get("end"), true)
}

// id finds the seq in the id of a message, where dsh or turnfix has made the id from
// it and a reader may compare the two: for the result of an interrupted call until v2,
// of a forked one in all formats, for a message without an id before v2.
func (c *citer) id() {
	id, call := c.event.MessageField("id"), c.event.MessageField("source").Get("callId").Text()
	member := "data.message.id"
	if c.event.Kind == session.UserMessage {
		member = "data.id"
	}
	own, ok := c.event.Seq.SafeInt()
	if !ok || id.Kind != jsjson.String {
		return
	}
	leads := []string{
		"forked-tool-result-" + call + "-", session.CloserIDPrefix + call + "-",
		"legacy-message:" + c.session + ":", mintedIDPrefix + c.session + ":",
	}
	switch {
	case c.generation > 2:
		leads = leads[:1]
	case c.generation == 2:
		leads = leads[:2]
	}
	for _, lead := range leads {
		digits, ok := strings.CutPrefix(id.Text(), lead)
		seq, err := strconv.ParseInt(digits, 10, 64)
		canonical := err == nil && strconv.FormatInt(seq, 10) == digits
		if ok && canonical && 0 <= seq && seq <= own && bytes.HasSuffix(id.Raw(), []byte(digits+`"`)) {
			c.emit(citation{member: member, value: id, seq: seq})
			return
		}
	}
}

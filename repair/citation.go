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
	value   jsjson.Value // the seq, or an id that ends in it
	seq     int64
	message bool // the event has to be a message
}

// edit makes the edit that lets it name another seq.
func (c *citation) edit(r *scan.Record, seq int64) Edit {
	edit := setValue(r, c.member, c.value, strconv.FormatInt(seq, 10))
	if c.value.Kind == jsjson.String { // the digits before the closing quote
		n := len(strconv.FormatInt(c.seq, 10))
		edit.At += len(c.value.Raw) - 1 - n
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

// citations yields all places of an event of the session with the given id that name
// another event, and those that repeat its own seq (docs/format.md §2.3, §2.5, §4.2
// and §4.4). Nothing else is a seq: agents of a workflow, positions in an inbox and
// whatever a text, an argument or a plugin's own data holds are not.
func citations(id string, r *scan.Record) iter.Seq[citation] {
	return func(yield func(citation) bool) {
		if r.Kind != scan.Event {
			return
		}
		c := citer{yield: yield, event: &r.Event}
		c.numbers("sourceEventSeqs", r.Event.Sources, false)
		c.ends("surfaceOp", r.Event.Surface)
		switch r.Event.Kind {
		case session.UserMessage, session.AssistantMessage, session.ToolResult:
			c.id(id)
		case session.CommandDone:
			c.number("data.sourceEventSeq", r.Event.Field("sourceEventSeq"), false)
		case session.CompactionSummary, session.CompactionPrune:
			c.ends("data.shadowedRange", r.Event.Field("shadowedRange"))
			c.numbers("data.shadowedSeqs", r.Event.Field("shadowedSeqs"), true)
		case session.SessionTitle, session.SessionTitleRequest:
			c.numbers("data.messageSeqs", r.Event.Field("messageSeqs"), true)
		case session.Unknown:
			if isDelivery(&r.Event, id) {
				c.number("data.throughSeq", r.Event.Field("throughSeq"), false)
			}
		}
	}
}

// isDelivery reports whether an event marks how far the log of this session, in
// this format, was delivered. Later formats state theirs in the marker, and their
// numbers are not those of the log.
func isDelivery(e *session.Event, id string) bool {
	return e.Type.EqualText("session-log-deepseek/delivery-accepted") &&
		e.Field("sessionId").EqualText(id) && !e.Field("sessionFormatVersion").Exists()
}

// citer finds the citations of an event.
type citer struct {
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
		c.emit(citation{member, v, seq, message})
	}
}

func (c *citer) numbers(member string, list jsjson.Value, message bool) {
	for v := range list.Elements() {
		c.number(member, v, message)
	}
}

// ends finds the first and the last message of a range.
func (c *citer) ends(member string, r jsjson.Value) {
	c.number(member+".start", r.Get("start"), true)
	c.number(member+".end", r.Get("end"), true)
}

// id finds the seq in the id of a message, where dsh or turnfix has made the id from
// it: for the result of an interrupted or forked call, or a message without an id.
func (c *citer) id(sessionID string) {
	id, call := c.event.MessageField("id"), c.event.MessageField("source").Get("callId").Text()
	member := "data.message.id"
	if c.event.Kind == session.UserMessage {
		member = "data.id"
	}
	own, ok := c.event.Seq.SafeInt()
	if !ok || id.Kind != jsjson.String {
		return
	}
	for _, lead := range []string{
		session.CloserIDPrefix + call + "-", "forked-tool-result-" + call + "-",
		"legacy-message:" + sessionID + ":", mintedIDPrefix + sessionID + ":",
	} {
		digits, ok := strings.CutPrefix(id.Text(), lead)
		seq, err := strconv.ParseInt(digits, 10, 64)
		canonical := err == nil && strconv.FormatInt(seq, 10) == digits
		if ok && canonical && 0 <= seq && seq <= own && bytes.HasSuffix(id.Raw, []byte(digits+`"`)) {
			c.emit(citation{member, id, seq, false})
			return
		}
	}
}

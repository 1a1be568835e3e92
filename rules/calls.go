package rules

import (
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// maxCalls bounds the calls of one step that are followed.
const maxCalls = 256

// call is a tool call without result so far.
type call struct {
	id      jsjson.Value
	place   scan.Place
	seq     int64
	frame   int  // in which the record ends
	started bool // a tool/call was recorded, not only the model's request
}

// calls are the unanswered calls of the open step.
type calls struct {
	pending []call
	owned   []byte // the texts of their ids
}

// event takes an event of an open turn.
func (c *calls) event(r *scan.Record, e *session.Event) {
	switch e.Kind {
	case session.AssistantMessage:
		for block := range content(e).Elements() {
			if block.Get("type").EqualText("tool-call") {
				c.add(block.Get("id"), r, false)
			}
		}
	case session.ToolCall:
		c.add(e.Field("callId"), r, true)
	case session.ToolResult:
		c.remove(answered(e))
	}
}

// content returns the blocks of an assistant message, also of one of before
// 2026-07-28 that was not brought into today's shape, as behind a header that
// dsh refuses (docs/format.md §4.2).
func content(e *session.Event) jsjson.Value {
	if !e.Message().Exists() {
		return e.Field("content")
	}
	return e.Message().Content
}

// answered returns the id of the call that a tool result answers.
func answered(e *session.Event) jsjson.Value {
	if !e.Message().Exists() {
		return e.Field("callId")
	}
	return e.Message().CallID
}

func (c *calls) add(id jsjson.Value, r *scan.Record, started bool) {
	i := c.find(id)
	if i < 0 {
		if len(c.pending) == maxCalls || !id.Exists() {
			return
		}
		i = len(c.pending)
		c.pending = append(c.pending, call{id: c.own(id)})
	} else if !started {
		return
	}
	seq, _ := r.Seq()
	now := &c.pending[i]
	now.place, now.seq, now.frame, now.started = r.Place, seq, r.LastFrame, started
}

// own returns v over memory of c. When that grows, the values made before stay
// where they are.
func (c *calls) own(v jsjson.Value) jsjson.Value {
	at := len(c.owned)
	c.owned = append(c.owned, v.Raw()...)
	return jsjson.NewValue(v.Kind, c.owned[at:])
}

func (c *calls) remove(id jsjson.Value) {
	if i := c.find(id); i >= 0 {
		c.pending = append(c.pending[:i], c.pending[i+1:]...)
	}
	if len(c.pending) == 0 {
		c.owned = c.owned[:0]
	}
}

func (c *calls) find(id jsjson.Value) int {
	for i := range c.pending {
		if jsjson.StrictEqual(c.pending[i].id, id) {
			return i
		}
	}
	return -1
}

// forget drops all calls, as the end of a step does.
func (c *calls) forget() {
	c.pending, c.owned = c.pending[:0], c.owned[:0]
}

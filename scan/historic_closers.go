package scan

import (
	"bytes"
	"strconv"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// earlyClosers finds the events with which the scanner of 2026-06-16 closed an
// interrupted turn: the end of the open step and the end of the turn. They are
// older than those of docs/format.md §4.4: calls stay unanswered, and turn/start
// leaves an open step open.
type earlyClosers struct {
	turnOpen, stepOpen bool
	turn, step, time   jsjson.Value
	count              int64
	crash              *session.Refusal // where the pass itself failed
}

// event takes the next accepted event.
func (c *earlyClosers) event(e *session.Event) {
	c.count++
	c.time = e.Time.Clone()
	switch e.Kind {
	case session.TurnStart:
		c.turnOpen, c.turn = c.read(e, "turn")
	case session.TurnEnd:
		c.turnOpen, c.stepOpen = false, false
	case session.StepStart:
		c.stepOpen, c.step = c.read(e, "step")
	case session.StepEnd:
		c.stepOpen = false
	}
}

// read returns a member of data; null means that nothing is open, while an
// absent member counts as open.
func (c *earlyClosers) read(e *session.Event, key string) (open bool, v jsjson.Value) {
	if c.crash == nil && (e.Data.Kind == jsjson.Null || !e.Data.Exists()) {
		c.crash = cannotRead(e.Data.JSString(), key)
	}
	v = e.Data.Get(key).Clone()
	return v.Kind != jsjson.Null, v
}

// texts returns the closers as JSON texts for a log that ends here.
func (c *earlyClosers) texts() [][]byte {
	if !c.turnOpen {
		return nil
	}
	var all [][]byte
	if c.stepOpen {
		step := appendMember(c.head(session.StepEnd, c.count), `"step":`, c.step)
		all = append(all, append(bytes.TrimSuffix(step, []byte(",")), "}}"...))
	}
	end := c.head(session.TurnEnd, c.count+int64(len(all)))
	return append(all, append(end, `"reason":{"kind":"interrupted"}}}`...))
}

// head writes an event up to and including data.turn.
func (c *earlyClosers) head(t session.Type, seq int64) []byte {
	text := []byte(`{"type":"` + t.String() + `","seq":` + strconv.FormatInt(seq, 10) + ",")
	text = appendMember(text, `"time":`, c.time)
	return appendMember(append(text, `"data":{`...), `"turn":`, c.turn)
}

// appendMember writes a member with a trailing comma, and nothing for an absent
// value, as JSON.stringify does.
func appendMember(dst []byte, lead string, v jsjson.Value) []byte {
	if !v.Exists() {
		return dst
	}
	return append(jsjson.AppendCanonical(append(dst, lead...), v), ',')
}

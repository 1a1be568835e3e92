package lifecycle

import (
	"strconv"
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// calls is the state of the tool calls of the open step.
type calls struct {
	open  map[string]*call // by id, WTF-8
	order []string         // of open, as the messages advertise them
}

// call is a tool call that an assistant message advertises and that has no
// result yet.
type call struct {
	name, arguments jsjson.Digest
	started         bool // by a tool/call
}

func (c *Checker) forgetCalls() {
	clear(c.open)
	c.order = c.order[:0]
}

// unresolved refuses the end of a step or turn that leaves a call without result.
func (c *Checker) unresolved(what string) *Violation {
	for _, id := range c.order {
		if c.open[id] != nil {
			return c.fail("%s leaves unresolved tool call %s", what, id)
		}
	}
	return nil
}

func (c *Checker) assistantMessage() *Violation {
	bad := c.inStep()
	content := c.e.Message().Content
	if bad == nil && c.target == 4 && content.Kind != jsjson.Array {
		return c.fail("assistant content requires an array")
	}
	for block := range content.Elements() {
		if !block.Get("type").EqualText("tool-call") {
			continue
		}
		id := block.Get("id").JSString()
		if c.open[id] != nil {
			if bad == nil {
				bad = c.fail("assistant/message repeats advertised tool call %s", id)
			}
			continue
		}
		c.open[id] = &call{name: digest(block.Get("name")), arguments: digest(block.Get("arguments"))}
		c.order = append(c.order, id)
	}
	return bad
}

func (c *Checker) toolCall() *Violation {
	bad := c.inStep()
	id := c.e.Field("callId").JSString()
	call := c.open[id]
	if bad != nil {
		// Where the call stands is wrong; whether it fits is another question.
	} else if call == nil && c.target == 4 {
		bad = c.fail("tool/call %s has no advertised tool lifecycle", id)
	} else if call == nil || call.started ||
		call.name != digest(c.e.Field("name")) || call.arguments != digest(c.e.Field("arguments")) {
		bad = c.fail("tool/call %s does not match one advertised tool call", id)
	}
	if call != nil {
		call.started = true
	}
	return bad
}

func (c *Checker) toolResult() *Violation {
	if c.target < 4 && c.e.Message().Kind != jsjson.Object {
		return c.fail("tool/result %d message must be a JSON object", c.seq)
	}
	if !c.e.Surface.EqualText("append") {
		switch {
		case c.turn != 0:
			return nil
		case c.target == 4:
			return c.fail("tool/result is outside an open turn")
		}
		return c.fail("tool/result replacement is outside an open turn")
	}
	bad := c.inStep()
	id := c.e.Message().CallID.JSString()
	call := c.open[id]
	delete(c.open, id)
	switch {
	case bad != nil:
		return bad
	case call == nil:
		return c.fail("tool/result %s has no advertised tool lifecycle", id)
	case call.started:
		return nil
	case c.target == 4 && c.e.Field("error").Kind != jsjson.Object:
		return c.fail("not-started error requires an object")
	case !c.notStarted(id):
		return c.fail("tool/result %s is not the exact TOOL_NOT_STARTED repair", id)
	}
	return nil
}

// notStarted tells whether a result without a tool/call is what dsh writes for a
// call that it had not started when a turn was cut short (docs/generations.md §3).
func (c *Checker) notStarted(callID string) bool {
	failure := c.e.Field("error")
	if c.e.Sources.Exists() || !failure.Get("name").EqualText("ToolNotStartedError") ||
		!failure.Get("code").EqualText(session.CodeNotStarted) {
		return false
	}
	if c.target == 4 && c.closerID(forkedPrefix, callID) {
		return true // its text and number are those of the admission of rows
	}
	if !c.closerID(session.CloserIDPrefix, callID) {
		return false
	}
	result := c.e.Message().Value
	if c.target < 4 {
		if result = c.e.Message().Content.Only(); !result.Get("type").EqualText("tool-result") {
			return false
		}
	} else if !c.e.Message().Role.EqualText("tool") {
		return false
	}
	block := result.Get("content").Only()
	return result.Get("toolCallId").EqualText(callID) &&
		result.Get("isError").Kind == jsjson.True &&
		block.Get("type").EqualText("text") && block.Get("text").EqualText(session.NotStartedText)
}

// forkedPrefix begins the message ids of results that a fork makes up.
const forkedPrefix = "forked-tool-result-"

// closerID tells whether the message id is prefix, the call and a number. In v2
// that number is the seq of the event; later migrations move the event and keep
// the id.
func (c *Checker) closerID(prefix, callID string) bool {
	suffix, found := strings.CutPrefix(c.e.Message().ID.Text(), prefix+callID+"-")
	if !found {
		return false
	}
	n, err := strconv.ParseInt(suffix, 10, 64)
	return err == nil && n >= 0 && strconv.FormatInt(n, 10) == suffix && (c.target > 2 || n == c.seq)
}

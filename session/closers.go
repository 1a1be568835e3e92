package session

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// The texts that a synthetic tool/result shows to the model, word for word as
// dsh writes them (docs/format.md §4.4).
const (
	notStartedText = "The tool call was interrupted before the Harness recorded it as started. " +
		"Retry it if it is still needed."
	outcomeUnknownText = "The tool call was interrupted after it was recorded, but no result was durably recorded. " +
		"Its outcome is unknown. Decide whether to retry from the tool semantics: retry only if the operation is " +
		"read-only or idempotent; if it may have side effects, first verify external state or ask the user. " +
		"Do not retry blindly."
)

// CodeNotStarted is the error code of the synthetic result of a call that was
// never recorded as started; such a result needs no pending call
// (docs/format.md §6.3).
const CodeNotStarted = "TOOL_NOT_STARTED"

// CloserIDPrefix starts the ids of the messages of synthetic results.
const CloserIDPrefix = "interrupted-tool-result-"

// Closers follows a log and knows the events with which dsh closes its last
// turn when the log ends there: results of the unanswered calls, the end of the
// open step and the end of the turn (docs/format.md §4.4). The zero Closers is
// ready for the first event.
//
// Values are JavaScript's: an absent turn or step counts as open, a null one as
// none.
type Closers struct {
	// Generation is the format version of the log. From v4 on results have a
	// message of another shape, and only one that is appended in the step of its
	// call answers it (docs/generations.md §3).
	Generation int64

	turnOpen, stepOpen bool
	turn, step         jsjson.Value
	turnText, stepText []byte // the bytes of those
	pending            pendingCalls

	count    int64 // events seen, which is the seq of the next one
	time     jsjson.Value
	timeText []byte // the bytes of time
	// rowTime is the time of the last event, in ms since 1970, where that is in a row.
	rowTime int64
	inRow   bool
}

// Event takes the next event, in its normalised form. Where dsh's own pass
// crashes on the event, Event returns the text of the TypeError; the log is
// refused and c is of no further use.
func (c *Closers) Event(e *Event) (crash string) {
	seq := c.count
	c.count++
	c.time, c.inRow = keep(&c.timeText, e.Time), false

	switch e.Kind {
	case TurnStart:
		if crash = cannotRead(e.Data, "turn"); crash == "" {
			c.openTurn(e.Turn())
		}
	case StepStart:
		if crash = cannotRead(e.Data, "step"); crash == "" {
			step := e.Step()
			c.stepOpen, c.step = step.Kind != jsjson.Null, keep(&c.stepText, step)
		}
	case TurnEnd:
		c.reset()
	case StepEnd:
		c.stepOpen = false
		c.pending.forget()
	case AssistantMessage:
		crash = c.announce(e)
	case ToolCall:
		if crash = cannotRead(e.Data, "callId"); crash == "" {
			if call := c.pending.find(e.Field("callId")); call != nil {
				call.callSeq = seq
			}
		}
	case ToolResult:
		crash = c.settle(e)
	}
	return crash
}

// settle takes a result of the call that it answers.
func (c *Closers) settle(e *Event) (crash string) {
	if crash := cannotRead(e.Message().Value, "source"); crash != "" {
		return crash
	}
	source := e.Message().Source
	if call := c.pending.find(source.Get("callId")); call != nil && c.answers(e, call) {
		c.pending.settle(call)
	}
	return cannotRead(source, "callId")
}

// answers reports whether a result with the id of a pending call settles it.
func (c *Closers) answers(e *Event, call *pendingCall) bool {
	return c.Generation < toolRoleGeneration ||
		e.Surface.EqualText("append") && jsjson.StrictEqual(e.Turn(), c.turn) && jsjson.StrictEqual(e.Step(), call.step)
}

// toolRoleGeneration is the first format in which results have a role of their own.
const toolRoleGeneration = 4

// Chunks takes a packed row: its members change nothing but the last seq and time.
func (c *Closers) Chunks(row *Chunks) {
	c.count += int64(row.Count)
	c.rowTime, c.inRow = row.LastTime, true
}

func (c *Closers) openTurn(turn jsjson.Value) {
	c.reset()
	c.turnOpen, c.turn = turn.Kind != jsjson.Null, keep(&c.turnText, turn)
}

func (c *Closers) reset() {
	c.turnOpen, c.stepOpen = false, false
	c.pending.forget()
}

// announce adds the calls of an assistant message.
func (c *Closers) announce(e *Event) (crash string) {
	content := e.Message().Content
	if content.Kind != jsjson.Array {
		return ""
	}
	for blocks := content.Inside(); blocks.More(); blocks.Next() {
		block := blocks.Value()
		if block.Kind == jsjson.Null {
			return cannotRead(block, "type")
		}
		if block.Get("type").EqualText("tool-call") {
			c.pending.add(block.Get("id"), e.Step())
		}
	}
	return ""
}

// own returns v over bytes of buf, which outlive the line. A buffer that grows
// leaves the values made before it on the old bytes, which stay as they are.
func own(buf *[]byte, v jsjson.Value) jsjson.Value {
	at := len(*buf)
	*buf = append(*buf, v.Raw()...)
	return jsjson.NewValue(v.Kind, (*buf)[at:])
}

// keep returns v over the memory of buf, in place of what was there.
func keep(buf *[]byte, v jsjson.Value) jsjson.Value {
	*buf = append((*buf)[:0], v.Raw()...)
	return jsjson.NewValue(v.Kind, *buf)
}

// cannotRead returns V8's text for reading a property of null or undefined.
func cannotRead(v jsjson.Value, property string) string {
	if v.Kind != jsjson.Null && v.Exists() {
		return ""
	}
	return fmt.Sprintf("Cannot read properties of %s (reading '%s')", v.JSString(), property)
}

// Open reports whether the log, ending here, has a turn to close.
func (c *Closers) Open() bool { return c.turnOpen }

// Turn returns the number of the open turn and of its open step; both are absent
// when no turn is open, and the step is null when none is. They are valid until
// the next event.
func (c *Closers) Turn() (turn, step jsjson.Value) {
	switch {
	case !c.turnOpen:
		return jsjson.Value{}, jsjson.Value{}
	case !c.stepOpen:
		return c.turn, none
	}
	return c.turn, c.step
}

// Refused returns dsh's message when its message check refuses one of the
// closers, which happens for a call whose id is not a non-empty string, or "".
func (c *Closers) Refused() string {
	if c.turnOpen {
		seq := c.count
		for call := range c.pending.all() {
			if !call.id.NonEmptyString() {
				return fmt.Sprintf("session event at seq %d message must have tool source", seq)
			}
			seq++
		}
	}
	return ""
}

// Bricks reports whether dsh would write a turn/end that it refuses to read
// again: the open turn is not a safe integer from 1 (docs/format.md §5.2).
func (c *Closers) Bricks() bool {
	n, ok := c.turn.SafeInt()
	return c.turnOpen && (!ok || n < 1)
}

// Append returns the closers as dsh serialises them, one JSON text each, for a
// log that ends here. They are none when no turn is open.
func (c *Closers) Append(dst [][]byte) [][]byte {
	if !c.turnOpen {
		return dst
	}
	seq := c.count
	for call := range c.pending.all() {
		dst = append(dst, c.appendResult(nil, call, seq))
		seq++
	}
	if c.stepOpen {
		text := c.appendHead(nil, StepEnd, seq)
		text = bytes.TrimSuffix(appendOptional(text, `"step":`, c.step), []byte(","))
		dst = append(dst, append(text, "}}"...))
		seq++
	}
	text := c.appendHead(nil, TurnEnd, seq)
	return append(dst, append(text, `"reason":{"kind":"interrupted"}}}`...))
}

// appendHead writes the envelope up to and including data.turn.
func (c *Closers) appendHead(dst []byte, t Type, seq int64) []byte {
	dst = append(append(dst, `{"type":"`...), t.String()...)
	dst = strconv.AppendInt(append(dst, `","seq":`...), seq, 10)
	switch {
	case c.inRow:
		dst = strconv.AppendInt(append(dst, `,"time":`...), c.rowTime, 10)
	case c.time.Exists():
		dst = appendMember(dst, `,"time":`, c.time)
	}
	return appendOptional(append(dst, `,"data":{`...), `"turn":`, c.turn)
}

func (c *Closers) appendResult(dst []byte, call *pendingCall, seq int64) []byte {
	text, failure := notStartedText, `"ToolNotStartedError","code":"`+CodeNotStarted
	if call.callSeq >= 0 {
		text, failure = outcomeUnknownText, `"ToolOutcomeUnknownError","code":"TOOL_OUTCOME_UNKNOWN`
	}
	dst = appendOptional(c.appendHead(dst, ToolResult, seq), `"step":`, call.step)
	dst = append(dst, `"message":{"id":`...)
	dst = jsjson.AppendQuoted(dst, fmt.Sprintf(CloserIDPrefix+"%s-%d", call.id.JSString(), seq))
	dst = c.appendContent(dst, jsjson.AppendCanonical(nil, call.id), text)
	dst = append(append(dst, `},"error":{"name":`...), failure...)
	dst = append(dst, `"}},"surfaceOp":"append"`...)
	if call.callSeq >= 0 {
		dst = append(strconv.AppendInt(append(dst, `,"sourceEventSeqs":[`...), call.callSeq, 10), ']')
	}
	return append(dst, '}')
}

// appendContent writes the members of the message behind its id.
func (c *Closers) appendContent(dst, callID []byte, text string) []byte {
	source := `"source":{"kind":"tool","callId":` + string(callID) + `},"content":[`
	block := `{"type":"text","text":"` + text + `"}]`
	if c.Generation >= toolRoleGeneration {
		return append(dst, `,"role":"tool","toolCallId":`+string(callID)+`,"isError":true,`+source+block...)
	}
	return append(dst, `,"role":"user",`+source+
		`{"type":"tool-result","toolCallId":`+string(callID)+`,"isError":true,"content":[`+block+`}]`...)
}

// appendOptional writes a member with its trailing comma; an absent value
// writes nothing, as JSON.stringify does for undefined.
func appendOptional(dst []byte, lead string, v jsjson.Value) []byte {
	if !v.Exists() {
		return dst
	}
	return append(appendMember(dst, lead, v), ',')
}

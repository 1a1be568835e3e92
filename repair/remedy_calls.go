package repair

import (
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// mintCallIDs gives a tool call with an empty id one that follows from the session
// and the seq of the call: in the block of the assistant's message, the call, its
// result and the chunks that they were streamed in. It does so only where a step has
// one such call, because otherwise nothing says which result is whose.
var mintCallIDs = &remedy{
	name: "mint-call-id", does: "gives a tool call id to",
	find: func(ed *editor, r *scan.Record, propose func(string, Edit)) {
		// A log that is written to meanwhile may have more steps than a moment ago.
		if ed.step >= len(ed.steps) || !ed.steps[ed.step].unique() {
			return
		}
		id := quoted("repaired-call:%s:%d", ed.session, ed.steps[ed.step].seq)
		for member, v := range emptyCallIDs(r) {
			propose("", setValue(r, member, v, id))
		}
	},
}

// stepCalls counts the empty call ids of a step.
type stepCalls struct {
	seq                    int64 // of the tool/call
	blocks, calls, results int
}

func (s *stepCalls) unique() bool { return s.blocks == 1 && s.calls == 1 && s.results <= 1 }

// noteCalls takes the next record before any is edited.
func (e *editor) noteCalls(r *scan.Record) {
	if r.Event.Kind == session.StepStart {
		e.steps = append(e.steps, stepCalls{})
	}
	step := &e.steps[len(e.steps)-1]
	for range emptyCallIDs(r) {
		switch r.Event.Kind {
		case session.AssistantMessage:
			step.blocks++
		case session.ToolCall:
			step.calls++
			step.seq, _ = r.Seq()
		case session.ToolResult:
			step.results++
			return // its second id is the same one
		}
	}
}

// emptyCallIDs yields the empty call ids in a record, with the names of their
// members.
func emptyCallIDs(r *scan.Record) func(yield func(string, jsjson.Value) bool) {
	return func(yield func(string, jsjson.Value) bool) {
		more := true
		look := func(member string, v jsjson.Value) {
			if more && v.Kind == jsjson.String && len(v.Text()) == 0 {
				more = yield(member, v)
			}
		}
		e := &r.Event
		switch {
		case session.ChunkKindOf(e.Type) == session.ToolCallChunks: // also a malformed row
			look("data.id", e.Data.Get("id"))
		case r.Kind != scan.Event:
		case e.Kind == session.AssistantChunk:
			chunk := e.Field("chunk")
			if chunk.Get("type").EqualText("tool-call-delta") {
				look("data.chunk.id", chunk.Get("id"))
			}
			look("data.chunk.block.id", callID(chunk.Get("block")))
		case e.Kind == session.AssistantMessage:
			for block := range e.MessageField("content").Elements() {
				look("data.message.content.id", callID(block))
			}
		case e.Kind == session.ToolCall:
			look("data.callId", e.Field("callId"))
		case e.Kind == session.ToolResult:
			look("data.message.source.callId", e.MessageField("source").Get("callId"))
			for block := range e.MessageField("content").Elements() {
				look("data.message.content.toolCallId", block.Get("toolCallId"))
			}
		}
	}
}

// callID returns the id of a tool-call block.
func callID(block jsjson.Value) jsjson.Value {
	if !block.Get("type").EqualText("tool-call") {
		return jsjson.Value{}
	}
	return block.Get("id")
}

package scan

import (
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// messageShape checks the message of a surface event (docs/format.md §2.6) and
// returns the rest of dsh's sentence "session event at seq N …", or "" when the
// message is well formed or the event has none to check.
func messageShape(e *session.Event) string {
	role := "user"
	switch e.Kind {
	case session.AssistantMessage:
		role = "assistant"
	case session.UserMessage, session.ToolResult:
	default:
		return ""
	}
	source, content := e.MessageField("source"), e.MessageField("content")
	switch {
	case !e.MessageField("id").NonEmptyString():
		return "lacks an identified message"
	case !e.MessageField("role").EqualText(role):
		return `message must have role "` + role + `"`
	case !source.Get("kind").NonEmptyString():
		return "message has invalid source"
	case content.Kind != jsjson.Array:
		return "message has invalid content"
	case e.Kind == session.AssistantMessage:
		return modelShape(source)
	case e.Kind == session.ToolResult:
		return resultShape(source, content)
	}
	return ""
}

func modelShape(source jsjson.Value) string {
	if source.Get("kind").EqualText("model") &&
		source.Get("provider").NonEmptyString() && source.Get("model").NonEmptyString() {
		return ""
	}
	return "message must have model source"
}

func resultShape(source, content jsjson.Value) string {
	call := source.Get("callId")
	if !source.Get("kind").EqualText("tool") || !call.NonEmptyString() {
		return "message must have tool source"
	}
	block := firstElement(content)
	if content.Len() != 1 || !block.Get("type").EqualText("tool-result") || block.Get("content").Kind != jsjson.Array {
		return "message must contain one tool-result block"
	}
	if !jsjson.StrictEqual(block.Get("toolCallId"), call) {
		return "message has mismatched tool call ids"
	}
	return ""
}

func firstElement(array jsjson.Value) jsjson.Value {
	for v := range array.Elements() {
		return v
	}
	return jsjson.Value{}
}

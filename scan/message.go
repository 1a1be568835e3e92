package scan

import (
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// messageShape checks the message of a surface event (docs/format.md §2.6,
// docs/generations.md §2.5) and returns the rest of dsh's sentence "session event
// at seq N …", or "" when the message is well formed or the event has none to
// check.
func messageShape(e *session.Event, generation int64) string {
	if !e.Kind.Surface() {
		return ""
	}
	role := roleOf(e.Kind, generation)
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
	}
	switch role {
	case "assistant":
		return modelShape(source)
	case "system":
		return promptShape(source, generation)
	}
	if e.Kind == session.ToolResult && role == "user" {
		return resultShape(source, content)
	}
	return ""
}

// roleOf returns the role that the message of a surface event has.
func roleOf(kind session.Type, generation int64) string {
	switch {
	case kind == session.AssistantMessage:
		return "assistant"
	case kind == session.SystemMessage:
		return "system"
	case kind == session.DeveloperMessage:
		return "developer"
	case kind == session.ToolResult && generation >= 4:
		return "tool"
	}
	return "user"
}

// promptShape checks the source of a system message, which v3 gave to a plugin.
func promptShape(source jsjson.Value, generation int64) string {
	if generation >= 4 && !source.Get("kind").EqualText("system-prompt") {
		return "message must have system-prompt source"
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

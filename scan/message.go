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
	m := e.Message()
	switch {
	case !m.ID.NonEmptyString():
		return "lacks an identified message"
	case !m.Role.EqualText(role):
		return `message must have role "` + role + `"`
	case !m.SourceKind.NonEmptyString():
		return "message has invalid source"
	case m.Content.Kind != jsjson.Array:
		return "message has invalid content"
	}
	switch {
	case role == "assistant":
		return modelShape(m)
	case role == "system":
		return promptShape(m, generation)
	case e.Kind == session.ToolResult && role == "user":
		return resultShape(m)
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
func promptShape(m *session.Message, generation int64) string {
	if generation >= 4 && !m.SourceKind.EqualText("system-prompt") {
		return "message must have system-prompt source"
	}
	return ""
}

func modelShape(m *session.Message) string {
	if m.SourceKind.EqualText("model") &&
		m.Source.Get("provider").NonEmptyString() && m.Source.Get("model").NonEmptyString() {
		return ""
	}
	return "message must have model source"
}

func resultShape(m *session.Message) string {
	block := m.Content.Only()
	switch {
	case !m.SourceKind.EqualText("tool") || !m.CallID.NonEmptyString():
		return "message must have tool source"
	case !block.Get("type").EqualText("tool-result") || block.Get("content").Kind != jsjson.Array:
		return "message must contain one tool-result block"
	case !jsjson.StrictEqual(block.Get("toolCallId"), m.CallID):
		return "message has mismatched tool call ids"
	}
	return ""
}

package upgrade

import "github.com/turnlint/turnlint/internal/jsjson"

// steering turns a steering message into the user message that it was.
func (s *v0ToV1) steering(e Event) Event {
	data := ObjectOf(e.Data())
	if data.Has("message") {
		return e.With("type", text("user/message")).With("data", data.Get("message"))
	}
	e = e.With("type", text("user/message")).WithData(data.Without("turn"))
	return s.message(e)
}

// message gives the messages from before 2026-07-28 an identity and a wrapper.
func (s *v0ToV1) message(e Event) Event {
	data := ObjectOf(e.Data())
	switch {
	case e.Type == "user/message" && isEarlyMessage(e.Data()):
		return e.WithData(data.With("id", s.messageID(e.Seq)).With("role", text("user")))
	case e.Type == "assistant/message" && data.Has("provenance"):
		return e.WithData(data.Without("content", "provenance").With("message", s.assistantMessage(e)))
	case e.Type == "tool/result" && data.Has("callId"):
		return e.WithData(data.Without("callId", "content", "isError").With("message", s.resultMessage(e)))
	}
	return e
}

func (s *v0ToV1) messageID(seq int64) jsjson.Value { return s.legacyID("legacy-message:", seq) }

func (s *v0ToV1) assistantMessage(e Event) jsjson.Value {
	origin := ObjectOf(e.Data().Get("provenance")).With("kind", text("model"))
	return Object{
		member("id", s.messageID(e.Seq)), member("role", text("assistant")),
		member("content", e.Data().Get("content")), member("source", origin.Value()),
	}.Value()
}

func (s *v0ToV1) resultMessage(e Event) jsjson.Value {
	data := e.Data()
	call := data.Get("callId")
	block := Object{
		member("type", text("tool-result")), member("toolCallId", call),
		member("content", data.Get("content")), member("isError", data.Get("isError")),
	}
	return Object{
		member("id", s.resultID(e)), member("role", text("user")), member("content", array(block.Value())),
		member("source", Object{member("kind", text("tool")), member("callId", call)}.Value()),
	}.Value()
}

// resultID returns the id of an early result: a replacement keeps the id of the
// message that it replaces.
func (s *v0ToV1) resultID(e Event) jsjson.Value {
	op := e.Get("surfaceOp")
	if replaced, ok := count(op.Get("start")); ok && op.Get("op").EqualText("replace") && s.ids[replaced].Exists() {
		return s.ids[replaced]
	}
	return s.messageID(e.Seq)
}

package upgrade

import (
	"github.com/turnlint/turnlint/internal/jsjson"
)

// convert gives the messages in the payload of an event the shapes of v4.
func (s *v3ToV4) convert(e Event) (Event, error) {
	data := ObjectOf(e.Data())
	switch e.Type {
	case "user/message":
		message, err := s.message(e, data)
		return e.WithData(message), err
	case "assistant/message", "system/message":
		if message := data.Get("message"); message.Kind == jsjson.Object {
			converted, err := s.message(e, ObjectOf(message))
			if err != nil {
				return e, err
			}
			data = data.With("message", converted.Value())
			e = e.WithData(data)
		}
		return s.stream(e, data), nil
	case "assistant/attempt":
		return s.stream(e, data), nil
	case "tool/result":
		return s.result(e, data)
	case "tool/ptc-dispatch":
		content, err := s.content(s.at(e)+".content", data.Get("content"))
		return e.WithData(data.With("content", content)), err
	case "agent/inbox/spliced":
		return s.messages(e, data, "inserted")
	case "session/title-llm-request":
		return s.messages(e, data, "messages")
	}
	return e, nil
}

// messages converts the user messages in an array of the payload.
func (s *v3ToV4) messages(e Event, data Object, key string) (Event, error) {
	var err error
	converted := convertElements(data.Get(key), func(message jsjson.Value) jsjson.Value {
		if message.Kind != jsjson.Object || err != nil {
			return message
		}
		var m Object
		m, err = s.message(e, ObjectOf(message))
		return m.Value()
	})
	if data.Get(key).Kind != jsjson.Array || err != nil {
		return e, err
	}
	return e.WithData(data.With(key, converted)), nil
}

// message converts the source and the content of a message.
func (s *v3ToV4) message(e Event, message Object) (Object, error) {
	content, err := s.content(s.at(e), message.Get("content"))
	if err != nil {
		return message, err
	}
	source, err := s.source(e, message)
	if err != nil {
		return message, err
	}
	if source.Exists() {
		message = message.With("source", source)
	}
	return message.With("content", content), nil
}

// contentKinds are the blocks that keep their type. Others get one that no reader
// will ever know.
var contentKinds = map[string]bool{
	"text": true, "reasoning": true, "image": true, "file": true, "tool-call": true, "tool-result": true,
}

func (s *v3ToV4) content(at string, content jsjson.Value) (jsjson.Value, error) {
	if content.Kind != jsjson.Array {
		return content, refuse("%s content must be an array", at)
	}
	return convertElements(content, plugBlock), nil
}

// convertElements returns an array with its elements converted. An element that
// stays must come back as it is; when all do, so does the array.
func convertElements(list jsjson.Value, convert func(jsjson.Value) jsjson.Value) jsjson.Value {
	var elements []jsjson.Value
	changed := false
	for element := range list.Elements() {
		converted := convert(element)
		changed = changed || &converted.Raw()[0] != &element.Raw()[0]
		elements = append(elements, converted)
	}
	if !changed {
		return list
	}
	return array(elements...)
}

// plugBlock returns a content block with the type that it has in v4.
func plugBlock(block jsjson.Value) jsjson.Value {
	kind := block.Get("type")
	if kind.Kind != jsjson.String || contentKinds[kind.Text()] {
		return block
	}
	return ObjectOf(block).With("type", text("plugin:"+kind.Text())).Value()
}

// stream converts the blocks in the stream of an attempt.
func (s *v3ToV4) stream(e Event, data Object) Event {
	stream := data.Get("stream")
	if stream.Kind != jsjson.Array {
		return e
	}
	return e.WithData(data.With("stream", convertElements(stream, plugChunk)))
}

func plugChunk(record jsjson.Value) jsjson.Value {
	chunk := record.Get("chunk")
	kind, block := blocksIn(chunk)
	ends := block.Kind == jsjson.Object
	if kind.Kind != jsjson.String && !ends {
		return record // most chunks are pieces of text
	}
	converted := ObjectOf(chunk)
	if kind.Kind == jsjson.String && !contentKinds[kind.Text()] {
		converted = converted.With("blockType", text("plugin:"+kind.Text()))
	}
	if ends {
		converted = converted.With("block", plugBlock(block))
	}
	return ObjectOf(record).With("chunk", converted.Value()).Value()
}

// result turns a user message around a tool-result block into a message of the
// tool itself. A message with another role is none that this edge knows.
func (s *v3ToV4) result(e Event, data Object) (Event, error) {
	message := data.Get("message")
	if message.Kind != jsjson.Object {
		return e, refuse("tool/result requires a message")
	}
	if !message.Get("role").EqualText("user") {
		return e, nil
	}
	block := message.Get("content").Only()
	callID := message.Get("source").Get("callId")
	if !message.Get("id").NonEmptyString() || !message.Get("source").Get("kind").EqualText("tool") ||
		!callID.NonEmptyString() || !block.Get("type").EqualText("tool-result") ||
		!jsjson.StrictEqual(block.Get("toolCallId"), callID) || block.Get("content").Kind != jsjson.Array {
		return e, refuse("%s requires exactly one tool-result wrapper matching its tool source", s.at(e))
	}
	failed := block.Get("isError")
	if failed.Exists() && failed.Kind != jsjson.True && failed.Kind != jsjson.False {
		return e, refuse("%s tool-result isError must be boolean", s.at(e))
	}
	for inner := range block.Get("content").Elements() {
		if inner.Get("type").EqualText("tool-result") {
			return e, unsupported("%s contains a nested tool-result unsupported by this converter", s.at(e))
		}
	}
	content, err := s.content(s.at(e), block.Get("content"))
	if err != nil {
		return e, err
	}
	return e.WithData(data.With("message", toolMessage(ObjectOf(message), ObjectOf(block), content).Value())), nil
}

// toolMessage builds the message of a tool. What the wrapper and the message had
// beyond their own members is kept under names of its own.
func toolMessage(message, block Object, content jsjson.Value) Object {
	m := Object{
		member("role", text("tool")), member("source", message.Get("source")),
		member("toolCallId", block.Get("toolCallId")), member("content", content),
	}
	if failed := block.Get("isError"); failed.Exists() {
		m = append(m, member("isError", failed))
	}
	m = append(m, member("id", message.Get("id")))
	for _, extra := range block.Without("type", "toolCallId", "content", "isError") {
		m = append(m, member("plugin:result:"+extra.Key.Text(), extra.Value))
	}
	for _, extra := range message.Without("id", "role", "source", "content") {
		m = append(m, member("plugin:message:"+extra.Key.Text(), extra.Value))
	}
	return m
}

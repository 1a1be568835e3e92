package session

import (
	"slices"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// Message is the message of an event, with the members for which many ask
// (docs/format.md §2.6). Of what is not an object they are absent.
type Message struct {
	jsjson.Value

	ID, Role, Source, Content jsjson.Value
	SourceKind, CallID        jsjson.Value // members kind and callId of Source
	Block                     jsjson.Value // the first of Content
}

// Where a message is in a record with a skeleton: in data, or data itself.
var (
	messagePaths = messageIn("data", "message")
	userPaths    = messageIn("data")
)

func messageIn(keys ...string) [7]*jsjson.Path {
	to := func(more ...string) *jsjson.Path { return jsjson.NewPath(slices.Concat(keys, more)...) }
	return [...]*jsjson.Path{to(), to("id"), to("role"), to("source"), to("content"), to("source", "kind"), to("source", "callId")}
}

// Message returns the message of the event: data itself for a user message,
// data.message for every other type (docs/format.md §2.6). It is valid until the
// next Read.
func (e *Event) Message() *Message {
	if !e.opened {
		e.opened = true
		e.open(&e.message)
	}
	return &e.message
}

// MessageField returns a member of the message of the event.
func (e *Event) MessageField(key string) jsjson.Value { return e.Message().Get(key) }

func (e *Event) open(m *Message) {
	*m = Message{}
	user := e.Kind == UserMessage
	switch {
	case e.skeleton != nil && user:
		m.at(e.Root, &userPaths)
	case e.skeleton != nil:
		m.at(e.Root, &messagePaths)
	case user:
		m.find(e.Data)
	default:
		m.find(e.Field("message"))
	}
	if c := m.Content.Inside(); m.Content.Kind == jsjson.Array && c.More() {
		m.Block = c.Value()
	}
}

func (m *Message) at(root jsjson.Value, paths *[7]*jsjson.Path) {
	if m.Value = root.At(paths[0]); m.Kind == jsjson.Object {
		root.AtEach(paths[1:], &m.ID, &m.Role, &m.Source, &m.Content, &m.SourceKind, &m.CallID)
	}
}

func (m *Message) find(v jsjson.Value) {
	m.Value = v
	m.ID, m.Role, m.Source, m.Content = v.Get("id"), v.Get("role"), v.Get("source"), v.Get("content")
	m.SourceKind, m.CallID = m.Source.Get("kind"), m.Source.Get("callId")
}

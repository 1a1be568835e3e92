package session_test

import (
	"testing"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// parse returns the document of a JSON text of its own.
func parse(t *testing.T, text string) *jsjson.Doc {
	t.Helper()
	var doc jsjson.Doc
	if err := doc.Parse([]byte(text)); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return &doc
}

// value returns the value of a JSON text; an empty text gives an absent value.
func value(t *testing.T, text string) jsjson.Value {
	t.Helper()
	if text == "" {
		return jsjson.Value{}
	}
	return parse(t, text).Root
}

func event(t *testing.T, text string) *session.Event {
	t.Helper()
	var e session.Event
	e.Read(parse(t, text).Root)
	return &e
}

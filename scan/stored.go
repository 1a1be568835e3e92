package scan

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// stored is the check that follows every restore from format v2 on: first the
// vocabulary of all events, then each event alone (docs/generations.md §2.5).
type stored struct {
	id         string // of the session, as messages print it
	generation int64
	first      *Fault
	at         Place // of the first fault
	place      Place // of the last event
}

// event takes an event that the restore accepted.
func (s *stored) event(e *session.Event, seq int64, place Place) {
	s.place = place
	if e.Kind == session.RequestHeader && e.Field("reason").EqualText("fallback") {
		s.fault(RetiredFallback, ReasonRetired, fmt.Sprintf("session \"%s\" contains a request/header event (seq %d) with the unsupported legacy "+
			"reason \"fallback\"; refusing to interpret the log — it was written by a retired pre-release harness", s.id, seq))
	}
	if e.Kind == session.Unknown {
		if e.Ignorable.Kind != jsjson.True {
			s.fault(UnknownType, ReasonUnknownType, unknownType(s.id, e, seq))
		}
		return
	}
	if shape := messageShape(e, s.generation); shape != "" {
		s.fault(Build, ReasonMessage, fmt.Sprintf("session event at seq %d %s", seq, shape))
	}
	if s.generation == 4 {
		s.build(e, seq)
	}
}

// unknownType is what dsh says of a type that it does not know.
func unknownType(id string, e *session.Event, seq int64) string {
	return fmt.Sprintf("session \"%s\" contains event type \"%s\" (seq %d) unknown to this harness "+
		"and not marked ignorable; refusing to interpret the log — it was likely written by a newer harness",
		id, typeText(e), seq)
}

func (s *stored) fault(stage Stage, reason Reason, text string) {
	if s.first == nil || stage < s.first.Stage {
		s.first, s.at = &Fault{Stage: stage, Reason: reason, Name: "Error", Text: text}, s.place
	}
}

// build runs those checks that only v4 has at this point.
func (s *stored) build(e *session.Event, seq int64) {
	switch {
	case e.Kind == session.RequestHeader:
		header := e.Field("header")
		for _, key := range []string{"tools", "adapterDefaults"} {
			if v := header.Get(key); v.Exists() && v.Len() == 0 {
				s.fault(Build, ReasonRequestHeader, fmt.Sprintf("session event at seq %d must omit empty %s", seq, key))
			}
		}
	case e.Kind == session.AssistantMessage && e.Sources.Exists():
		s.fault(Build, ReasonSources, "assistant/message embeds its source stream and cannot carry sourceEventSeqs")
	case e.Sources.Exists() && e.Sources.Len() == 0 && e.Kind.Surface():
		s.fault(Build, ReasonSources, "sourceEventSeqs must not be empty")
	}
	if !e.Kind.Surface() {
		if text := noSurface(e); text != "" {
			s.fault(Build, ReasonMarker, text)
		}
		return
	}
	if op := e.Surface; op.Kind == jsjson.Object && (!op.HasExactly("op", "startSeq", "endSeq") || !op.Get("op").EqualText("replace")) {
		s.fault(Build, ReasonMarker, fmt.Sprintf("session event \"%s\" carries an invalid replace surfaceOp", typeText(e)))
	}
}

// refusal is what dsh prints of the first fault, nil when there is none.
func (s *stored) refusal(path string) *session.Refusal {
	switch {
	case s.first == nil:
		return nil
	case s.first.Stage == Build:
		return &session.Refusal{
			Class: session.ClassCorruption,
			Text:  fmt.Sprintf("stored session \"%s\" failed validation: %s: %s", s.id, s.first.Name, s.first.Text),
		}
	}
	return locate(&session.Refusal{Class: session.ClassUnsupported, Text: s.first.Text}, path)
}

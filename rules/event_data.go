package rules

import (
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// EventData reports that the data of a known type has not the shape that dsh writes.
var EventData = &Rule{
	ID:        "TL612",
	Name:      "event-data",
	Summary:   "the data of an event has not the shape that dsh writes",
	Class:     Advice,
	Severity:  Warning,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("event-data"),
	on:        onEvent,
	check:     checkEventData,
}

func checkEventData(p *pass) {
	e := p.event
	if e == nil || e.Kind == session.Unknown || p.breach != nil || p.accepted && len(p.model.Faults()) > 0 {
		return // another finding says what is wrong with it
	}
	if checkedAtLoad(e.Kind) && (!p.accepted || e.Data.Kind != jsjson.Object) {
		return // it may have the shape of an earlier build, or is malformed for dsh too
	}
	if f := checkData(e); f != nil {
		p.report("%s: %s", e.Kind, f)
	}
}

// checkedAtLoad reports whether dsh looks at the data of a type itself, and
// migrates what earlier builds wrote (docs/format.md §4.2), or its check of
// turns reads it (§6.3).
func checkedAtLoad(kind session.Type) bool {
	switch kind {
	case session.TurnStart, session.TurnEnd, session.StepStart, session.StepEnd,
		session.UserMessage, session.AssistantChunk, session.AssistantMessage,
		session.ToolCall, session.ToolResult, session.RequestHeader:
		return true
	}
	return false
}

package rules

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// Envelope reports that the envelope of an event breaks the rules.
var Envelope = &Rule{
	ID:        "TL601",
	Name:      "envelope",
	Summary:   "the envelope of an event breaks the rules",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Assisted,
	Doc:       page("envelope"),
	on:        onFault,
	check:     checkEnvelope,
}

func checkEnvelope(p *pass) {
	if p.fault.Reason == scan.ReasonEnvelope && !p.hasFault(scan.ReasonCrash) {
		p.report("%s: %s", p.typeName(), envelopeFlaw(p.event))
	}
}

// envelopeFlaw says which rule of docs/format.md §2.2 an event breaks.
func envelopeFlaw(e *session.Event) string {
	_, timeOK := e.Time.SafeInt()
	switch {
	case e.Foreign.Exists():
		return fmt.Sprintf("foreign key %q", e.Foreign.Text())
	case e.Type.Kind != jsjson.String:
		return "type is no string"
	case !e.Time.Exists():
		return "time is missing"
	case !timeOK:
		return fmt.Sprintf("time %q is no safe integer", e.Time.JSString())
	case !e.Data.Exists():
		return "data is missing"
	}
	return "ignorable is there, but not true"
}

package rules

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// HeaderShape reports that the first line is not a session header.
var HeaderShape = &Rule{
	ID:        "TL202",
	Name:      "header-shape",
	Summary:   "the first line is not a session header",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Assisted,
	Doc:       page("header-shape"),
	on:        onHeader,
	check:     checkHeaderShape,
}

func checkHeaderShape(p *pass) {
	if p.refusal != nil && p.record.Syntax == nil && !p.foreign && !retiredHeader(p.refusal) {
		p.report("the first line is not a session header: %s", p.headerFlaw())
	}
}

// headerFlaw says what is wrong with the header in the format of the log.
func (p *pass) headerFlaw() string {
	if p.later == nil || p.record.Doc.Root.Kind != jsjson.Object {
		return headerFlaw(&p.record.Doc)
	}
	return session.HeaderFault(&p.record.Doc, min(p.generation, session.Newest))
}

// headerFlaw says which rule of docs/format.md §2.1 the header breaks.
func headerFlaw(doc *jsjson.Doc) string {
	isCount := func(v jsjson.Value) bool {
		n, ok := v.SafeInt()
		return ok && n >= 0 && !v.NegZero()
	}
	kind := doc.Get("type")
	switch {
	case doc.Root.Kind != jsjson.Object:
		return "it is no object"
	case doc.Get("seq").Exists():
		return fmt.Sprintf("it is an event of type %q, so the header is missing", kind.JSString())
	case !kind.EqualText("session"):
		return `its type is not "session"`
	case doc.Get("version").Kind != jsjson.Number:
		return "version is no number"
	case doc.Get("id").Kind != jsjson.String:
		return "id is no string"
	case !isCount(doc.Get("createdAt")):
		return "createdAt is no safe integer from 0"
	case !isCount(doc.Get("delegationDepth")):
		return "delegationDepth is no safe integer from 0"
	case doc.Get("origin").Exists() && !doc.Get("origin").EqualText("subagent"):
		return `origin is not "subagent"`
	}
	return "agentPreset is no string"
}

package rules

import (
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// UnknownIgnorable reports that an event of unknown type is marked ignorable.
var UnknownIgnorable = &Rule{
	ID:        "TL610",
	Name:      "unknown-ignorable",
	Summary:   "an event of unknown type is marked ignorable",
	Class:     Advice,
	Severity:  Note,
	Authority: Load,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("unknown-ignorable"),
	on:        onEvent,
	of:        []session.Type{session.Unknown},
	check:     checkUnknownIgnorable,
}

func checkUnknownIgnorable(p *pass) {
	if e := p.event; e.Ignorable.Kind == jsjson.True {
		p.report("type %q is unknown, but marked ignorable", e.Type.JSString())
	}
}

package rules

import "github.com/turnlint/turnlint/session"

// ResultWithoutCall reports that a tool result answers no call of its step.
var ResultWithoutCall = &Rule{
	ID:        "TL409",
	Name:      "result-without-call",
	Summary:   "a tool result answers no call of its step",
	Class:     Damaged,
	Severity:  Error,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("result-without-call"),
	on:        onBreach,
	check:     checkResultWithoutCall,
}

func checkResultWithoutCall(p *pass) {
	if p.breach.Breach == session.ResultUnpaired {
		p.report("%s", p.breach.Text)
	}
}

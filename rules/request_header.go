package rules

import (
	"strings"

	"github.com/turnlint/turnlint/scan"
)

// RequestHeader reports that a request/header is malformed.
var RequestHeader = &Rule{
	ID:        "TL607",
	Name:      "request-header",
	Summary:   "a request/header is malformed",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("request-header"),
	on:        onFault,
	check:     checkRequestHeader,
}

func checkRequestHeader(p *pass) {
	if p.fault.Reason == scan.ReasonRequestHeader {
		_, flaw, _ := strings.Cut(p.fault.Text, " at index ")
		_, flaw, _ = strings.Cut(flaw, " ")
		p.report("request/header %s", flaw)
	}
}

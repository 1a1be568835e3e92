package rules

import (
	"strings"

	"github.com/turnlint/turnlint/session"
)

// HeaderRetired reports that the header has the retired policy fields.
var HeaderRetired = &Rule{
	ID:        "TL203",
	Name:      "header-retired",
	Summary:   "the header has the retired policy fields",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Assisted,
	Doc:       page("header-retired"),
	on:        onHeader,
	check:     checkHeaderRetired,
}

func checkHeaderRetired(p *pass) {
	if p.refusal != nil && retiredHeader(p.refusal) {
		p.report("the header has sandboxMode or approvalPolicy, which were given up")
	}
}

func retiredHeader(refusal *session.Refusal) bool {
	return strings.Contains(refusal.Text, "retired policy baseline fields")
}

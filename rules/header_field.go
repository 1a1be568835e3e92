package rules

import (
	"strings"

	"github.com/turnlint/turnlint/scan"
)

// HeaderField reports that a member of the header is malformed.
var HeaderField = &Rule{
	ID:        "TL608",
	Name:      "header-field",
	Summary:   "a member of the header is malformed",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Assisted,
	Doc:       page("header-field"),
	on:        onEnd,
	check:     checkHeaderField,
}

func checkHeaderField(p *pass) {
	if p.refusal != nil {
		return // which says it all
	}
	for _, f := range p.reading.Load.Faults {
		if f.Reason == scan.ReasonHeader {
			p.reportAt(p.headerPlace, "%s", strings.TrimPrefix(f.Text, "session header "))
		}
	}
}

package rules

import "github.com/turnlint/turnlint/scan"

// NullMember reports that dsh crashes on a null or missing member of an event.
var NullMember = &Rule{
	ID:        "TL609",
	Name:      "null-member",
	Summary:   "dsh crashes on a null or missing member of an event",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("null-member"),
	on:        onFault,
	check:     checkNullMember,
}

func checkNullMember(p *pass) {
	if p.fault.Reason == scan.ReasonCrash {
		p.reportBlind("%s: dsh crashes where it reads a member of null or of nothing", p.typeName())
	}
}

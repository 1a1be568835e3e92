package rules

import "github.com/turnlint/turnlint/scan"

// UnknownType reports that the type of an event is unknown and not marked ignorable.
var UnknownType = &Rule{
	ID:        "TL602",
	Name:      "unknown-type",
	Summary:   "the type of an event is unknown and not marked ignorable",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Assisted,
	Doc:       page("unknown-type"),
	on:        onFault,
	check:     checkUnknownType,
}

func checkUnknownType(p *pass) {
	if p.fault.Reason == scan.ReasonUnknownType && !p.hasFault(scan.ReasonRetired) {
		p.report("type %q is unknown to dsh 0.1.1-rc.2 and not marked ignorable", p.event.Type.JSString())
	}
}

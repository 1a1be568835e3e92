package rules

import "github.com/turnlint/turnlint/scan"

// LegacyShape reports that an event has a legacy shape that dsh does not migrate.
var LegacyShape = &Rule{
	ID:        "TL604",
	Name:      "legacy-shape",
	Summary:   "an event has a legacy shape that dsh does not migrate",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("legacy-shape"),
	on:        onFault,
	check:     checkLegacyShape,
}

func checkLegacyShape(p *pass) {
	if p.fault.Reason == scan.ReasonLegacyShape {
		p.report("%s has a shape of before 2026-08-05 that dsh cannot migrate", p.typeName())
	}
}

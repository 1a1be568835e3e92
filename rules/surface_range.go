package rules

import "github.com/turnlint/turnlint/scan"

// SurfaceRange reports that a replacement names events that are not on the surface.
var SurfaceRange = &Rule{
	ID:        "TL702",
	Name:      "surface-range",
	Summary:   "a replacement names events that are not on the surface",
	Class:     Damaged,
	Severity:  Error,
	Authority: Surface,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("surface-range"),
	on:        onFault,
	check:     checkSurfaceRange,
}

func checkSurfaceRange(p *pass) {
	if p.fault.Reason == scan.ReasonRange {
		p.report("%s", surfaceFlaw(p.fault))
	}
}

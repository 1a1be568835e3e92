package rules

import "github.com/turnlint/turnlint/scan"

// SurfaceSources reports that the sourceEventSeqs of an event are malformed or name the wrong events.
var SurfaceSources = &Rule{
	ID:        "TL703",
	Name:      "surface-sources",
	Summary:   "the sourceEventSeqs of an event are malformed or name the wrong events",
	Class:     Damaged,
	Severity:  Error,
	Authority: Surface,
	Reader:    Refuses,
	Fix:       Assisted,
	Doc:       page("surface-sources"),
	on:        onFault,
	check:     checkSurfaceSources,
}

func checkSurfaceSources(p *pass) {
	if p.fault.Reason == scan.ReasonSources {
		p.report("%s", surfaceFlaw(p.fault))
	}
}

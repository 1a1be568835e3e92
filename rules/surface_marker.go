package rules

import (
	"strings"

	"github.com/turnlint/turnlint/scan"
)

// SurfaceMarker reports that the surfaceOp of an event is missing, malformed or out of place.
var SurfaceMarker = &Rule{
	ID:        "TL701",
	Name:      "surface-marker",
	Summary:   "the surfaceOp of an event is missing, malformed or out of place",
	Class:     Damaged,
	Severity:  Error,
	Authority: Surface,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("surface-marker"),
	on:        onFault,
	check:     checkSurfaceMarker,
}

func checkSurfaceMarker(p *pass) {
	if p.fault.Reason == scan.ReasonMarker {
		p.report("%s", surfaceFlaw(p.fault))
	}
}

// surfaceFlaw returns what dsh says of the event, without the place.
func surfaceFlaw(f *scan.Fault) string {
	_, flaw, _ := strings.Cut(f.Text, ": ")
	return strings.TrimPrefix(flaw, "surface replace: ")
}

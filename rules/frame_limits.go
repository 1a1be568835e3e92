package rules

import "github.com/turnlint/turnlint/scan"

// FrameLimits reports that a frame asks for more than dsh's decoder gives.
var FrameLimits = &Rule{
	ID:        "TL109",
	Name:      "frame-limits",
	Summary:   "a frame asks for more than dsh's decoder gives",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Box,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("frame-limits"),
	on:        onFrame,
	check:     checkFrameLimits,
}

func checkFrameLimits(p *pass) {
	switch p.frame.Err.Cause {
	case scan.CauseWindow, scan.CauseDictionary:
		p.reportFrame("frame %d does not decode: %s", p.frame.Number, p.frame.Err.Cause)
	}
}

package rules

import "github.com/turnlint/turnlint/scan"

// FrameChecksum reports that a frame decodes, but its checksum differs.
var FrameChecksum = &Rule{
	ID:        "TL107",
	Name:      "frame-checksum",
	Summary:   "a frame decodes, but its checksum differs",
	Class:     Damaged,
	Severity:  Error,
	Authority: Box,
	Reader:    Refuses,
	Fix:       Lossy,
	Doc:       page("frame-checksum"),
	on:        onFrame,
	check:     checkFrameChecksum,
}

func checkFrameChecksum(p *pass) {
	if p.frame.Err.Cause == scan.CauseChecksum {
		p.reportFrame("the checksum of frame %d differs from its %d bytes of text", p.frame.Number, p.frame.PlainLen)
	}
}

package rules

import "github.com/turnlint/turnlint/scan"

// HeaderFrame reports that the first frame of a zstd log is not exactly the header line.
var HeaderFrame = &Rule{
	ID:        "TL103",
	Name:      "header-frame",
	Summary:   "the first frame of a zstd log is not exactly the header line",
	Class:     Damaged,
	Severity:  Error,
	Authority: Box,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("header-frame"),
	on:        onEnd,
	check:     checkHeaderFrame,
}

func checkHeaderFrame(p *pass) {
	c := p.container
	firstBroken := len(c.Broken) > 0 && c.Broken[0].Frame.Number == 1
	if c.Encoding == scan.Zstd && c.Frames > 0 && !c.HeaderFrame && !firstBroken {
		p.reportAt(p.filePlace(0, 0, 1), "frame 1 does not hold exactly one line, the header")
	}
}

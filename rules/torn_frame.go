package rules

import "github.com/turnlint/turnlint/internal/words"

// TornFrame reports that the file ends inside a frame.
var TornFrame = &Rule{
	ID:        "TL110",
	Name:      "torn-frame",
	Summary:   "the file ends inside a frame",
	Class:     Damaged,
	Severity:  Warning,
	Authority: Box,
	Reader:    Repairs,
	Fix:       Safe,
	Doc:       page("torn-frame"),
	on:        onEnd,
	check:     checkTornFrame,
}

func checkTornFrame(p *pass) {
	c := p.container
	if c.Torn == nil || c.Hidden.Found || c.Frames == 0 {
		return
	}
	what := words.Count(p.reading.Scan.Recovered, "event") + " of it recovered"
	if !c.TornDecodes {
		what = "it is damaged, too, so that nothing of it is recovered"
	}
	p.reportAt(p.filePlace(c.Torn.FileOff, c.CompleteLen, c.Torn.Number),
		"the file ends in frame %d, %d bytes behind its start; %s", c.Torn.Number, c.Torn.Len, what)
}

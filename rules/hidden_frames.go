package rules

import "github.com/turnlint/turnlint/internal/words"

// HiddenFrames reports that intact frames lie behind what looks like a torn one.
var HiddenFrames = &Rule{
	ID:        "TL111",
	Name:      "hidden-frames",
	Summary:   "intact frames lie behind what looks like a torn one",
	Class:     Damaged,
	Severity:  Error,
	Authority: Box,
	Reader:    Drops,
	Fix:       Lossy,
	Doc:       page("hidden-frames"),
	on:        onEnd,
	check:     checkHiddenFrames,
}

func checkHiddenFrames(p *pass) {
	c := p.container
	if !c.Hidden.Found {
		return
	}
	f := p.reportAt(p.filePlace(c.Torn.FileOff, c.CompleteLen, c.Torn.Number),
		"frame %d is damaged, not torn: it claims the bytes of %s, which dsh would drop",
		c.Torn.Number, words.Count(c.Hidden.Frames, "intact frame"))
	f.relate(Related{p.filePlace(c.Hidden.Off, c.CompleteLen, 0), "the first of the intact frames"})
}

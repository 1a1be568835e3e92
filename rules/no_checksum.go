package rules

import "github.com/turnlint/turnlint/internal/words"

// NoChecksum reports that frames have no checksum.
var NoChecksum = &Rule{
	ID:        "TL114",
	Name:      "no-checksum",
	Summary:   "frames have no checksum",
	Class:     Advice,
	Severity:  Note,
	Authority: Box,
	Reader:    Accepts,
	Fix:       Safe,
	Doc:       page("no-checksum"),
	on:        onEnd,
	check:     checkNoChecksum,
}

func checkNoChecksum(p *pass) {
	if n := p.unchecked.count; n > 0 {
		p.reportAt(p.unchecked.first, "%s without checksum, so that damage could go unseen", words.Count(n, "frame"))
	}
}

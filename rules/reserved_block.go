package rules

import "github.com/turnlint/turnlint/scan"

// ReservedBlock reports that a block has the reserved type.
var ReservedBlock = &Rule{
	ID:        "TL106",
	Name:      "reserved-block",
	Summary:   "a block has the reserved type",
	Class:     Damaged,
	Severity:  Error,
	Authority: Box,
	Reader:    Refuses,
	Fix:       Lossy,
	Doc:       page("reserved-block"),
	on:        onEnd,
	check:     checkReservedBlock,
}

func checkReservedBlock(p *pass) {
	if fault := p.container.Fault; fault != nil && fault.Kind == scan.ReservedBlock {
		p.reportAt(p.filePlace(fault.FileOff, p.container.TextLen, fault.Number),
			"a block of frame %d has the reserved type", fault.Number)
	}
}

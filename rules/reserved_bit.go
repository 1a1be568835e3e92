package rules

import "github.com/turnlint/turnlint/scan"

// ReservedBit reports that a frame header has a reserved bit set.
var ReservedBit = &Rule{
	ID:        "TL105",
	Name:      "reserved-bit",
	Summary:   "a frame header has a reserved bit set",
	Class:     Damaged,
	Severity:  Error,
	Authority: Box,
	Reader:    Refuses,
	Fix:       Lossy,
	Doc:       page("reserved-bit"),
	on:        onEnd,
	check:     checkReservedBit,
}

func checkReservedBit(p *pass) {
	if fault := p.container.Fault; fault != nil && fault.Kind == scan.ReservedBit {
		p.reportAt(p.filePlace(fault.FileOff, p.container.TextLen, fault.Number),
			"the header of frame %d has a reserved bit set", fault.Number)
	}
}

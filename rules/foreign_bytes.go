package rules

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/turnlint/turnlint/scan"
)

// ForeignBytes reports that bytes between or behind the frames do not start a zstd frame.
var ForeignBytes = &Rule{
	ID:        "TL104",
	Name:      "foreign-bytes",
	Summary:   "bytes between or behind the frames do not start a zstd frame",
	Class:     Damaged,
	Severity:  Error,
	Authority: Box,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("foreign-bytes"),
	on:        onEnd,
	check:     checkForeignBytes,
}

func checkForeignBytes(p *pass) {
	fault := p.container.Fault
	if fault == nil || fault.Kind != scan.BadMagic {
		return
	}
	var head [16]byte
	n, _ := p.src.ReadAt(head[:min(int64(len(head)), p.container.Size-fault.FileOff)], fault.FileOff)
	p.reportAt(p.filePlace(fault.FileOff, p.container.TextLen, fault.Number),
		"frame %d does not start like a zstd frame: %s, %d bytes before the end of the file",
		fault.Number, describeBytes(head[:n]), p.container.Size-fault.FileOff)
}

// describeBytes names what foreign bytes look like.
func describeBytes(head []byte) string {
	printable := func(b byte) bool { return ' ' <= b && b < 0x7F || b == '\n' || b == '\t' || b == '\r' }
	switch {
	case len(bytes.Trim(head, "\x00")) == 0:
		return "NUL bytes"
	case len(head) >= 4 && head[0]&0xF0 == 0x50 && bytes.Equal(head[1:4], []byte{0x2A, 0x4D, 0x18}):
		return "a skippable frame" // RFC 8878 §3.1.2; dsh knows none
	case !slices.ContainsFunc(head, func(b byte) bool { return !printable(b) }):
		return "text"
	}
	return fmt.Sprintf("bytes % x", head[:min(len(head), 4)])
}

package rules

import "github.com/turnlint/turnlint/scan"

// FrameData reports that a frame does not decode.
var FrameData = &Rule{
	ID:        "TL108",
	Name:      "frame-data",
	Summary:   "a frame does not decode",
	Class:     Damaged,
	Severity:  Error,
	Authority: Box,
	Reader:    Refuses,
	Fix:       Lossy,
	Doc:       page("frame-data"),
	on:        onFrame,
	check:     checkFrameData,
}

func checkFrameData(p *pass) {
	switch p.frame.Err.Cause {
	case scan.CauseData, scan.CauseContentSize, scan.CauseBlockSize:
		p.reportFrame("frame %d does not decode: %s, after %d bytes of text", p.frame.Number, p.frame.Err.Cause, p.frame.PlainLen)
	}
}

// reportFrame reports a frame that does not decode. Its seq is the one that the
// events in it would start with.
func (p *pass) reportFrame(format string, args ...any) {
	f := p.reportAt(p.filePlace(p.frame.FileOff, p.frame.PlainOff, p.frame.Number), format, args...)
	seq := p.seq.next
	f.Seq = &seq
	p.cause = f
}

package rules

import "github.com/turnlint/turnlint/scan"

// NoHeader reports that the log is empty or ends before its header is complete.
var NoHeader = &Rule{
	ID:        "TL102",
	Name:      "no-header",
	Summary:   "the log is empty or ends before its header is complete",
	Class:     Damaged,
	Severity:  Error,
	Authority: Box,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("no-header"),
	on:        onEnd,
	check:     checkNoHeader,
}

func checkNoHeader(p *pass) {
	switch {
	case p.container.Size == 0:
		p.reportAt(p.filePlace(0, 0, 0), "the file is empty")
	case p.headerless() && !p.noLog():
		p.reportAt(p.filePlace(0, 0, 0), "the file ends before its header is complete")
	}
}

// headerless reports whether dsh finds no header record at all (docs/format.md §1.4).
func (p *pass) headerless() bool {
	if p.container.Encoding != scan.Zstd {
		return !p.headerEnded
	}
	return p.container.Frames == 0 && p.container.Fault == nil
}

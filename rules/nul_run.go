package rules

import (
	"bytes"

	"github.com/turnlint/turnlint/internal/words"
)

// NulRun reports that a line holds NUL bytes.
var NulRun = &Rule{
	ID:        "TL206",
	Name:      "nul-run",
	Summary:   "a line holds NUL bytes",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("nul-run"),
	tail:      true,
	on:        onLine,
	check:     checkNulRun,
}

func checkNulRun(p *pass) {
	if p.line != nulLine {
		return
	}
	at := bytes.IndexByte(p.record.Text, 0)
	rest := bytes.TrimLeft(p.record.Text[at:], "\x00")
	p.report("%s at byte %d of the line", words.Count(len(p.record.Text)-at-len(rest), "NUL byte"), at)
}

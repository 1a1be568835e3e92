package rules

import "github.com/turnlint/turnlint/internal/jsjson"

// CRLF reports that lines end in CR LF.
var CRLF = &Rule{
	ID:        "TL214",
	Name:      "crlf",
	Summary:   "lines end in CR LF",
	Class:     Advice,
	Severity:  Note,
	Authority: Load,
	Reader:    Accepts,
	Fix:       Safe,
	Doc:       page("crlf"),
	on:        onText,
	check:     checkCRLF,
}

func checkCRLF(p *pass) {
	if p.record.Doc.Features.Has(jsjson.TrailingCR) {
		p.reportOnce("the line ends in CR LF")
	}
}

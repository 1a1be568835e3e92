package rules

import "github.com/turnlint/turnlint/internal/jsjson"

// InvalidUTF8 reports that bytes are not UTF-8.
var InvalidUTF8 = &Rule{
	ID:        "TL509",
	Name:      "invalid-utf8",
	Summary:   "bytes are not UTF-8",
	Class:     Damaged,
	Severity:  Error,
	Authority: Lossless,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("invalid-utf8"),
	on:        onText,
	check:     checkInvalidUTF8,
}

func checkInvalidUTF8(p *pass) {
	p.reportFeature(jsjson.InvalidUTF8, "bytes that are no UTF-8")
}

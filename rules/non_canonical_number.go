package rules

import "github.com/turnlint/turnlint/internal/jsjson"

// NonCanonicalNumber reports that numbers are spelled as JavaScript would not.
var NonCanonicalNumber = &Rule{
	ID:        "TL506",
	Name:      "non-canonical-number",
	Summary:   "numbers are spelled as JavaScript would not",
	Class:     Advice,
	Severity:  Note,
	Authority: Lossless,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("non-canonical-number"),
	on:        onText,
	check:     checkNonCanonicalNumber,
}

func checkNonCanonicalNumber(p *pass) {
	if features := &p.record.Doc.Features; features.Has(jsjson.NonCanonicalNumber) {
		p.reportOnce("a number that JavaScript spells otherwise at byte %d of the line", features.First(jsjson.NonCanonicalNumber))
	}
}

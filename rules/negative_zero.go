package rules

import (
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
)

// NegativeZero reports that a number is -0.
var NegativeZero = &Rule{
	ID:        "TL502",
	Name:      "negative-zero",
	Summary:   "a number is -0",
	Class:     Damaged,
	Severity:  Error,
	Authority: Lossless,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("negative-zero"),
	on:        onText,
	check:     checkNegativeZero,
}

func checkNegativeZero(p *pass) {
	p.reportFeature(jsjson.NegativeZero, "a number that reads as -0, which becomes 0 when it is written again,")
}

// reportFeature reports that the JSON text of the record has a feature.
func (p *pass) reportFeature(x jsjson.Feature, what string) {
	refusedHeader := p.record.Kind == scan.Header && p.refusal != nil
	if features := &p.record.Doc.Features; features.Has(x) && !refusedHeader {
		p.report("%s at byte %d of the line", what, features.First(x))
	}
}

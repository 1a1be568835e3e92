package rules

import (
	"math"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
)

// NumberOverflow reports that a number is beyond what a double holds.
var NumberOverflow = &Rule{
	ID:        "TL503",
	Name:      "number-overflow",
	Summary:   "a number is beyond what a double holds",
	Class:     Damaged,
	Severity:  Error,
	Authority: Lossless,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("number-overflow"),
	on:        onText,
	check:     checkNumberOverflow,
}

func checkNumberOverflow(p *pass) {
	if e := &p.record.Event; p.record.Kind == scan.Event && (math.IsInf(e.Time.Float(), 0) || math.IsInf(e.Seq.Float(), 0)) {
		return // the envelope says so
	}
	p.reportFeature(jsjson.NumberOverflow, "a number that reads as Infinity, which becomes null when it is written again,")
}

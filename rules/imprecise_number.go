package rules

import "github.com/turnlint/turnlint/internal/jsjson"

// ImpreciseNumber reports that a number has more digits than a double keeps.
var ImpreciseNumber = &Rule{
	ID:        "TL505",
	Name:      "imprecise-number",
	Summary:   "a number has more digits than a double keeps",
	Class:     Advice,
	Severity:  Warning,
	Authority: Lossless,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("imprecise-number"),
	on:        onText,
	check:     checkImpreciseNumber,
}

func checkImpreciseNumber(p *pass) {
	p.reportFeature(jsjson.ImpreciseNumber, "a number with more digits than JavaScript keeps")
}

package rules

import "github.com/turnlint/turnlint/internal/jsjson"

// NumberUnderflow reports that a number is so small that it reads as 0.
var NumberUnderflow = &Rule{
	ID:        "TL504",
	Name:      "number-underflow",
	Summary:   "a number is so small that it reads as 0",
	Class:     Advice,
	Severity:  Warning,
	Authority: Lossless,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("number-underflow"),
	on:        onText,
	check:     checkNumberUnderflow,
}

func checkNumberUnderflow(p *pass) {
	p.reportFeature(jsjson.NumberUnderflow, "a number that is not 0, but reads as 0,")
}

package rules

import "github.com/turnlint/turnlint/internal/jsjson"

// LoneSurrogate reports that a string has half of a surrogate pair.
var LoneSurrogate = &Rule{
	ID:        "TL508",
	Name:      "lone-surrogate",
	Summary:   "a string has half of a surrogate pair",
	Class:     Advice,
	Severity:  Warning,
	Authority: Lossless,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("lone-surrogate"),
	on:        onText,
	check:     checkLoneSurrogate,
}

func checkLoneSurrogate(p *pass) {
	p.reportFeature(jsjson.LoneSurrogate, "half a surrogate pair, which is no character,")
}

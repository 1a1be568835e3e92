package rules

import "github.com/turnlint/turnlint/internal/jsjson"

// DuplicateKey reports that an object has a key twice.
var DuplicateKey = &Rule{
	ID:        "TL507",
	Name:      "duplicate-key",
	Summary:   "an object has a key twice",
	Class:     Damaged,
	Severity:  Error,
	Authority: Lossless,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("duplicate-key"),
	on:        onText,
	check:     checkDuplicateKey,
}

func checkDuplicateKey(p *pass) {
	p.reportFeature(jsjson.DuplicateKey, "a key that its object has had already")
}

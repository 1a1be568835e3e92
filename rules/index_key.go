package rules

import "github.com/turnlint/turnlint/internal/jsjson"

// IndexKey reports that keys are numbers that JavaScript moves forward.
var IndexKey = &Rule{
	ID:        "TL512",
	Name:      "index-key",
	Summary:   "keys are numbers that JavaScript moves forward",
	Class:     Advice,
	Severity:  Note,
	Authority: Lossless,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("index-key"),
	on:        onText,
	check:     checkIndexKey,
}

func checkIndexKey(p *pass) {
	if features := &p.record.Doc.Features; features.Has(jsjson.IndexKey) {
		p.reportOnce("a numeric key that JavaScript moves forward at byte %d of the line", features.First(jsjson.IndexKey))
	}
}

package rules

import "github.com/turnlint/turnlint/internal/jsjson"

// ForeignWriter reports that lines are not spelled as dsh's writer would.
var ForeignWriter = &Rule{
	ID:        "TL513",
	Name:      "foreign-writer",
	Summary:   "lines are not spelled as dsh's writer would",
	Class:     Advice,
	Severity:  Note,
	Authority: Lossless,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("foreign-writer"),
	on:        onText,
	check:     checkForeignWriter,
}

func checkForeignWriter(p *pass) {
	features := &p.record.Doc.Features
	if features.Has(jsjson.NonCanonicalEscape) || features.Has(jsjson.Whitespace) && !outerWhitespace(p.record.Text) {
		p.reportOnce("the line is not spelled as JSON.stringify would")
	}
}

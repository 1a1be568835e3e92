package rules

import (
	"strings"

	"github.com/turnlint/turnlint/scan"
)

// HeaderRow reports that dsh refuses the row of the session.
var HeaderRow = &Rule{
	ID:        "TL855",
	Name:      "header-row",
	Summary:   "dsh refuses the row of the session",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("header-row"),
	on:        onLine,
	check:     checkHeaderRow,
}

func checkHeaderRow(p *pass) {
	if p.line == badRow && p.record.Kind == scan.Header && !p.record.Stored.Damaged && len(p.record.Text) > 0 {
		p.report("dsh refuses the row of the session: %s", strings.TrimPrefix(p.refusal.Text, "stored "))
	}
}

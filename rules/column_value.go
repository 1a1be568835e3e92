package rules

import (
	"strings"

	"github.com/turnlint/turnlint/scan"
)

// ColumnValue reports that a column of a row holds what dsh does not take.
var ColumnValue = &Rule{
	ID:        "TL857",
	Name:      "column-value",
	Summary:   "a column of a row holds what dsh does not take",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Lossy,
	Doc:       page("column-value"),
	on:        onLine,
	check:     checkColumnValue,
}

func checkColumnValue(p *pass) {
	if p.line == badRow && p.record.Kind != scan.Header && p.record.Stored.Refusal != nil && !p.record.Stored.Damaged {
		p.report("dsh reads no row of the session: %s", strings.TrimPrefix(p.record.Stored.Refusal.Text, "stored "))
	}
}

package rules

import "github.com/turnlint/turnlint/scan"

// OrphanedRows reports that a session database has events of a session that it does not have.
var OrphanedRows = &Rule{
	ID:        "TL858",
	Name:      "orphaned-rows",
	Summary:   "a session database has events of a session that it does not have",
	Class:     Damaged,
	Severity:  Error,
	Authority: Layout,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("orphaned-rows"),
	on:        onLine,
	check:     checkOrphanedRows,
}

func checkOrphanedRows(p *pass) {
	if p.line == badRow && p.record.Kind == scan.Header && !p.record.Stored.Damaged && len(p.record.Text) == 0 {
		p.report("there is no row of this session, so dsh neither lists nor finds it")
	}
}

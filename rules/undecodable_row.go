package rules

// UndecodableRow reports that a row of a session database is no event.
var UndecodableRow = &Rule{
	ID:        "TL856",
	Name:      "undecodable-row",
	Summary:   "a row of a session database is no event",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Lossy,
	Doc:       page("undecodable-row"),
	tail:      true,
	on:        onLine,
	check:     checkUndecodableRow,
}

func checkUndecodableRow(p *pass) {
	if p.line == badRow && p.record.Stored.Fault != "" {
		p.report("the row is no event: %s", p.record.Stored.Fault)
	}
}

package rules

// DuplicateRow reports that a session database has several sessions of one id.
var DuplicateRow = &Rule{
	ID:            "TL859",
	Name:          "duplicate-row",
	Summary:       "a session database has several sessions of one id",
	Class:         Damaged,
	Severity:      Error,
	Authority:     Layout,
	Reader:        Refuses,
	Fix:           NoFix,
	Doc:           page("duplicate-row"),
	checkDatabase: checkDuplicateRow,
}

func checkDuplicateRow(p *databasePass) {
	for _, id := range p.duplicates {
		p.reportSession(id, "several rows have this id: the database is damaged, and dsh finds one of them")
	}
}

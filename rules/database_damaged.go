package rules

import "github.com/turnlint/turnlint/database"

// DatabaseDamaged reports that SQLite finds the database file damaged.
var DatabaseDamaged = &Rule{
	ID:            "TL854",
	Name:          "database-damaged",
	Summary:       "SQLite finds the database file damaged",
	Class:         Damaged,
	Severity:      Error,
	Authority:     Box,
	Reader:        Refuses,
	Fix:           NoFix,
	Doc:           page("database-damaged"),
	on:            onLine,
	check:         checkDamagedRow,
	checkDatabase: checkDatabaseDamaged,
}

func checkDatabaseDamaged(p *databasePass) {
	if r := p.database.Refusal; r != nil && r.Kind == database.Damage && r.Code != notADatabase {
		p.reportStore("SQLite cannot read it: %s; try sqlite3 FILE .recover", r.Text)
		return
	}
	for _, fault := range p.damage {
		p.reportStore("%s; try sqlite3 FILE .recover, and export what can be read now", fault)
	}
}

func checkDamagedRow(p *pass) {
	if p.line == badRow && p.record.Stored.Damaged {
		p.report("SQLite cannot read the rows from here on: the file is damaged")
	}
}

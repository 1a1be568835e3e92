package rules

import "github.com/turnlint/turnlint/store"

// MigrationTemporary reports a temporary file of a migration that did not end.
var MigrationTemporary = &Rule{
	ID:        "TL816",
	Name:      "migration-temporary",
	Summary:   "a temporary file is left over from the migration of a log",
	Class:     Advice,
	Severity:  Note,
	Authority: Layout,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("migration-temporary"),
	checkDir:  checkMigrationTemporary,
}

func checkMigrationTemporary(p *storePass) {
	for _, name := range p.dir.Find(store.MigrationTemporary) {
		p.report(name, "left over from the migration of the session, which dsh does not look at")
	}
}

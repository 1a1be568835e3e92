package rules

import "github.com/turnlint/turnlint/database"

// NotAStore reports that the file is no session database of dsh.
var NotAStore = &Rule{
	ID:            "TL850",
	Name:          "not-a-store",
	Summary:       "the file is no session database of dsh",
	Class:         Damaged,
	Severity:      Error,
	Authority:     Layout,
	Reader:        Refuses,
	Fix:           NoFix,
	Doc:           page("not-a-store"),
	checkDatabase: checkNotAStore,
}

func checkNotAStore(p *databasePass) {
	switch r := p.database.Refusal; {
	case r == nil:
	case r.Kind == database.Identity:
		p.reportStore("a database of another program: %s", ownStoreWords(r.Text))
	case r.Kind == database.Damage && r.Code == notADatabase:
		p.reportStore("SQLite does not take it for a database: it is encrypted, cut off or something else")
	}
}

// notADatabase is SQLITE_NOTADB.
const notADatabase = 26

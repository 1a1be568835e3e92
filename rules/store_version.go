package rules

import "github.com/turnlint/turnlint/database"

// StoreVersion reports that the session database has another version of the schema.
var StoreVersion = &Rule{
	ID:            "TL851",
	Name:          "store-version",
	Summary:       "the session database has another version of the schema",
	Class:         Incompatible,
	Severity:      Error,
	Authority:     Layout,
	Reader:        Refuses,
	Fix:           NoFix,
	Doc:           page("store-version"),
	checkDatabase: checkStoreVersion,
}

func checkStoreVersion(p *databasePass) {
	if r := p.database.Refusal; r != nil && r.Kind == database.Version {
		p.reportStore("%s", ownStoreWords(r.Text))
	}
}

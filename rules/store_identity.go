package rules

import "github.com/turnlint/turnlint/database"

// StoreIdentity reports that the session database has no valid store id.
var StoreIdentity = &Rule{
	ID:            "TL853",
	Name:          "store-identity",
	Summary:       "the session database has no valid store id",
	Class:         Damaged,
	Severity:      Error,
	Authority:     Layout,
	Reader:        Refuses,
	Fix:           NoFix,
	Doc:           page("store-identity"),
	checkDatabase: checkStoreIdentity,
}

func checkStoreIdentity(p *databasePass) {
	if r := p.database.Refusal; r != nil && r.Kind == database.StoreID {
		p.reportStore("%s: dsh opens no session of it", ownStoreWords(r.Text))
	}
}

package rules

import "github.com/turnlint/turnlint/database"

// StoreSchema reports that the session database has other tables, columns, views or triggers than dsh demands.
var StoreSchema = &Rule{
	ID:            "TL852",
	Name:          "store-schema",
	Summary:       "the session database has other tables, columns, views or triggers than dsh demands",
	Class:         Incompatible,
	Severity:      Error,
	Authority:     Layout,
	Reader:        Refuses,
	Fix:           NoFix,
	Doc:           page("store-schema"),
	checkDatabase: checkStoreSchema,
}

func checkStoreSchema(p *databasePass) {
	if r := p.database.Refusal; r != nil && r.Kind == database.Schema {
		p.reportStore("not processed: %s", p.database.Difference)
	}
}

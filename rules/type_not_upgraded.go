package rules

// TypeNotUpgraded reports that a newer dsh refuses the type of an event.
var TypeNotUpgraded = &Rule{
	ID:        "TL907",
	Name:      "type-not-upgraded",
	Summary:   "a newer dsh refuses the type of an event",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Upgrade,
	Reader:    Refuses,
	Fix:       NoFix,
	Remedy:    "mark it ignorable in a copy of a log of v3; before that there is none that keeps the event: dsh then refuses it either way",
	Doc:       page("type-not-upgraded"),
	refusals: []string{
		"contains unknown ",
		"unclassified event",
		"contains unsupported legacy",
		"unsupported request/header reason",
	},
}

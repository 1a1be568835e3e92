package rules

// InboxMessage reports that a newer dsh refuses a message in the inbox.
var InboxMessage = &Rule{
	ID:        "TL913",
	Name:      "inbox-message",
	Summary:   "a newer dsh refuses a message in the inbox",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Upgrade,
	Reader:    Refuses,
	Fix:       NoFix,
	Remedy:    "give the source what its form demands in a copy of the log, such as `sections: []` for a snapshot: the message in the inbox is never shown again",
	Doc:       page("inbox-message"),
	refusals: []string{
		"agent/inbox/spliced ",
	},
}

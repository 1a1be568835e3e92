package rules

// SourceKind reports that a newer dsh refuses the kind of a message's source.
var SourceKind = &Rule{
	ID:        "TL905",
	Name:      "source-kind",
	Summary:   "a newer dsh refuses the kind of a message's source",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Upgrade,
	Reader:    Refuses,
	Fix:       Assisted,
	Remedy:    `make the source {kind: "plugin", plugin: NAME} in a copy of the log: every upgrade takes that, and only the origin of the message reads otherwise`,
	Doc:       page("source-kind"),
	refusals: []string{
		"unclassified message source",
		"producer-owned source kind",
		"requires a nonempty kind",
		"plugin source at seq",
		"source kind must be",
	},
}

package rules

// SubagentCatalog reports that what the log says of its sub-agents does not
// agree with their logs.
var SubagentCatalog = &Rule{
	ID:        "TL915",
	Name:      "subagent-catalog",
	Summary:   "what the log says of its sub-agents does not agree with their logs",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Upgrade,
	Reader:    Refuses,
	Fix:       NoFix,
	Remedy:    "none in this log: which of the two logs is right is not known; move the log of the sub-agent aside where it is a copy",
	Doc:       page("subagent-catalog"),
	refusals: []string{
		"parent catalog",
		"duplicate catalog child",
		"catalog fact",
		"catalog child",
		"subagent descriptor ",
	},
}

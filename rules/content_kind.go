package rules

// ContentKind reports that a newer dsh refuses the kind of a block of content.
var ContentKind = &Rule{
	ID:        "TL906",
	Name:      "content-kind",
	Summary:   "a newer dsh refuses the kind of a block of content",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Upgrade,
	Reader:    Refuses,
	Fix:       NoFix,
	Remedy:    "none: the block is part of what the model has read, and no other kind says the same",
	Doc:       page("content-kind"),
	refusals: []string{
		"unclassified message content kind",
		"nested tool-result",
		"released tool-result wrapper",
		"retired tool-result wrapper",
	},
}

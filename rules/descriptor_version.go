package rules

// DescriptorVersion reports that a newer dsh refuses the version of the
// description of a sub-agent.
var DescriptorVersion = &Rule{
	ID:        "TL904",
	Name:      "descriptor-version",
	Summary:   "a newer dsh refuses the version of the description of a sub-agent",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Upgrade,
	Reader:    Refuses,
	Fix:       Assisted,
	Remedy:    "set the version to 3 in a copy of the log: the members of version 2 are the same; a description of version 1 has no mode, and needs one",
	Doc:       page("descriptor-version"),
	refusals: []string{
		"uses unsupported descriptor version",
		"version must be one of 3",
	},
}

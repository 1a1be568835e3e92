package rules

// SurfaceBeforeStep reports that a message or a prompt stands where a newer
// dsh has no place for it.
var SurfaceBeforeStep = &Rule{
	ID:        "TL908",
	Name:      "surface-before-step",
	Summary:   "a message or a prompt stands where a newer dsh has no place for it",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Upgrade,
	Reader:    Refuses,
	Fix:       NoFix,
	Remedy:    "none: the message would have to move behind the start of the step, and no upgrade or repair changes the order in which things happened",
	Doc:       page("surface-before-step"),
	refusals: []string{
		"surface before first step",
		"changed request prompt outside an open step",
	},
}

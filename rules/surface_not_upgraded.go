package rules

// SurfaceNotUpgraded reports that a newer dsh refuses what an event does to
// the surface.
var SurfaceNotUpgraded = &Rule{
	ID:        "TL909",
	Name:      "surface-not-upgraded",
	Summary:   "a newer dsh refuses what an event does to the surface",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Upgrade,
	Reader:    Refuses,
	Fix:       NoFix,
	Remedy:    "none: which messages the model has seen cannot be told from the rest of the log",
	Doc:       page("surface-not-upgraded"),
	refusals: []string{
		"protected first surface head",
		"replacement range",
		"surface replacement",
		"replacement sourceEventSeqs",
		"replacement endpoints",
		"exact current surface span",
		"surfaceOp must ",
		"surfaceOp startSeq",
		"surfaceOp endSeq",
		"requires surfaceOp",
		"surfaceOp marker",
		"exact replace fields",
		"surface start must",
		"surface end must",
		"shadowedRange must",
	},
}

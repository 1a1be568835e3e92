package rules

// UpgradeRefused reports that newer versions of dsh do not take the log over,
// for a reason that no other rule is about.
var UpgradeRefused = &Rule{
	ID:        "TL917",
	Name:      "upgrade-refused",
	Summary:   "a newer dsh does not take the log over",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Upgrade,
	Reader:    Refuses,
	Fix:       NoFix,
	Remedy:    "none that is known",
	Doc:       page("upgrade-refused"),
}

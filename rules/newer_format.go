package rules

import "github.com/turnlint/turnlint/session"

// NewerFormat reports that the log has a newer format version.
var NewerFormat = &Rule{
	ID:        "TL901",
	Name:      "newer-format",
	Summary:   "the log has a newer format version",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("newer-format"),
	on:        onHeader,
	check:     checkNewerFormat,
}

func checkNewerFormat(p *pass) {
	if p.foreign && p.header.Version > session.Version {
		p.report("format version %v is newer than v0: upgrade dsh to open the log", p.header.Version)
	}
}

package rules

import "github.com/turnlint/turnlint/session"

// OlderFormat reports that the log has an older format version.
var OlderFormat = &Rule{
	ID:        "TL902",
	Name:      "older-format",
	Summary:   "the log has an older format version",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("older-format"),
	on:        onHeader,
	check:     checkOlderFormat,
}

func checkOlderFormat(p *pass) {
	if p.foreign && p.header.Version < session.Version {
		p.report("format version %v is older than v0, and dsh has no way to upgrade it", p.header.Version)
	}
}

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
	switch {
	case p.foreign && p.header.Version > float64(p.generation):
		p.report("format version %v is newer than v%d: upgrade dsh to open the log", p.header.Version, p.generation)
	case p.refusal == nil && p.generation > session.Newest:
		p.report("format version %d is a fork generation: dsh itself has v%d, and what the events mean is unknown", p.generation, session.Newest)
	}
}

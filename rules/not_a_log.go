package rules

import "github.com/turnlint/turnlint/store"

// NotALog reports that the file is no session log.
var NotALog = &Rule{
	ID:        "TL101",
	Name:      "not-a-log",
	Summary:   "the file is no session log",
	Class:     Damaged,
	Severity:  Error,
	Authority: Box,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("not-a-log"),
	on:        onEnd,
	check:     checkNotALog,
}

func checkNotALog(p *pass) {
	switch {
	case !p.noLog() || p.container.Size == 0:
	case store.NamedDatabase(p.opt.Path):
		p.reportAt(p.filePlace(0, 0, 0), "neither a session log nor a SQLite database: it is encrypted, cut off or something else")
	default:
		p.reportAt(p.filePlace(0, 0, 0), "not a session log: it has neither a header nor an event")
	}
}

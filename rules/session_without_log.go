package rules

import (
	"slices"

	"github.com/turnlint/turnlint/store"
)

// SessionWithoutLog reports a session directory that holds no log.
var SessionWithoutLog = &Rule{
	ID:        "TL812",
	Name:      "session-without-log",
	Summary:   "a session directory holds no log",
	Class:     Advice,
	Severity:  Note,
	Authority: Layout,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("session-without-log"),
	checkDir:  checkSessionWithoutLog,
}

// logLike are the files that stand for the log, or say what became of it.
var logLike = []store.Role{store.LogFile, store.Temporary, store.MigrationTemporary, store.Copy}

func checkSessionWithoutLog(p *storePass) {
	holds := func(e store.Entry) bool { return slices.Contains(logLike, e.Role) }
	if p.dir.Level == store.Session && p.dir.Err == nil && !slices.ContainsFunc(p.dir.Entries, holds) {
		p.report("", "a session directory without a log, which dsh passes over")
	}
}

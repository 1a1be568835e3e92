package rules

import (
	"path/filepath"

	"github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/store"
)

// FlatLog reports a log directly in a project.
var FlatLog = &Rule{
	ID:        "TL805",
	Name:      "flat-log",
	Summary:   "a log lies directly in a project, without a session directory",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Layout,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("flat-log"),
	checkDir:  checkFlatLog,
}

func checkFlatLog(p *storePass) {
	if p.dir.Level != store.Project {
		return
	}
	flat := p.dir.Find(store.FlatLog)
	if len(flat) == 0 {
		return
	}
	refuse(&p.refusals.flat, session.Refuse("session artifact "+quotedPath(filepath.Join(p.dir.Path, flat[0]))+
		" uses the unsupported flat-file layout; use a separate root or move it into a project/session directory before loading"))
	f := p.report(flat[0], "dsh cannot list or open any session of this store: the log lies directly in its project, as before 2026-07-25")
	f.Consequences = len(flat) - 1
}

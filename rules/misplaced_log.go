package rules

import "github.com/turnlint/turnlint/session"

// MisplacedLog reports that the log does not lie where its header says.
var MisplacedLog = &Rule{
	ID:        "TL802",
	Name:      "misplaced-log",
	Summary:   "the log does not lie where its header says",
	Class:     Damaged,
	Severity:  Error,
	Authority: Layout,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("misplaced-log"),
	on:        onEnd,
	check:     checkMisplacedLog,
}

func checkMisplacedLog(p *pass) {
	refusal := p.reading.Load.Refusal
	if p.opt.Root == "" || refusal == nil || refusal.Class != session.ClassError || p.found.first(UnusableIdentity) != nil {
		return
	}
	p.reportAt(p.headerPlace, "id %q and cwd %q of the header belong to another path", p.header.ID, p.header.CWD.JSString())
}

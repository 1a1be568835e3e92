package rules

import "github.com/turnlint/turnlint/session"

// UnusableIdentity reports that the id or the cwd of the header cannot name a path.
var UnusableIdentity = &Rule{
	ID:        "TL801",
	Name:      "unusable-identity",
	Summary:   "the id or the cwd of the header cannot name a path",
	Class:     Damaged,
	Severity:  Error,
	Authority: Layout,
	Reader:    Refuses,
	Fix:       Assisted,
	Doc:       page("unusable-identity"),
	on:        onHeader,
	check:     checkUnusableIdentity,
}

func checkUnusableIdentity(p *pass) {
	if p.refusal != nil {
		return
	}
	if _, err := session.EncodeID(p.header.ID); err != nil {
		p.report("the id %q cannot name a directory", p.header.ID)
	}
	if _, err := session.ProjectKey(p.header.CWD); err != nil {
		p.report("the cwd %q cannot name a directory", p.header.CWD.JSString())
	}
}

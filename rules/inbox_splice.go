package rules

import "github.com/turnlint/turnlint/session"

import "github.com/turnlint/turnlint/internal/words"

// InboxSplice reports that a splice removes messages that no inbox holds.
var InboxSplice = &Rule{
	ID:        "TL705",
	Name:      "inbox-splice",
	Summary:   "a splice reaches beyond the messages that wait in the inbox",
	Class:     Damaged,
	Severity:  Error,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("inbox-splice"),
	on:        onEvent,
	of:        []session.Type{session.InboxSpliced},
	check:     checkInboxSplice,
}

func checkInboxSplice(p *pass) {
	if b := &p.turns.plugins.inbox; p.judgesBrackets() && b.target != "" {
		p.report("splice removes %d from index %d of %s, which holds %s", b.count, b.start, b.target, words.Count(b.held, "message"))
	}
}

package rules

import "github.com/turnlint/turnlint/session"

// TurnNested reports that a turn starts while another is open.
var TurnNested = &Rule{
	ID:        "TL402",
	Name:      "turn-nested",
	Summary:   "a turn starts while another is open",
	Class:     Damaged,
	Severity:  Error,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("turn-nested"),
	on:        onBreach,
	check:     checkTurnNested,
}

func checkTurnNested(p *pass) {
	if p.breach.Breach == session.TurnNested {
		p.report("%s", p.breach.Text).relate(Related{p.turns.previous, "the turn that has no end"})
	}
}

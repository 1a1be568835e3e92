package rules

import "github.com/turnlint/turnlint/session"

// TurnRepeated reports that two turns have the same number.
var TurnRepeated = &Rule{
	ID:        "TL405",
	Name:      "turn-repeated",
	Summary:   "two turns have the same number",
	Class:     Damaged,
	Severity:  Error,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("turn-repeated"),
	on:        onBreach,
	check:     checkTurnRepeated,
}

func checkTurnRepeated(p *pass) {
	if p.breach.Breach == session.TurnNumber && p.numberUsed() {
		p.report("%s, which an earlier turn had", p.breach.Text).relate(Related{p.turns.previous, "the turn before"})
	}
}

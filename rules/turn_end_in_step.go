package rules

import "github.com/turnlint/turnlint/session"

// TurnEndInStep reports that a turn ends while a step is open.
var TurnEndInStep = &Rule{
	ID:        "TL406",
	Name:      "turn-end-in-step",
	Summary:   "a turn ends while a step is open",
	Class:     Damaged,
	Severity:  Error,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("turn-end-in-step"),
	on:        onBreach,
	check:     checkTurnEndInStep,
}

func checkTurnEndInStep(p *pass) {
	if p.breach.Breach == session.TurnEndInStep {
		p.report("%s", p.breach.Text).relate(Related{p.turns.place, "the start of the turn"})
	}
}

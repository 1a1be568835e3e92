package rules

import "github.com/turnlint/turnlint/session"

// TurnDataMissing reports that an event of a turn has no readable data.
var TurnDataMissing = &Rule{
	ID:        "TL414",
	Name:      "turn-data-missing",
	Summary:   "an event of a turn has no readable data",
	Class:     Damaged,
	Severity:  Error,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("turn-data-missing"),
	on:        onBreach,
	check:     checkTurnDataMissing,
}

func checkTurnDataMissing(p *pass) {
	if p.breach.Breach == session.Unreadable {
		p.reportBlind("%s lacks what names its turn, step or call: dsh's own check crashes on it", p.typeName())
	}
}

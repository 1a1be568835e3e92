package rules

import "github.com/turnlint/turnlint/session"

// TurnEndUnmatched reports that a turn/end names no open turn.
var TurnEndUnmatched = &Rule{
	ID:        "TL403",
	Name:      "turn-end-unmatched",
	Summary:   "a turn/end names no open turn",
	Class:     Damaged,
	Severity:  Error,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("turn-end-unmatched"),
	on:        onBreach,
	check:     checkTurnEndUnmatched,
}

func checkTurnEndUnmatched(p *pass) {
	if p.breach.Breach != session.TurnEndMismatch {
		return
	}
	if p.wasOpen {
		p.report("%s", p.breach.Text).relate(Related{p.turns.place, "the start of the open turn"})
		return
	}
	f := p.report("turn/end %s, but no turn is open", p.event.Turn().JSString())
	if p.turns.place.Line > 0 {
		f.relate(Related{p.turns.place, "the last turn/start"})
	}
}

package rules

import "github.com/turnlint/turnlint/session"

// TurnNumber reports that a turn has another number than the next one.
var TurnNumber = &Rule{
	ID:        "TL404",
	Name:      "turn-number",
	Summary:   "a turn has another number than the next one",
	Class:     Damaged,
	Severity:  Error,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("turn-number"),
	on:        onBreach,
	check:     checkTurnNumber,
}

func checkTurnNumber(p *pass) {
	if p.breach.Breach == session.TurnNumber && !p.numberUsed() {
		p.report("%s", p.breach.Text)
	}
}

// numberUsed reports whether a turn/start has a number that earlier turns passed.
func (p *pass) numberUsed() bool {
	n, ok := p.event.Turn().SafeInt()
	return ok && n >= 1 && n <= p.turns.highest
}

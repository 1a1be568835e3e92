package rules

import "github.com/turnlint/turnlint/session"

// CallWithoutResult reports that a tool call of an ended step has no result.
var CallWithoutResult = &Rule{
	ID:        "TL410",
	Name:      "call-without-result",
	Summary:   "a tool call of an ended step has no result",
	Class:     Advice,
	Severity:  Warning,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("call-without-result"),
	on:        onEvent,
	of:        []session.Type{session.TurnStart, session.TurnEnd, session.StepStart, session.StepEnd},
	check:     checkCallWithoutResult,
}

func checkCallWithoutResult(p *pass) {
	if p.turns.adrift {
		return
	}
	for i := range p.turns.calls.pending {
		c := &p.turns.calls.pending[i]
		what := "was recorded, but has no result"
		if !c.started {
			what = "was asked for, but neither started nor answered"
		}
		f := p.finding(c.place, "tool call %q %s before its step ended", c.id.JSString(), what)
		seq := c.seq
		f.Seq, f.Turn = &seq, p.turnNumber()
		p.keep(f, p.record.LastFrame).relate(Related{p.record.Place, "the end of the step"})
	}
}

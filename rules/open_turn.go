package rules

import "github.com/turnlint/turnlint/internal/words"

// OpenTurn reports that the log ends in an open turn.
var OpenTurn = &Rule{
	ID:        "TL411",
	Name:      "open-turn",
	Summary:   "the log ends in an open turn",
	Class:     Damaged,
	Severity:  Warning,
	Authority: Load,
	Reader:    Repairs,
	Fix:       Safe,
	Doc:       page("open-turn"),
	on:        onEnd,
	check:     checkOpenTurn,
}

func checkOpenTurn(p *pass) {
	refused := p.reading.Refusal() != nil
	if !p.turns.open() || p.unclosable() || !refused && len(p.reading.Closers) == 0 {
		return
	}
	pending := p.turns.calls.pending
	f := p.reportTurn("turn %s has no end%s", p.turns.name(), unanswered(len(pending)))
	f.relate(Related{p.seq.last, "the log ends here"})
	for i := range pending {
		what := "outcome unknown: the call was recorded"
		if !pending[i].started {
			what = "not started: the call was only asked for"
		}
		f.relate(Related{pending[i].place, what})
	}
}

// reportTurn reports the last turn, at its start.
func (p *pass) reportTurn(format string, args ...any) *Finding {
	f := p.reportAt(p.turns.place, format, args...)
	seq := p.turns.info.Seq
	f.Seq = &seq
	if n, ok := p.turns.number.SafeInt(); ok {
		f.Turn = &n
	}
	return f
}

func unanswered(calls int) string {
	if calls == 0 {
		return ""
	}
	return "; " + words.Count(calls, "tool call") + " without result"
}

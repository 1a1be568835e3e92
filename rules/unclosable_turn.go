package rules

import (
	"slices"

	"github.com/turnlint/turnlint/scan"
)

// UnclosableTurn reports that dsh would brick the log by closing its turn.
var UnclosableTurn = &Rule{
	ID:        "TL412",
	Name:      "unclosable-turn",
	Summary:   "dsh would brick the log by closing its turn",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("unclosable-turn"),
	on:        onEnd,
	check:     checkUnclosableTurn,
}

func checkUnclosableTurn(p *pass) {
	if !p.unclosable() {
		return
	}
	what := "its number is no integer from 1"
	if !p.reading.Bricks {
		what = "a call in it has no usable id"
	}
	p.reportTurn("turn %s has no end, and dsh would refuse the one that it writes: %s", p.turns.name(), what)
}

// unclosable reports whether dsh would refuse its own closers (docs/format.md §5.2).
func (p *pass) unclosable() bool {
	return p.reading.Bricks || slices.ContainsFunc(p.reading.Load.Faults, func(f scan.Fault) bool {
		return f.Reason == scan.ReasonCloser
	})
}

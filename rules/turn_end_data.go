package rules

import "github.com/turnlint/turnlint/scan"

// TurnEndData reports that a turn/end has malformed data.
var TurnEndData = &Rule{
	ID:        "TL605",
	Name:      "turn-end-data",
	Summary:   "a turn/end has malformed data",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("turn-end-data"),
	on:        onFault,
	check:     checkTurnEndData,
}

func checkTurnEndData(p *pass) {
	if p.fault.Reason == scan.ReasonTurnEnd {
		p.report("turn/end needs exactly a turn from 1 and a reason of a known shape")
	}
}

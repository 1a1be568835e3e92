package rules

import "github.com/turnlint/turnlint/session"

// StepOrder reports that a step is nested or out of number.
var StepOrder = &Rule{
	ID:        "TL407",
	Name:      "step-order",
	Summary:   "a step is nested or out of number",
	Class:     Damaged,
	Severity:  Error,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("step-order"),
	on:        onBreach,
	check:     checkStepOrder,
}

func checkStepOrder(p *pass) {
	switch p.breach.Breach {
	case session.StepNested, session.StepNumber:
		p.report("%s", p.breach.Text)
	}
}

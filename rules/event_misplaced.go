package rules

import (
	"strings"

	"github.com/turnlint/turnlint/session"
)

// EventMisplaced reports that an event names another turn or step than the open one.
var EventMisplaced = &Rule{
	ID:        "TL408",
	Name:      "event-misplaced",
	Summary:   "an event names another turn or step than the open one",
	Class:     Damaged,
	Severity:  Error,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("event-misplaced"),
	on:        onBreach,
	check:     checkEventMisplaced,
}

func checkEventMisplaced(p *pass) {
	switch p.breach.Breach {
	case session.Misplaced, session.StepOutside:
		what, open, _ := strings.Cut(p.breach.Text, " but open ")
		text := what + " but open " + strings.ReplaceAll(open, "null", "none")
		_, where, _ := strings.Cut(text, " names ")
		if again := p.misplaced; again != nil && where != "" && strings.HasSuffix(again.Message, where) {
			again.Consequences++ // of the same loss
			return
		}
		p.misplaced = p.report("%s", text)
		if p.turns.open() {
			p.misplaced.relate(Related{p.turns.place, "the start of the open turn"})
		}
	}
}

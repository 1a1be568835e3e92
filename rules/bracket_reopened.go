package rules

// BracketReopened reports that an event of a plugin opens what is open already.
var BracketReopened = &Rule{
	ID:        "TL416",
	Name:      "bracket-reopened",
	Summary:   "an event of a plugin opens an id that is in use",
	Class:     Advice,
	Severity:  Warning,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("bracket-reopened"),
	on:        onEvent,
	of:        pairedTypes(),
	check:     checkBracketReopened,
}

func checkBracketReopened(p *pass) {
	if !p.judgesBrackets() {
		return
	}
	for _, m := range p.turns.plugins.brackets.now {
		if m.opened {
			p.report("%s names %q, which is in use", p.typeName(), m.id).relate(Related{m.first, "where it was opened"})
		}
	}
}

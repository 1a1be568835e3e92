package rules

// BracketUnopened reports that an event of a plugin names an id that nothing opened.
var BracketUnopened = &Rule{
	ID:        "TL415",
	Name:      "bracket-unopened",
	Summary:   "an event of a plugin names an id that nothing opened",
	Class:     Advice,
	Severity:  Warning,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("bracket-unopened"),
	on:        onEvent,
	of:        pairedTypes(),
	check:     checkBracketUnopened,
}

func checkBracketUnopened(p *pass) {
	if !p.judgesBrackets() {
		return
	}
	for _, m := range p.turns.plugins.brackets.now {
		if !m.opened {
			p.report("%s names %q, but no %s opened it", p.typeName(), m.id, openers[m.kind])
		}
	}
}

// judgesBrackets reports whether the current event is one whose brackets tell
// something: it is in order, and nothing before it is missing.
func (p *pass) judgesBrackets() bool {
	return p.event != nil && p.order == inOrder && p.seq.repeating == nil
}

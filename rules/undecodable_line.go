package rules

// UndecodableLine reports that a line is not JSON.
var UndecodableLine = &Rule{
	ID:        "TL204",
	Name:      "undecodable-line",
	Summary:   "a line is not JSON",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Lossy,
	Doc:       page("undecodable-line"),
	tail:      true,
	on:        onLine,
	check:     checkUndecodableLine,
}

func checkUndecodableLine(p *pass) {
	if p.line == syntaxLine {
		p.report("the line is not JSON: %s at byte %d of the line", p.record.Syntax.Msg, p.record.Syntax.Offset)
	}
}

package rules

// BlankLine reports that a line is blank.
var BlankLine = &Rule{
	ID:        "TL205",
	Name:      "blank-line",
	Summary:   "a line is blank",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("blank-line"),
	tail:      true,
	on:        onLine,
	check:     checkBlankLine,
}

func checkBlankLine(p *pass) {
	if p.line == blankLine {
		p.report("the line is blank")
	}
}

package rules

// NullLine reports that a line is the JSON value null.
var NullLine = &Rule{
	ID:        "TL208",
	Name:      "null-line",
	Summary:   "a line is the JSON value null",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("null-line"),
	on:        onLine,
	check:     checkNullLine,
}

func checkNullLine(p *pass) {
	if p.line == nullLine {
		p.report("the line is null, on which dsh crashes")
	}
}

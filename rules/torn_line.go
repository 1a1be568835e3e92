package rules

// TornLine reports that the text ends inside a record.
var TornLine = &Rule{
	ID:        "TL211",
	Name:      "torn-line",
	Summary:   "the text ends inside a record",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("torn-line"),
	tail:      true,
	on:        onLine,
	check:     checkTornLine,
}

func checkTornLine(p *pass) {
	if p.line == tornLine && !p.record.Torn { // else the torn frame says it
		p.report("the text ends in the middle of a record, %d bytes behind its start", p.record.Len)
	}
}

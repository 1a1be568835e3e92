package rules

// GluedRecords reports that two records stand on one line.
var GluedRecords = &Rule{
	ID:        "TL216",
	Name:      "glued-records",
	Summary:   "two records stand on one line",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("glued-records"),
	tail:      true,
	on:        onLine,
	check:     checkGluedRecords,
}

func checkGluedRecords(p *pass) {
	if p.line == gluedLine {
		p.report("another record follows on the same line, at byte %d of it", p.record.Syntax.Offset)
	}
}

package rules

// SplitRecord reports that a record begins in a complete frame and goes on in the torn one.
var SplitRecord = &Rule{
	ID:        "TL115",
	Name:      "split-record",
	Summary:   "a record begins in a complete frame and goes on in the torn one",
	Class:     Damaged,
	Severity:  Error,
	Authority: Box,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("split-record"),
	on:        onLine,
	check:     checkSplitRecord,
}

func checkSplitRecord(p *pass) {
	if p.line == splitLine {
		p.report("the record begins in complete frame %d, but ends in torn frame %d", p.record.Frame, p.record.LastFrame)
	}
}

package rules

// LineTooLong reports that a line is longer than the limit and was not read.
var LineTooLong = &Rule{
	ID:        "TL213",
	Name:      "line-too-long",
	Summary:   "a line is longer than the limit and was not read",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("line-too-long"),
	on:        onLine,
	check:     checkLineTooLong,
}

func checkLineTooLong(p *pass) {
	if p.line == longLine && p.record.Stored != nil {
		p.report("not processed: a value of the row is over the limit")
	} else if p.line == longLine {
		f := p.report("not processed: the line has %d bytes, over the limit", p.record.Len)
		if !p.record.Terminated { // dsh does not read it either
			f.Severity, f.Reader = Warning, Repairs
		}
	}
}

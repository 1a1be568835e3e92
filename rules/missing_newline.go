package rules

// MissingNewline reports that the last record is complete, but has no line feed.
var MissingNewline = &Rule{
	ID:        "TL212",
	Name:      "missing-newline",
	Summary:   "the last record is complete, but has no line feed",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Drops,
	Fix:       Safe,
	Doc:       page("missing-newline"),
	tail:      true,
	on:        onLine,
	check:     checkMissingNewline,
}

func checkMissingNewline(p *pass) {
	if p.line == openLine {
		p.report("the last record is complete, but dsh does not read it for want of a line feed")
	}
}

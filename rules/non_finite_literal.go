package rules

// NonFiniteLiteral reports that a line holds NaN or Infinity.
var NonFiniteLiteral = &Rule{
	ID:        "TL501",
	Name:      "non-finite-literal",
	Summary:   "a line holds NaN or Infinity",
	Class:     Damaged,
	Severity:  Error,
	Authority: Lossless,
	Reader:    Refuses,
	Fix:       Lossy,
	Doc:       page("non-finite-literal"),
	tail:      true,
	on:        onLine,
	check:     checkNonFiniteLiteral,
}

func checkNonFiniteLiteral(p *pass) {
	if p.line == literalLine {
		p.report("NaN or Infinity at byte %d of the line, which JSON does not have", p.record.Syntax.Offset)
	}
}

package rules

// OuterWhitespace reports that white space stands before or behind a record.
var OuterWhitespace = &Rule{
	ID:        "TL215",
	Name:      "outer-whitespace",
	Summary:   "white space stands before or behind a record",
	Class:     Advice,
	Severity:  Note,
	Authority: Load,
	Reader:    Accepts,
	Fix:       Safe,
	Doc:       page("outer-whitespace"),
	on:        onText,
	check:     checkOuterWhitespace,
}

func checkOuterWhitespace(p *pass) {
	if outerWhitespace(p.record.Text) {
		p.reportOnce("white space stands before or behind the record")
	}
}

func outerWhitespace(text []byte) bool {
	isSpace := func(b byte) bool { return b == ' ' || b == '\t' }
	return len(text) > 0 && (isSpace(text[0]) || isSpace(text[len(text)-1]))
}

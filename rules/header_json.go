package rules

// HeaderJSON reports that the header line is not JSON.
var HeaderJSON = &Rule{
	ID:        "TL201",
	Name:      "header-json",
	Summary:   "the header line is not JSON",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Assisted,
	Doc:       page("header-json"),
	on:        onHeader,
	check:     checkHeaderJSON,
}

func checkHeaderJSON(p *pass) {
	if r := p.record; r.Syntax != nil && !hasBOM(r.Text) {
		p.report("the header line is not JSON: %s at byte %d of the line", r.Syntax.Msg, r.Syntax.Offset)
	}
}

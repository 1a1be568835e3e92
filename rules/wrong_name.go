package rules

// WrongName reports that the name of the log promises another encoding than its content has.
var WrongName = &Rule{
	ID:        "TL113",
	Name:      "wrong-name",
	Summary:   "the name of the log promises another encoding than its content has",
	Class:     Damaged,
	Severity:  Error,
	Authority: Box,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("wrong-name"),
	on:        onEnd,
	check:     checkWrongName,
}

func checkWrongName(p *pass) {
	if promised, ok := p.misnamed(); ok {
		p.reportAt(p.filePlace(0, 0, 0), "the name promises encoding %q, but the content has %q", promised, p.container.Encoding)
	}
}

package rules

// NotAnObject reports that a line is JSON, but no object.
var NotAnObject = &Rule{
	ID:        "TL209",
	Name:      "not-an-object",
	Summary:   "a line is JSON, but no object",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("not-an-object"),
	tail:      true,
	on:        onLine,
	check:     checkNotAnObject,
}

func checkNotAnObject(p *pass) {
	if p.line == scalarLine {
		p.report("the line is of kind %q, not an object", p.record.Doc.Root.Kind)
	}
}

package rules

// DeepNesting reports that a line nests more than 1000 levels deep.
var DeepNesting = &Rule{
	ID:        "TL511",
	Name:      "deep-nesting",
	Summary:   "a line nests more than 1000 levels deep",
	Class:     Advice,
	Severity:  Warning,
	Authority: Lossless,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("deep-nesting"),
	on:        onText,
	check:     checkDeepNesting,
}

// maxDepth is the deepest nesting that every operation of dsh survives
// (docs/format.md §6.4).
const maxDepth = 1000

func checkDeepNesting(p *pass) {
	if depth := p.record.Doc.Depth; depth > maxDepth {
		p.report("%d levels of nesting", depth)
	}
}

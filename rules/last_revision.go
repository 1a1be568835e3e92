package rules

// LastRevision reports that dsh could not read the session after repairing it.
var LastRevision = &Rule{
	ID:        "TL860",
	Name:      "last-revision",
	Summary:   "dsh could not read the session after repairing it",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("last-revision"),
	on:        onEnd,
	check:     checkLastRevision,
}

func checkLastRevision(p *pass) {
	if p.reading.Spent {
		p.reportAt(p.headerPlace, "the revision is the last that dsh can count, and its repair would raise it")
	}
}

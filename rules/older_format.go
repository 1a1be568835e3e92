package rules

// OlderFormat reports that the log has an older format version.
var OlderFormat = &Rule{
	ID:        "TL902",
	Name:      "older-format",
	Summary:   "the log has an older format version",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("older-format"),
	on:        onHeader,
	check:     checkOlderFormat,
}

func checkOlderFormat(p *pass) {
	if p.foreign && p.header.Version < float64(p.generation) {
		p.report("format version %v is older than v%d, and dsh has no way to upgrade it", p.header.Version, p.generation)
	}
}

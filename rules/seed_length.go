package rules

import "github.com/turnlint/turnlint/internal/words"

// SeedLength reports that the header counts more inherited events than the log has.
var SeedLength = &Rule{
	ID:        "TL707",
	Name:      "seed-length",
	Summary:   "the header counts more inherited events than the log has",
	Class:     Advice,
	Severity:  Warning,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("seed-length"),
	on:        onEnd,
	check:     checkSeedLength,
}

func checkSeedLength(p *pass) {
	if p.header == nil || p.refusal != nil || p.projection != nil || p.reading.Unread || p.reading.Scan.Refusal != nil {
		return
	}
	if n, ok := p.header.SeedLength.SafeInt(); ok && n > p.reading.Scan.Events {
		p.reportAt(p.headerPlace, "seedLength is %d, but dsh reads %s", n, words.Count(int(p.reading.Scan.Events), "event"))
	}
}

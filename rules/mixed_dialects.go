package rules

// MixedDialects reports that the log has traits of writers that exclude each other.
var MixedDialects = &Rule{
	ID:        "TL413",
	Name:      "mixed-dialects",
	Summary:   "the log has traits of writers that exclude each other",
	Class:     Advice,
	Severity:  Note,
	Authority: Enclosure,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("mixed-dialects"),
	on:        onConflict,
	check:     checkMixedDialects,
}

func checkMixedDialects(p *pass) {
	clash, floor := p.dialects.clash, &p.dialects.floor
	if clash == nil || p.accepted && len(p.model.Faults()) > 0 { // what is malformed says nothing by its looks
		return
	}
	p.reportOnce("%s: written by %s, but the %s in line %d is of %s or later",
		clash.what, clash.ceiling, floor.by.what, floor.line, floor.date)
}

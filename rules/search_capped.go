package rules

// SearchCapped reports that the search for frames behind a torn one was given up.
var SearchCapped = &Rule{
	ID:        "TL112",
	Name:      "search-capped",
	Summary:   "the search for frames behind a torn one was given up",
	Class:     Damaged,
	Severity:  Warning,
	Authority: Box,
	Reader:    Repairs,
	Fix:       NoFix,
	Doc:       page("search-capped"),
	on:        onEnd,
	check:     checkSearchCapped,
}

func checkSearchCapped(p *pass) {
	if c := p.container; c.Hidden.Capped {
		p.reportAt(p.filePlace(c.Torn.FileOff, c.CompleteLen, c.Torn.Number),
			"not fully checked: the bytes of torn frame %d look like too many frames to follow", c.Torn.Number)
	}
}

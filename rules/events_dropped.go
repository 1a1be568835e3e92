package rules

import "github.com/turnlint/turnlint/internal/words"

// EventsDropped reports that dsh would drop complete events on load.
var EventsDropped = &Rule{
	ID:        "TL304",
	Name:      "events-dropped",
	Summary:   "dsh would drop complete events on load",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Drops,
	Fix:       Lossy,
	Doc:       page("events-dropped"),
	on:        onEnd,
	check:     checkEventsDropped,
}

func checkEventsDropped(p *pass) {
	others := p.reading.Dropped - p.buried - p.unended // those have a finding of their own
	if p.reading.Refusal() == nil && others > 0 && !p.container.Hidden.Found {
		p.reportAt(p.dropped, "dsh would drop %s from here on: do not open the log in it", words.Count(p.reading.Dropped, "complete event"))
	}
}

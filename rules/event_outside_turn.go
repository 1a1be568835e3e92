package rules

// EventOutsideTurn reports that an event stands outside any turn. The engine asks
// it for each run of such events, when the rule set of the run is known.
var EventOutsideTurn = &Rule{
	ID:        "TL401",
	Name:      "event-outside-turn",
	Summary:   "an event stands outside any turn",
	Class:     Damaged,
	Severity:  Error,
	Authority: Enclosure,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("event-outside-turn"),
}

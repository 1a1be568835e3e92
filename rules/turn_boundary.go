package rules

// TurnBoundary reports that a boundary of a turn, step or compaction is
// missing or out of order.
var TurnBoundary = &Rule{
	ID:        "TL911",
	Name:      "turn-boundary",
	Summary:   "a boundary of a turn, step or compaction is missing or out of order",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Upgrade,
	Reader:    Refuses,
	Fix:       NoFix,
	Remedy:    "end the turn with a turn/end of reason interrupted, in a copy, where no step and no call is open; there is none where a boundary is missing inside a turn",
	Doc:       page("turn-boundary"),
	refusals: []string{
		"does not close the prior turn",
		"does not open expected turn",
		"does not open the expected turn",
		"no matching open turn",
		"does not match the open turn",
		"crosses an open ",
		"does not match an open turn and step",
		"does not match the current turn",
		"outside an open turn",
		"malformed pre-react-loop",
		"no matching compaction/start",
		"overlaps an open compaction",
		"compaction/summary repeats",
		"compaction/end requires",
	},
}

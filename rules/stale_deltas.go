package rules

// StaleDeltas reports that streamed deltas were written late or again, with other text.
var StaleDeltas = &Rule{
	ID:        "TL308",
	Name:      "stale-deltas",
	Summary:   "streamed deltas were written late or again, with other text",
	Class:     Damaged,
	Severity:  Error,
	Authority: Invariants,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("stale-deltas"),
	tail:      true,
} // found where a run of repeated seqs ends

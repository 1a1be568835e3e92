package rules

// StaleEndSeed reports that a session/end-seed has the seq of another event.
var StaleEndSeed = &Rule{
	ID:        "TL306",
	Name:      "stale-end-seed",
	Summary:   "a session/end-seed has the seq of another event",
	Class:     Damaged,
	Severity:  Error,
	Authority: Invariants,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("stale-end-seed"),
	tail:      true,
} // found where a run of repeated seqs ends

package rules

// StaleTail reports that stale events without a message have seqs that the log has had.
var StaleTail = &Rule{
	ID:        "TL311",
	Name:      "stale-tail",
	Summary:   "stale events without a message have seqs that the log has had",
	Class:     Damaged,
	Severity:  Error,
	Authority: Invariants,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("stale-tail"),
	tail:      true,
} // found where a run of repeated seqs ends

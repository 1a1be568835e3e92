package rules

// ForkedLog reports that two writers went on from the same point, both with events that count.
var ForkedLog = &Rule{
	ID:        "TL309",
	Name:      "forked-log",
	Summary:   "two writers went on from the same point, both with events that count",
	Class:     Damaged,
	Severity:  Error,
	Authority: Invariants,
	Reader:    Refuses,
	Fix:       Assisted,
	Doc:       page("forked-log"),
	tail:      true,
} // found where a run of repeated seqs ends

package rules

// SeqRegressed reports that the seqs fall back while the turns go on.
var SeqRegressed = &Rule{
	ID:        "TL310",
	Name:      "seq-regressed",
	Summary:   "the seqs fall back while the turns go on",
	Class:     Damaged,
	Severity:  Error,
	Authority: Invariants,
	Reader:    Refuses,
	Fix:       Assisted,
	Doc:       page("seq-regressed"),
	tail:      true,
} // found where a run of repeated seqs ends

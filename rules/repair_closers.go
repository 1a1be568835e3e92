package rules

// RepairClosers reports that closers of a repair have the seqs of a session that went on.
var RepairClosers = &Rule{
	ID:        "TL307",
	Name:      "repair-closers",
	Summary:   "closers of a repair have the seqs of a session that went on",
	Class:     Damaged,
	Severity:  Error,
	Authority: Invariants,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("repair-closers"),
	tail:      true,
} // found where a run of repeated seqs ends

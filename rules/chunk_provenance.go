package rules

// ChunkProvenance reports that the chunks of an answer are not those that it
// cites.
var ChunkProvenance = &Rule{
	ID:        "TL910",
	Name:      "chunk-provenance",
	Summary:   "the chunks of an answer are not those that it cites",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Upgrade,
	Reader:    Refuses,
	Fix:       NoFix,
	Remedy:    "none: which chunks belong to the answer is not known; where the log was edited, go back to the copy from before",
	Doc:       page("chunk-provenance"),
	refusals: []string{
		"chunk attempt",
		"complete ordered attempt",
		"targets consumed assistant/chunk",
		"splits one Assistant attempt",
		"AssistantStreamAccumulator",
		"delta index must be",
		"obsolete chunk provenance",
	},
}

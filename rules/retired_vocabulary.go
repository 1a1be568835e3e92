package rules

import "github.com/turnlint/turnlint/scan"

// RetiredVocabulary reports that an event is of a vocabulary that dsh gave up.
var RetiredVocabulary = &Rule{
	ID:        "TL603",
	Name:      "retired-vocabulary",
	Summary:   "an event is of a vocabulary that dsh gave up",
	Class:     Incompatible,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("retired-vocabulary"),
	on:        onFault,
	check:     checkRetiredVocabulary,
}

func checkRetiredVocabulary(p *pass) {
	if p.fault.Reason == scan.ReasonRetired {
		p.report("dsh gave up %s as it stands here", p.typeName())
	}
}

package rules

import "github.com/turnlint/turnlint/scan"

// ResultReplacement reports that the replacement of a tool result changes more than its content.
var ResultReplacement = &Rule{
	ID:        "TL704",
	Name:      "result-replacement",
	Summary:   "the replacement of a tool result changes more than its content",
	Class:     Damaged,
	Severity:  Error,
	Authority: Surface,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("result-replacement"),
	on:        onFault,
	check:     checkResultReplacement,
}

func checkResultReplacement(p *pass) {
	if p.fault.Reason == scan.ReasonResult {
		p.report("%s", surfaceFlaw(p.fault))
	}
}

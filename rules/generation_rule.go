package rules

import (
	"strings"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// GenerationRule reports that a log of a format from v2 on breaks a rule of that
// format.
var GenerationRule = &Rule{
	ID:        "TL903",
	Name:      "generation-rule",
	Summary:   "the log breaks a rule of its format, v2 or later",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       NoFix,
	Doc:       page("generation-rule"),
	on:        onEnd,
	check:     checkGenerationRule,
}

func checkGenerationRule(p *pass) {
	refusal := p.reading.Refusal()
	if p.later == nil || p.refusal != nil || refusal == nil || p.generation > session.Newest && p.reading.Scan.Refusal == nil {
		return // of the header, or for being a fork's, which other rules report
	}
	at := p.reading.RefusedAt
	if at == nil && refusal.Class == session.ClassError || at != nil && p.found.atLine(at.Line) {
		return // container, place and text have rules of their own
	}
	place := p.headerPlace
	if at != nil {
		place = *at
	}
	f := p.reportAt(place, "not as format v%d has it: %s", p.generation, ownWords(refusal.Text))
	if p.reading.Verdict == scan.Incompatible {
		f.Class = Incompatible
	}
}

// ownWords takes off what dsh puts in front of the fault itself.
func ownWords(text string) string {
	for _, lead := range []string{"corrupt session log: ", "failed validation: Error: "} {
		if _, rest, found := strings.Cut(text, lead); found {
			text = rest
		}
	}
	if strings.HasPrefix(text, "invalid committed event at line ") {
		_, text, _ = strings.Cut(text, ": ")
	}
	return text
}

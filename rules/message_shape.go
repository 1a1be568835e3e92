package rules

import (
	"strings"

	"github.com/turnlint/turnlint/scan"
)

// MessageShape reports that a message is malformed.
var MessageShape = &Rule{
	ID:        "TL606",
	Name:      "message-shape",
	Summary:   "a message is malformed",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Assisted,
	Doc:       page("message-shape"),
	on:        onFault,
	check:     checkMessageShape,
}

func checkMessageShape(p *pass) {
	if p.fault.Reason == scan.ReasonMessage {
		_, flaw, _ := strings.Cut(p.fault.Text, " at seq ")
		_, flaw, _ = strings.Cut(flaw, " ")
		p.report("%s %s", p.typeName(), flaw)
	}
}

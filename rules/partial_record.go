package rules

import (
	"regexp"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// PartialRecord reports that a record was written behind the start of an interrupted one.
var PartialRecord = &Rule{
	ID:        "TL217",
	Name:      "partial-record",
	Summary:   "a record was written behind the start of an interrupted one",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("partial-record"),
	tail:      true,
	on:        onLine,
	check:     checkPartialRecord,
}

func checkPartialRecord(p *pass) {
	if p.line == partialLine {
		p.report("a complete record follows behind a partial one, at byte %d of the line", completeAt(p.record.Text))
	}
}

var recordStart = regexp.MustCompile(`\{"type":"[^"\\]{1,64}","seq0?":`)

// completeAt returns the offset of a complete record that ends the text, or -1.
// It tries a few places only, so that no text makes it slow.
func completeAt(text []byte) int {
	for _, at := range recordStart.FindAllIndex(text, 8) {
		if at[0] > 0 && jsjson.Valid(text[at[0]:]) {
			return at[0]
		}
	}
	return -1
}

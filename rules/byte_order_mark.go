package rules

import "bytes"

// ByteOrderMark reports that a line starts with a byte order mark.
var ByteOrderMark = &Rule{
	ID:        "TL207",
	Name:      "byte-order-mark",
	Summary:   "a line starts with a byte order mark",
	Class:     Damaged,
	Severity:  Error,
	Authority: Load,
	Reader:    Refuses,
	Fix:       Safe,
	Doc:       page("byte-order-mark"),
	tail:      true,
	on:        onLine,
	check:     checkByteOrderMark,
}

func checkByteOrderMark(p *pass) {
	if p.line == bomLine {
		p.report("the line starts with a byte order mark")
	}
}

func hasBOM(text []byte) bool { return bytes.HasPrefix(text, []byte("\uFEFF")) }

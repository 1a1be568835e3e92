package repair

import (
	"bytes"

	"github.com/turnlint/turnlint/scan"
)

// searchWork returns how many bytes may be parsed in the search for records in a
// line. Records need two passes; only text made to be slow needs more.
func searchWork(line []byte) int { return 8*len(line) + 1<<16 }

// recordStart is how dsh starts every record behind the header. Inside a string
// its quotes would be escaped, so it stands where an object starts.
var recordStart = []byte(`{"type":`)

// nextRecord looks for an event or row in text[from:] and returns its offset and
// length, which is 0 when there is none. part becomes the record. work is the
// bytes that may still be parsed.
func nextRecord(part *scan.Record, text []byte, from int, work *int) (at, n int) {
	at = from + padding(text[from:])
	for *work > 0 {
		if n := recordAt(part, text[at:], work); n > 0 {
			return at, n
		}
		next := min(at+1, len(text))
		i := bytes.Index(text[next:], recordStart)
		if i < 0 {
			return 0, 0
		}
		at = next + i
	}
	return 0, 0
}

// recordAt returns the length of the event or row that text starts with, or 0.
func recordAt(part *scan.Record, text []byte, work *int) int {
	if len(text) == 0 || text[0] != '{' {
		return 0
	}
	part.Reparse(text)
	if part.Syntax != nil {
		text = bytes.TrimRight(text[:part.Syntax.Offset], " \t\r")
		*work -= len(text)
		part.Reparse(text)
	}
	*work -= len(text)
	if !part.IsEvent() {
		return 0
	}
	return len(text)
}

// padding returns the bytes at the start of text that belong to no record: a byte
// order mark, zeros, white space.
func padding(text []byte) int {
	rest := bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))
	return len(text) - len(bytes.TrimLeft(rest, "\x00 \t\r"))
}

// junkReason says what bytes are that are no record.
func junkReason(text []byte, terminated bool) string {
	switch {
	case len(bytes.Trim(text, " \t\r")) == 0:
		return "blank line"
	case len(bytes.Trim(text, "\x00")) == 0:
		return "NUL bytes"
	case bytes.HasPrefix(text, []byte("\xEF\xBB\xBF")) && len(text) == 3:
		return "byte order mark"
	case !terminated:
		return "partial line"
	}
	return "line that is no event"
}

// lineLen returns the bytes of the record's line, with its LF if it has one.
func lineLen(r *scan.Record) int64 {
	if r.Terminated {
		return r.Len + 1
	}
	return r.Len
}

package rules

import (
	"bytes"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
)

// lineFault says why dsh does not take a record as it stands. A line has one, so
// that one cause gives one finding.
type lineFault uint8

const (
	soundLine   lineFault = iota
	splitLine             // goes on from a complete frame into the torn one
	longLine              // over the limit, not read
	nulLine               // holds NUL bytes
	openLine              // a complete record without LF
	tornLine              // the start of a record without LF
	blankLine             // white space only
	bomLine               // starts with a byte order mark
	literalLine           // NaN or Infinity
	gluedLine             // two records
	partialLine           // the start of a record, then a complete one
	syntaxLine            // any other text that is no JSON
	rowLine               // a malformed packed row
	nullLine              // null
	scalarLine            // any other value that is no object
	badRow                // no line, but a row of a database that is no event
)

// lineFaultOf classifies a record behind the header.
func lineFaultOf(r *scan.Record) lineFault {
	isEvent := r.Kind == scan.Event || r.Kind == scan.Row
	switch {
	case r.Torn && r.Frame != r.LastFrame:
		return splitLine
	case isEvent && r.Terminated:
		return soundLine
	case r.Stored != nil && r.Kind == scan.Undecodable:
		return badRow
	case r.Kind == scan.TooLong:
		return longLine
	case isEvent:
		return openLine
	case r.Syntax != nil && r.Syntax.Offset < len(r.Text) && r.Text[r.Syntax.Offset] == 0:
		return nulLine
	case !r.Terminated:
		return tornLine
	case r.Kind == scan.Null:
		return nullLine
	case r.Kind == scan.Scalar:
		return scalarLine
	case r.Syntax == nil:
		return rowLine
	}
	return syntaxFault(r)
}

// syntaxFault looks for a common cause of text that is no JSON.
func syntaxFault(r *scan.Record) lineFault {
	at := r.Syntax.Offset
	rest := r.Text[at:]
	switch {
	case blank(r.Text):
		return blankLine
	case hasBOM(r.Text):
		return bomLine
	case bytes.HasPrefix(rest, []byte("NaN")), bytes.HasPrefix(rest, []byte("Infinity")):
		return literalLine
	case bytes.HasPrefix(rest, []byte("{")) && jsjson.Valid(r.Text[:at]):
		return gluedLine
	case completeAt(r.Text) > 0:
		return partialLine
	}
	return syntaxLine
}

// blank reports whether a line holds nothing but white space and NUL bytes.
func blank(text []byte) bool { return len(bytes.Trim(text, " \t\r\x00")) == 0 }

// buriedRecords counts the complete records in a line that does not decode as a
// whole.
func buriedRecords(r *scan.Record, fault lineFault) int64 {
	switch fault {
	case badRow:
		if r.Stored.Content {
			return 1
		}
	case partialLine:
		return 1
	case nulLine:
		return wholeRecord(bytes.Trim(r.Text, "\x00"))
	case bomLine:
		return wholeRecord(bytes.TrimPrefix(r.Text, []byte("\uFEFF")))
	case gluedLine:
		return 1 + wholeRecord(r.Text[r.Syntax.Offset:])
	}
	return 0
}

// wholeRecord returns 1 for the text of an event or row, 0 for any other.
func wholeRecord(text []byte) int64 {
	if start := recordStart.FindIndex(text); start != nil && start[0] == 0 && jsjson.Valid(text) {
		return 1
	}
	return 0
}

package fuzz

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/turnlint/turnlint/fuzz/reference"
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// CheckHeader reads line as a header record with both readers, and with those of all
// formats. The error is nil when both say the same.
func CheckHeader(line []byte) error {
	if bytes.Count(line, []byte("["))+bytes.Count(line, []byte("{")) >= maxNested {
		return ErrSkip
	}
	for format := range int64(session.Newest + 1) {
		session.ListGeneration(line, format, session.Newest)
		session.ParseGeneration(line, max(format, 2))
	}
	want := reference.Header(line)
	_, refusal := session.ParseFirst(line, session.Version)
	switch {
	case refusal == nil && want != "":
		return fmt.Errorf("accepted, but the reference says %q", want)
	case refusal != nil && (want == "" || !strings.HasPrefix(refusal.Text, want)):
		return fmt.Errorf("refused with %q, but the reference says %q", refusal.Text, want)
	}
	return nil
}

// CheckRecord reads line as a record behind the header with both readers. The error
// is nil when they agree on what it is, and when the members of a packed row are
// events that continue each other.
func CheckRecord(line []byte) error {
	if bytes.Count(line, []byte("["))+bytes.Count(line, []byte("{")) >= maxNested {
		return ErrSkip
	}
	var r scan.Record
	r.Reparse(line)
	if want := reference.Kind(line); want != kindNames[r.Kind] {
		return fmt.Errorf("it is of kind %s, but the reference says %s", kindNames[r.Kind], want)
	}
	if r.Kind != scan.Row {
		return nil
	}
	if n := reference.Members(line); n != r.Events() {
		return fmt.Errorf("%d members, but the reference says %d", r.Events(), n)
	}
	return checkMembers(&r)
}

var kindNames = map[scan.Kind]string{
	scan.Undecodable: "undecodable", scan.Event: "event", scan.Row: "row", scan.Scalar: "scalar", scan.Null: "null",
}

// checkMembers checks the events that a row stands for.
func checkMembers(row *scan.Record) error {
	seq, time := row.Row.Seq0, int64(0)
	for text := range row.Row.Events() {
		var member scan.Record
		member.Reparse(text)
		got, ok := member.Seq()
		if member.Kind != scan.Event || member.Event.Kind != session.AssistantChunk || !ok || got != seq {
			return fmt.Errorf("the member with seq %d is %s", seq, text)
		}
		if twice := jsjson.AppendCanonical(nil, member.Event.Root); !bytes.Equal(twice, text) {
			return fmt.Errorf("the member %s is %s in canonical text", text, twice)
		}
		seq++
		time, _ = member.Event.Time.SafeInt()
	}
	if seq != row.Row.Seq0+int64(row.Row.Count) || time != row.Row.LastTime {
		return fmt.Errorf("the members end at seq %d and time %d, want %d and %d", seq, time, row.Row.Seq0+int64(row.Row.Count), row.Row.LastTime)
	}
	return nil
}

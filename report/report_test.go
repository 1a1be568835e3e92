package report_test

import (
	"bytes"
	"errors"
	"flag"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

var update = flag.Bool("update", false, "rewrite the expected reports in testdata")

var (
	gap  = rules.SeqGap
	torn = rules.TornFrame
)

// result returns a check's result with the given verdict and findings.
func result(verdict scan.Verdict, findings ...rules.Finding) *rules.Result {
	return &rules.Result{
		Container: &scan.Container{Encoding: scan.Plain, Size: 2652},
		Reading:   &scan.Reading{Verdict: verdict, Header: &session.Header{ID: "s"}},
		Findings:  findings, Events: 17, Turns: 2, Dialect: "open",
	}
}

func finding(rule *rules.Rule, place scan.Place, message string) rules.Finding {
	return rules.Finding{
		Rule: rule, Place: place, Class: rule.Class, Severity: rule.Severity, Reader: rule.Reader, Message: message,
	}
}

// files are what one run found: every verdict, kind of place and kind of input.
func files() []*report.File {
	seq, turn := int64(0), int64(4)
	refused := finding(gap, scan.Place{Line: 127, PlainOff: 88123, FileOff: 20411, Frame: 58, Len: 212}, "seq 580 follows 571, want 572")
	refused.Seq, refused.Turn, refused.Consequences = &seq, &turn, 3
	refused.Related = []rules.Related{{Place: scan.Place{Line: 9}, Message: "the event before, with \x1b in it"}}
	first := finding(gap, scan.Place{Line: 9}, "first")
	note := finding(torn, scan.Place{Line: 1}, "odd, but harmless")
	note.Severity, note.Class, note.Reader = rules.Note, rules.Advice, rules.Accepts

	damaged := result(scan.Damaged, first, refused)
	damaged.Container.Encoding = scan.Zstd
	damaged.Reading.Scan.Refusal = session.Refuse("corrupt session log: \"a\" <b>\x1b \xed\xa0\x80 & more")
	loses := result(scan.Loses, finding(gap, scan.Place{FileOff: 449, Frame: 3}, "a size field is wrong"))
	loses.Reading.Dropped, loses.Container.Hidden.Frames = 12, 1
	unsupported := result(scan.Incompatible)
	unsupported.Reading.Header.Version = 1
	unsupported.Reading.Load.Refusal = &session.Refusal{Class: session.ClassUnsupported, Text: "upgrade"}
	bricked := result(scan.Damaged)
	bricked.Reading.Bricks = true
	row := finding(gap, scan.Place{Line: 9, PlainOff: 812, Len: 40, Table: scan.EventsTable, Key: 7}, "a row is no event")
	row.Related = []rules.Related{
		{Place: scan.Place{Line: 1, Table: scan.SessionsTable, Key: scan.NoKey}, Message: "its session"},
		{Place: scan.Place{Line: 10, Table: scan.EventsTable, Key: 0}, Message: "another row"},
	}
	stored := result(scan.Loses, finding(torn, scan.Place{Line: 1, Table: scan.SessionsTable, Key: scan.NoKey}, "a column is odd"), row)
	stored.Container.Encoding, stored.Reading.Dropped = scan.SQLite, 1
	spent := result(scan.Damaged)
	spent.Container.Encoding, spent.Reading.Spent = scan.SQLite, true
	empty := result(scan.Unreadable)
	empty.Container.Size, empty.Reading.Header = 0, nil
	projection := result(scan.Incompatible)
	projection.Projection, projection.Reading.Scan.Refusal = true, session.Refuse("seq gap")
	cutting := result(scan.Loses, first)
	cutting.Projection = true
	endless := result(scan.Incompatible)
	endless.Reading.Header.Version = math.Inf(1)

	return []*report.File{
		{Path: "ok/clean.jsonl", Result: result(scan.Opens)},
		{Path: "ok/also clean.jsonl", Result: result(scan.Opens)},
		{Path: "gone.jsonl", Problem: "no such file or directory"},
		{Path: "bad/gap.jsonl", Result: damaged},
		{Path: "-x.jsonl", Result: result(scan.Recovers, finding(torn, scan.Place{}, "the last frame is cut"))},
		{Path: "caf\xe9\x1b.jsonl", Result: loses},
		{Path: "odd.jsonl", Result: result(scan.Opens, note)},
		{Path: "new.jsonl", Result: unsupported},
		{Path: "endless.jsonl", Result: endless},
		{Path: "fixture.jsonl", Result: projection},
		{Path: "cutting.jsonl", Result: cutting},
		{Path: "bricked.jsonl", Result: bricked},
		{Path: "sessions.db#a/b", Result: stored},
		{Path: "sessions.db#spent", Result: spent},
		{Path: "empty.jsonl", Result: empty},
		{Path: "-", Result: result(scan.Recovers)},
	}
}

func write(t *testing.T, w report.Writer, all []*report.File) {
	t.Helper()
	for _, f := range all {
		if err := w.File(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestReports(t *testing.T) {
	tests := []struct {
		name  string
		files []*report.File
		open  func(*bytes.Buffer) report.Writer
	}{
		{"text", files(), func(b *bytes.Buffer) report.Writer { return report.NewText(b, report.Options{}) }},
		{"colour", files()[:5], func(b *bytes.Buffer) report.Writer { return report.NewText(b, report.Options{Color: true}) }},
		{"json", files(), func(b *bytes.Buffer) report.Writer { return report.NewJSON(b) }},
		{"ndjson", files(), func(b *bytes.Buffer) report.Writer { return report.NewNDJSON(b) }},
		{"nothing.json", nil, func(b *bytes.Buffer) report.Writer { return report.NewJSON(b) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got bytes.Buffer
			write(t, tt.open(&got), tt.files)
			golden(t, tt.name, got.String())
		})
	}
}

func TestTextOnlyCountsManyCleanFiles(t *testing.T) {
	var got bytes.Buffer
	all := make([]*report.File, 30)
	for i := range all {
		all[i] = &report.File{Path: "a", Result: result(scan.Opens)}
	}
	write(t, report.NewText(&got, report.Options{}), all)
	want := strings.Repeat("a: dsh opens it\n", 20) +
		"further logs without findings are only counted\n\n30 logs: 30 open; 0 errors, 0 warnings, 0 notes\n"
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// full is a disk without space.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestReportsFailWhenTheyCannotBeWritten(t *testing.T) {
	for _, format := range report.Formats() {
		w, err := report.New(format, full{}, report.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.File(files()[3]), w.Close()); !errors.Is(err, errFull) {
			t.Errorf("%s: got %v", format, err)
		}
	}
}

func TestNewNamesTheFormats(t *testing.T) {
	_, err := report.New("xml", full{}, report.Options{})
	const want = `unknown format "xml": want one of text, json, ndjson, sarif, github, gitlab, junit, checkstyle, html`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestCountsFromASeverityOn(t *testing.T) {
	counts := report.Counts{Errors: 1, Warnings: 2, Notes: 4}
	tests := []struct {
		severity rules.Severity
		want     int
	}{{rules.Error, 1}, {rules.Warning, 3}, {rules.Note, 7}}
	for _, tt := range tests {
		t.Run(tt.severity.String(), func(t *testing.T) {
			if got := counts.AtLeast(tt.severity); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

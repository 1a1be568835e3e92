package report_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// sarifLog is what the tests look at in a SARIF log.
type sarifLog struct {
	Runs []struct {
		Tool struct {
			Driver struct{ Rules []struct{ ID string } }
		}
		Artifacts []struct {
			Location   struct{ URI string }
			Properties struct{ Errors, Warnings, Notes, Omitted int }
		}
		Invocations []struct {
			ToolExecutionNotifications []struct{ Message struct{ Text string } }
		}
		Results []struct {
			RuleID, Level       string
			RuleIndex           int
			Message             struct{ Text string }
			PartialFingerprints map[string]string
			Locations           []struct {
				PhysicalLocation struct {
					ArtifactLocation struct {
						URI   string
						Index int
					}
					Region struct{ StartLine, ByteOffset, ByteLength int64 }
				}
			}
		}
	}
}

func parseSARIF(t *testing.T, text string) *sarifLog {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	if len(log.Runs) != 1 {
		t.Fatalf("%d runs, want 1", len(log.Runs))
	}
	return &log
}

func TestIndicesInSARIFPointToWhatTheyName(t *testing.T) {
	run := parseSARIF(t, written(t, "sarif", every(t), options)).Runs[0]
	for _, r := range run.Results {
		if id := run.Tool.Driver.Rules[r.RuleIndex].ID; id != r.RuleID {
			t.Errorf("the rule %s has the index of %s", r.RuleID, id)
		}
		at := r.Locations[0].PhysicalLocation.ArtifactLocation
		if at.Index >= 0 && run.Artifacts[at.Index].Location.URI != at.URI {
			t.Errorf("%s has the index of %s", at.URI, run.Artifacts[at.Index].Location.URI)
		}
	}
}

// many is a log with findings of a severity each, most of them notes, and the
// worst ones last.
func many(errors, warnings, notes int, message func() string) *report.Report {
	f := result(scan.Damaged)
	add := func(n int, s rules.Severity) {
		for range n {
			line := len(f.Findings) + 1
			seq := int64(line)
			next := finding(rules.SeqGap, scan.Place{Line: line, PlainOff: 100 * seq, FileOff: 100 * seq, Len: 99}, message())
			next.Severity, next.Seq = s, &seq
			f.Findings = append(f.Findings, next)
		}
	}
	add(notes, rules.Note)
	add(warnings, rules.Warning)
	add(errors, rules.Error)
	return &report.Report{Files: []*report.File{{Path: "long.jsonl", Result: f}}}
}

// warned returns a report in a format and the warnings about it.
func warned(t *testing.T, format string, r *report.Report) (text string, warnings []string) {
	t.Helper()
	opt := options
	opt.Warn = func(what string) { warnings = append(warnings, what) }
	return written(t, format, r, opt), warnings
}

func TestSARIFKeepsTheMostSevereFindingsThatGitHubTakes(t *testing.T) {
	const said = "only the 25000 most severe of 30000 findings are in the report, and GitHub shows no more than 5000 of them, " +
		"because it takes at most 25000 results and 10 MB"
	all := many(10, 6_000, 23_990, func() string { return "seq gap" })
	text, warnings := warned(t, "sarif", all)
	run := parseSARIF(t, text).Runs[0]
	if diff := cmp.Diff([]string{"sarif: " + said}, warnings); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if got := run.Invocations[0].ToolExecutionNotifications[0].Message.Text; got != said {
		t.Errorf("the report says %q", got)
	}
	levels := make(map[string]int)
	for i, r := range run.Results {
		levels[r.Level]++
		if i > 0 && r.Locations[0].PhysicalLocation.Region.StartLine <= run.Results[i-1].Locations[0].PhysicalLocation.Region.StartLine {
			t.Fatalf("result %d is out of order", i)
		}
	}
	if diff := cmp.Diff(map[string]int{"error": 10, "warning": 6_000, "note": 18_990}, levels); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	// The counts are still those of all findings, and say how many are left out.
	counts := run.Artifacts[0].Properties
	if counts.Notes != 23_990 || counts.Omitted != 5_000 {
		t.Errorf("the artifact counts %d notes and %d omitted", counts.Notes, counts.Omitted)
	}
	back := read(t, text)
	if diff := cmp.Diff(report.Counts{Errors: 10, Warnings: 6_000, Notes: 23_990}, back.Files[0].Counts()); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
	if again, _ := warned(t, "sarif", back); again != text {
		t.Error("the report that is read back makes another one")
	}
}

func TestSARIFSaysThatGitHubShowsFewerFindings(t *testing.T) {
	_, warnings := warned(t, "sarif", many(0, 5_001, 0, func() string { return "seq gap" }))
	if diff := cmp.Diff([]string{"sarif: GitHub shows only the 5000 most severe of 5001 findings"}, warnings); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, warnings = warned(t, "sarif", many(0, 5_000, 0, func() string { return "seq gap" })); warnings != nil {
		t.Errorf("of 5000 findings: %q", warnings)
	}
}

func TestSARIFStaysBelowTheSizeThatGitHubTakes(t *testing.T) {
	if testing.Short() {
		t.Skip("compresses tens of megabytes")
	}
	random := rand.New(rand.NewPCG(1, 2))
	noise := func() string {
		text := make([]byte, 4_000)
		for i := range text {
			text[i] = '!' + byte(random.IntN(90))
		}
		return string(text)
	}
	text, warnings := warned(t, "sarif", many(500, 3_000, 1_000, noise))
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if n := zipped.Len(); n > 10_000_000 || n < 8_000_000 {
		t.Errorf("%d bytes after gzip, want a little less than 10 MB", n)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "most severe of 4500 findings") {
		t.Errorf("warnings %q", warnings)
	}
	levels := make(map[string]int)
	for _, r := range parseSARIF(t, text).Runs[0].Results {
		levels[r.Level]++
	}
	if levels["error"] != 500 || levels["note"] != 0 {
		t.Errorf("results %v, want all errors before any note", levels)
	}
}

// prints returns the fingerprints of a file's findings in SARIF.
func prints(t *testing.T, f *report.File) (all []string) {
	t.Helper()
	for _, r := range parseSARIF(t, written(t, "sarif", &report.Report{Files: []*report.File{f}}, options)).Runs[0].Results {
		all = append(all, r.PartialFingerprints["turnlint/v1"])
	}
	return all
}

func TestFingerprintsDependOnTheEventAndNotOnItsPlace(t *testing.T) {
	at := func(path, id string, line int, seq int64) *report.File {
		f := finding(rules.SeqGap, scan.Place{Line: line, PlainOff: int64(line)}, fmt.Sprint("on line ", line))
		f.Seq = &seq
		r := result(scan.Damaged, f)
		r.Reading.Header.ID = id
		return &report.File{Path: path, Result: r}
	}
	base := prints(t, at("a.jsonl", "s-1", 9, 17))
	tests := []struct {
		name string
		file *report.File
		same bool
	}{
		{"the same event on another line", at("a.jsonl", "s-1", 10, 17), true},
		{"the same log elsewhere", at("b.jsonl", "s-1", 9, 17), true},
		{"another event", at("a.jsonl", "s-1", 9, 18), false},
		{"another session", at("a.jsonl", "s-2", 9, 17), false},
		{"no session", at("a.jsonl", "", 9, 17), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := slices.Equal(prints(t, tt.file), base); got != tt.same {
				t.Errorf("the same fingerprint: %t", got)
			}
		})
	}
	t.Run("logs without a session, or whose id is too long, are told apart by their paths", func(t *testing.T) {
		for _, id := range []string{"", strings.Repeat("x", 1<<20)} {
			if slices.Equal(prints(t, at("a.jsonl", id, 9, 17)), prints(t, at("b.jsonl", id, 9, 17))) {
				t.Errorf("the same fingerprint for an id of %d bytes", len(id))
			}
		}
	})
	t.Run("findings that are alike get numbers", func(t *testing.T) {
		twice := at("a.jsonl", "s-1", 9, 17)
		twice.Result.Findings = append(twice.Result.Findings, twice.Result.Findings[0])
		if diff := cmp.Diff([]string{base[0], base[0] + ":2"}, prints(t, twice)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestSARIFRegionsAreBytesOfTheDecodedText(t *testing.T) {
	all := wholeCorpus(t)
	at := slices.IndexFunc(all.Files, func(f *report.File) bool { return f.Path == "torn/cut-inside-a-raw-block.jsonl.zstd" })
	if at < 0 {
		t.Fatal("the log is gone")
	}
	one := &report.Report{Files: all.Files[at : at+1]}
	type region struct {
		Rule                 string
		Line, Offset, Length int64
	}
	var got []region
	for _, r := range parseSARIF(t, written(t, "sarif", one, options)).Runs[0].Results {
		at := r.Locations[0].PhysicalLocation.Region
		got = append(got, region{r.RuleID, at.StartLine, at.ByteOffset, at.ByteLength})
	}
	// The frame begins at byte 449 of the file; a finding about it has no place in the text.
	want := []region{{"TL110", 1, -1, 0}, {"TL411", 8, 898, 68}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNoMessageBecomesALinkInSARIF(t *testing.T) {
	const evil = `[click](https://evil.example) \](1)`
	all := &report.Report{Files: []*report.File{{
		Path: filepath.Join("a", "b.jsonl"), Result: result(scan.Damaged, finding(rules.SeqGap, scan.Place{Line: 2}, evil)),
	}}}
	text := written(t, "sarif", all, options)
	if got := parseSARIF(t, text).Runs[0].Results[0].Message.Text; got != `[click\](https://evil.example) \\](1)` {
		t.Errorf("the message is %q", got)
	}
	if got := read(t, text).Files[0].Result.Findings[0].Message; got != evil {
		t.Errorf("read back as %q", got)
	}
}

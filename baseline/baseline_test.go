package baseline_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/baseline"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

func log(id string) baseline.Subject {
	return baseline.Log(&rules.Result{Reading: &scan.Reading{Header: &session.Header{ID: id}}})
}

var noHeader = baseline.Log(&rules.Result{Reading: &scan.Reading{}})

// at returns a finding about the event with a seq.
func at(rule *rules.Rule, seq int64) rules.Finding {
	return rules.Finding{Rule: rule, Seq: &seq, Place: scan.Place{Line: int(seq) + 2}}
}

// in returns a finding about no event.
func in(rule *rules.Rule, place scan.Place) rules.Finding {
	return rules.Finding{Rule: rule, Place: place}
}

// load returns the baseline that knows of findings.
func load(t *testing.T, record func(*baseline.Recorder)) *baseline.Baseline {
	t.Helper()
	b, err := baseline.Load(write(t, record))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t *testing.T, record func(*baseline.Recorder)) (name string) {
	t.Helper()
	var rec baseline.Recorder
	record(&rec)
	var text bytes.Buffer
	if err := rec.Write(&text); err != nil {
		t.Fatal(err)
	}
	return file(t, text.String())
}

func file(t *testing.T, text string) (name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "b.json")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestWhatMakesAFindingKnown(t *testing.T) {
	gap := at(rules.SeqGap, 17)
	torn := in(rules.TornFrame, scan.Place{Frame: 3, FileOff: 449})
	tests := []struct {
		name    string
		subject baseline.Subject
		found   rules.Finding
		known   bool
	}{
		{"the same finding", log("s-1"), gap, true},
		{"the same event on another line", log("s-1"), func() rules.Finding { f := at(rules.SeqGap, 17); f.Place.Line = 90; return f }(), true},
		{"another severity", log("s-1"), func() rules.Finding { f := at(rules.SeqGap, 17); f.Severity = rules.Note; return f }(), true},
		{"the next event", log("s-1"), at(rules.SeqGap, 18), false},
		{"another rule", log("s-1"), at(rules.SeqRepeat, 17), false},
		{"another session", log("s-2"), gap, false},
		{"a log without an id", noHeader, gap, false},
		{"the same frame", log("s-1"), torn, true},
		{"the same frame at another offset", log("s-1"), in(rules.TornFrame, scan.Place{Frame: 3, FileOff: 500}), true},
		{"another frame", log("s-1"), in(rules.TornFrame, scan.Place{Frame: 4, FileOff: 449}), false},
		{"a line without an event", log("s-1"), in(rules.BlankLine, scan.Place{Line: 5}), true},
		{"the header instead of a line", log("s-1"), in(rules.BlankLine, scan.Place{Line: 1}), false},
		{"the file instead of a line", log("s-1"), in(rules.BlankLine, scan.Place{}), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := load(t, func(rec *baseline.Recorder) {
				rec.Add(log("s-1"), []rules.Finding{gap, torn, in(rules.BlankLine, scan.Place{Line: 9})})
			})
			fresh, known := b.Sift(tt.subject, []rules.Finding{tt.found})
			if got := len(known) == 1; got != tt.known || len(fresh)+len(known) != 1 {
				t.Errorf("%d new, %d known; want known = %v", len(fresh), len(known), tt.known)
			}
		})
	}
}

func TestOfFindingsThatAreAlikeAsManyAreKnownAsThereWere(t *testing.T) {
	blank := in(rules.BlankLine, scan.Place{Line: 5})
	b := load(t, func(rec *baseline.Recorder) { rec.Add(log("s-1"), []rules.Finding{blank, blank}) })
	fresh, known := b.Sift(log("s-1"), []rules.Finding{blank, blank, blank})
	if len(fresh) != 1 || len(known) != 2 {
		t.Errorf("%d new, %d known; want 1 and 2", len(fresh), len(known))
	}
}

func TestWhatIsWrongInAStoreIsKnownByItsPathBelow(t *testing.T) {
	flat := func(path string) []rules.Finding { return []rules.Finding{{Rule: rules.FlatLog, Path: path}} }
	b := load(t, func(rec *baseline.Recorder) {
		rec.Add(baseline.Store(&rules.StoreResult{Path: filepath.Join("a", "sessions")}), flat(filepath.Join("a", "sessions", "p", "x.jsonl")))
	})
	moved := baseline.Store(&rules.StoreResult{Path: filepath.Join("b", "sessions")})
	if fresh, _ := b.Sift(moved, flat(filepath.Join("b", "sessions", "p", "y.jsonl"))); len(fresh) != 1 {
		t.Error("another path is known")
	}
	if _, known := b.Sift(moved, flat(filepath.Join("b", "sessions", "p", "x.jsonl"))); len(known) != 1 {
		t.Error("the same path in a store that was moved is new")
	}
}

func TestGoneNamesWhatNoLongerOccurs(t *testing.T) {
	b := load(t, func(rec *baseline.Recorder) {
		rec.Add(log("s-1"), []rules.Finding{at(rules.SeqGap, 17), at(rules.SeqGap, 9), at(rules.CRLF, 3)})
		rec.Add(log("s-2"), []rules.Finding{at(rules.SeqGap, 17)})
	})
	b.Sift(log("s-1"), []rules.Finding{at(rules.CRLF, 3)})
	gone, unchecked := b.Gone()
	got := [][]string{words(gone), words(unchecked)}
	want := [][]string{
		{"TL301 seq-gap at seq 9 of session s-1", "TL301 seq-gap at seq 17 of session s-1"},
		{"TL301 seq-gap at seq 17 of session s-2"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func words(entries []*baseline.Entry) (all []string) {
	for _, e := range entries {
		all = append(all, e.String())
	}
	return all
}

func TestTheFileDependsOnTheFindingsOnly(t *testing.T) {
	a := func(rec *baseline.Recorder) {
		rec.Add(log("s-1"), []rules.Finding{at(rules.SeqGap, 17), at(rules.SeqGap, 9)})
		rec.Add(log("s-\x1b\xff"), []rules.Finding{at(rules.CRLF, 3)})
	}
	b := func(rec *baseline.Recorder) {
		rec.Add(log("s-\x1b\xff"), []rules.Finding{at(rules.CRLF, 3)})
		rec.Add(log("s-1"), []rules.Finding{at(rules.SeqGap, 9), at(rules.SeqGap, 17)})
	}
	const want = `{"version":1,"findings":[
{"fingerprint":"bb33","session":"s-\u001b\\xff","rule":"TL214","name":"crlf","place":"seq 3"}
,{"fingerprint":"28f6","session":"s-1","rule":"TL301","name":"seq-gap","place":"seq 9"}
,{"fingerprint":"002c","session":"s-1","rule":"TL301","name":"seq-gap","place":"seq 17"}
]}
`
	first, second := read(t, write(t, a)), read(t, write(t, b))
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("the order of the logs matters:\n%s", diff)
	}
	if diff := cmp.Diff(want, shortened(first)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := read(t, write(t, func(*baseline.Recorder) {})); got != "{\"version\":1,\"findings\":[]}\n" {
		t.Errorf("an empty baseline is %q", got)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// shortened keeps four digits of each fingerprint: enough to see it change.
func shortened(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if before, after, ok := strings.Cut(line, `"fingerprint":"`); ok {
			lines[i] = before + `"fingerprint":"` + after[:4] + after[64:]
		}
	}
	return strings.Join(lines, "")
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	const fp = `"0000000000000000000000000000000000000000000000000000000000000000"`
	tests := []struct {
		name string
		text string
		want string
	}{
		{"nothing", "", "not a baseline: unexpected end of JSON input"},
		{"another file", "seq-gap\n", "not a baseline: invalid character 's' looking for beginning of value"},
		{"another JSON document", `{"schemaVersion":1,"findings":[]}`, "not a baseline: version or findings are missing"},
		{"a list", "[]", "not a baseline: json: cannot unmarshal array"},
		{"no findings", `{"version":1}`, "not a baseline: version or findings are missing"},
		{"a later version", `{"version":2,"entries":[]}`, "a baseline of version 2, want version 1"},
		{"a finding without a fingerprint", `{"version":1,"findings":[{"rule":"TL301"}]}`, "finding 1 is not as turnlint writes it"},
		{"a finding less than once", `{"version":1,"findings":[{"fingerprint":` + fp + `,"count":-1}]}`, "finding 1 is not as turnlint writes it"},
		{"a finding twice", `{"version":1,"findings":[{"fingerprint":` + fp + `},{"fingerprint":` + fp + `}]}`, "finding 2 is not as turnlint writes it"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := baseline.Load(file(t, tt.text))
			wantError(t, err, "b.json: "+tt.want)
		})
	}
	t.Run("no file", func(t *testing.T) {
		_, err := baseline.Load(filepath.Join(t.TempDir(), "b.json"))
		wantError(t, err, "b.json: ")
	})
	t.Run("a directory", func(t *testing.T) {
		dir := t.TempDir()
		_, err := baseline.Load(dir)
		wantError(t, err, ": not a regular file")
	})
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	var e *baseline.Error
	if !errors.As(err, &e) || !strings.Contains(e.Error(), want) || e.Hint == "" {
		t.Errorf("error %v, want …%s", err, want)
	}
}

package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/report"
)

// machineFormats are those that can be read back.
var machineFormats = []string{"json", "ndjson", "sarif"}

func read(t *testing.T, text string) *report.Report {
	t.Helper()
	r, err := report.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAReportThatIsReadBackMakesEveryReport compares the reports that the Writers
// make of what was checked with those they make of what was read back.
func TestAReportThatIsReadBackMakesEveryReport(t *testing.T) {
	all := every(t)
	// Only a URI has the bytes of a path that is not UTF-8.
	all.Files = slices.DeleteFunc(all.Files, func(f *report.File) bool { return strings.Contains(f.Path, "\xe9") })
	for _, from := range machineFormats {
		back := read(t, written(t, from, all, options))
		for _, to := range report.Formats() {
			if report.Draws(to) {
				continue // it shows more of a log than reports hold
			}
			t.Run("from "+from+" to "+to, func(t *testing.T) {
				want, got := written(t, to, all, options), written(t, to, back, options)
				if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

func TestSARIFKeepsTheBytesOfPaths(t *testing.T) {
	for _, path := range []string{"caf\xe9.jsonl", "a b/c%20d.jsonl", "C:x", "/abs/olute", "./-", "line\nfeed", "\u202egnp"} {
		t.Run(fmt.Sprintf("%q", path), func(t *testing.T) {
			all := &report.Report{Files: []*report.File{{Path: path, Problem: "gone"}}}
			if got := read(t, written(t, "sarif", all, options)).Files[0].Path; got != path {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestReadSaysWhatIsWrong(t *testing.T) {
	all := &report.Report{Stores: stores(), Files: files()}
	json, ndjson, sarif := written(t, "json", all, options), written(t, "ndjson", all, options), written(t, "sarif", all, options)
	swap := func(text, old, replacement string) string {
		t.Helper()
		if !strings.Contains(text, old) {
			t.Fatalf("%q is not in the report", old)
		}
		return strings.Replace(text, old, replacement, 1)
	}
	lastFinding := ndjson[:strings.LastIndex(ndjson, `"kind":"finding"`)]
	afterFinding := ndjson[:len(lastFinding)+strings.Index(ndjson[len(lastFinding):], "\n")+1]
	tests := []struct {
		name, text, want string
	}{
		{"nothing", "", "not a report: it is empty"},
		{"a log", `{"type":"session","version":0}` + "\n" + `{"type":"turn/start"}`, "not a report of turnlint in json, ndjson or sarif"},
		{"two reports", json + json, "not a report: more follows the end of the document"},
		{"another document", `{"version":1,"findings":[]}`, "not a report of turnlint in json, ndjson or sarif"},
		{"text", "a.jsonl: dsh opens it", "not a report: invalid character 'a' looking for beginning of value"},
		{"half a document", json[:len(json)/2], "the report is cut short"},
		{"half a line", ndjson[:len(ndjson)-9], "the report is cut short"},
		{"findings without their file", afterFinding, "the report is cut short: findings without the summary of their file"},
		{"half of a SARIF log", sarif[:len(sarif)/2], "the report is cut short"},
		{"json of a later version", swap(json, `"schemaVersion":1`, `"schemaVersion":2`), "a report of schema version 2, want version 1"},
		{"ndjson of a later version", swap(ndjson, `"schemaVersion":1`, `"schemaVersion":2`), "a report of schema version 2, want version 1"},
		{"ndjson without a version", swap(ndjson, `"schemaVersion":1,`, ""), "a report of schema version 0, want version 1"},
		{"SARIF of a later version", swap(sarif, `"schemaVersion":1`, `"schemaVersion":2`), "a report of schema version 2, want version 1"},
		{"SARIF of another tool", swap(sarif, `"name":"turnlint"`, `"name":"eslint"`), `a report of the tool "eslint", want one of turnlint`},
		{"an unknown rule", swap(ndjson, `"TL805"`, `"TL999"`), `unknown rule "TL999" "flat-log": another version of turnlint wrote the report`},
		{"an unknown severity", swap(ndjson, `"severity":"error"`, `"severity":"fatal"`), `unknown severity "fatal": want error, warning or note`},
		{"an unknown verdict", swap(ndjson, `"verdict":"damaged"`, `"verdict":"fine"`), `not a report: unknown verdict "fine"`},
		{"an unknown kind", swap(ndjson, `"kind":"store"`, `"kind":"shop"`), `not a report of turnlint: a record of kind "shop"`},
		{"a finding too few", swap(json, `"errors":2`, `"errors":3`), "not a report as turnlint writes it: the findings are not those that its summaries count"},
		{"a finding too many", swap(ndjson, `"errors":2`, `"errors":1`), "not a report as turnlint writes it: the findings are not those that its summaries count"},
		{"a result of no artifact", swap(sarif, `"artifacts":[`, `"artifacts":[],"x":[`), "not a report as turnlint writes it: the findings are not those that its summaries count"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := report.Read([]byte(tt.text))
			if err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// TestNoPrefixOfAReportIsTakenForAReport cuts reports at many bytes. A report that
// is cut short is an error, but for ndjson behind the summary of a file.
func TestNoPrefixOfAReportIsTakenForAReport(t *testing.T) {
	all := &report.Report{Stores: stores(), Files: files()[:6]}
	for _, format := range machineFormats {
		t.Run(format, func(t *testing.T) {
			text := strings.TrimRight(written(t, format, all, options), "\n")
			for n := 0; n < len(text); n += 1 + len(text)/2000 {
				_, err := report.Read([]byte(text[:n]))
				if err == nil && (format != "ndjson" || !strings.HasSuffix(strings.TrimSpace(text[:n]), "}")) {
					t.Fatalf("the first %d bytes are a report", n)
				}
			}
		})
	}
}

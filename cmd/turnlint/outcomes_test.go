package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/corpus"
	"github.com/turnlint/turnlint/report"
)

// run runs the program in this process and returns its exit code and what it
// printed.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	p := program()
	var out, errors bytes.Buffer
	p.App.Reader, p.App.Writer, p.App.ErrWriter = strings.NewReader(""), &out, &errors
	code = p.Run(t.Context(), args)
	return code, out.String(), errors.String()
}

// inFolder makes a folder with files, each a copy of a log of the corpus, the
// working directory.
func inFolder(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, from := range files {
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "corpus", filepath.FromSlash(from)))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), data)
	}
	t.Chdir(dir)
}

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// outcomes are all ways in which a check can end, with their exit codes.
var outcomes = []struct {
	name string
	args []string
	want int
}{
	{"clean", []string{"clean.jsonl"}, exitClean},
	{"notes", []string{"notes.jsonl"}, exitClean},
	{"notes that fail", []string{"notes.jsonl", "--fail-on", "note"}, exitFindings},
	{"warnings", []string{"warnings.jsonl"}, exitClean},
	{"warnings that fail", []string{"warnings.jsonl", "--fail-on", "warning"}, exitFindings},
	{"errors", []string{"errors.jsonl", "clean.jsonl"}, exitFindings},
	{"errors that do not fail", []string{"errors.jsonl", "--fail-on", "never"}, exitClean},
	{"a version of dsh that refuses a log", []string{"packed.jsonl", "--reader", "2026-06-15"}, exitFindings},
	{"an input that is missing", []string{"missing.jsonl", "errors.jsonl"}, exitUnread},
	{"an input that is no log", []string{"prose.jsonl", "--fail-on", "never"}, exitUnread},
	{"a line that is not processed", []string{"clean.jsonl", "--max-line", "64", "--fail-on", "never"}, exitUnread},
	{"a directory without logs", []string{"nothing"}, exitUnread},
	{"a fault of the store", []string{"sessions"}, exitFindings},
	{"a fault of the store that does not fail", []string{"sessions", "--fail-on", "never"}, exitClean},
	{"an unknown flag", []string{"clean.jsonl", "--nonsense"}, exitUsage},
	{"an output that cannot be written", []string{"errors.jsonl", "--output", "json=no/where.json"}, exitUsage},
}

func TestExitCodesAreTheSameInEveryFormat(t *testing.T) {
	inFolder(t, map[string]string{
		"clean.jsonl":                       "ok/two-turns-with-a-tool-call.jsonl",
		"notes.jsonl":                       "ok/windows-line-endings.jsonl",
		"warnings.jsonl":                    "torn/cut-before-the-turn-end.jsonl",
		"errors.jsonl":                      "bad/batch-missing-in-the-middle.jsonl",
		"packed.jsonl":                      "ok/packed-rows.jsonl",
		"prose.jsonl":                       "bad/notes-instead-of-a-log.jsonl",
		"nothing/readme.txt":                "bad/notes-instead-of-a-log.jsonl",
		"sessions/--p--/s/session.jsonl":    "ok/two-turns-with-a-tool-call.jsonl",
		"sessions/--home-ada--/flat.jsonl":  "ok/two-turns-with-a-tool-call.jsonl",
		"sessions/--p--/t/session.jsonl":    "ok/two-turns-with-a-tool-call.jsonl",
		"sessions/--home-ada--/s/log.jsonl": "ok/two-turns-with-a-tool-call.jsonl",
	})
	for _, tt := range outcomes {
		for _, format := range report.Formats() {
			t.Run(tt.name+" as "+format, func(t *testing.T) {
				code, stdout, _ := run(t, append([]string{"--format", format}, tt.args...)...)
				if code != tt.want {
					t.Errorf("exit code %d, want %d", code, tt.want)
				}
				if code == exitUsage && stdout != "" {
					t.Errorf("printed %q", stdout)
				}
				if code, _, _ := run(t, append([]string{"--quiet", "--output", format + "=" + filepath.Join(t.TempDir(), "r")}, tt.args...)...); code != tt.want {
					t.Errorf("exit code %d with --output, want %d", code, tt.want)
				}
			})
		}
		if tt.want == exitUsage {
			continue
		}
		for _, format := range []string{"json", "ndjson", "sarif"} {
			t.Run(tt.name+" merged from "+format, func(t *testing.T) {
				part := filepath.Join(t.TempDir(), "part")
				run(t, append([]string{"--quiet", "--output", format + "=" + part}, tt.args...)...)
				if code, _, stderr := run(t, append([]string{"merge", part}, failOnOf(tt.args)...)...); code != tt.want {
					t.Errorf("exit code %d, want %d: %s", code, tt.want, stderr)
				}
			})
		}
	}
}

// failOnOf returns the flag --fail-on among arguments, with its value.
func failOnOf(args []string) []string {
	for i, arg := range args {
		if arg == "--fail-on" {
			return args[i : i+2]
		}
	}
	return nil
}

// TestShardsOfAFleetMakeTheReportOfOneRun checks 2,000 logs in one run and in four, whose reports are
// merged.
func TestShardsOfAFleetMakeTheReportOfOneRun(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	const logs, shards = 2_000, 4
	fleet(t, logs)
	var list []string
	for i := range logs {
		// Cut in no order: what is next to each other is in different shards.
		list = append(list, fleetLog(i*7%logs))
	}
	formats := []string{"json", "ndjson", "sarif"}
	wantCode := checkList(t, "whole", list)
	worst := exitClean
	for i := range shards {
		part := list[i*logs/shards : (i+1)*logs/shards]
		worst = max(worst, checkList(t, fmt.Sprint("shard-", i), part))
	}
	if wantCode != exitUnread || worst != wantCode {
		t.Errorf("exit code %d, %d of the shards", wantCode, worst)
	}
	for _, format := range formats {
		args := []string{"merge", "--quiet", "--output", format + "=merged." + format}
		for i := range shards {
			args = append(args, fmt.Sprintf("shard-%d.%s", i, format))
		}
		if code, _, stderr := run(t, args...); code != wantCode || stderr != "" {
			t.Errorf("%s: exit code %d, want %d: %s", format, code, wantCode, stderr)
		}
		if want, got := readFile(t, "whole."+format), readFile(t, "merged."+format); want != got {
			t.Errorf("%s: %s", format, firstDifference(want, got))
		}
	}
}

// checkList checks the logs of a list, and writes reports of the given name.
func checkList(t *testing.T, name string, list []string) (code int) {
	t.Helper()
	writeFile(t, name+".txt", []byte(strings.Join(list, "\n")))
	args := []string{"--quiet", "--files-from", name + ".txt"}
	for _, format := range []string{"json", "ndjson", "sarif"} {
		args = append(args, "--output", format+"="+name+"."+format)
	}
	code, _, _ = run(t, args...)
	return code
}

// fleet makes logs in the working directory, which are those of the corpus with
// an id each. A path in a hundred is none.
func fleet(t *testing.T, n int) {
	t.Helper()
	logs, err := corpus.Load(filepath.Join("..", "..", "testdata", "corpus"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for i := range n {
		if i%100 == 99 {
			continue
		}
		data := logs[i%len(logs)].Data
		writeFile(t, fleetLog(i), bytes.Replace(data, []byte(`"lantern-1"`), fmt.Appendf(nil, `"lantern-%d"`, i), 1))
	}
}

func fleetLog(i int) string { return fmt.Sprintf("host-%d/run %d.jsonl", i%9, i) }

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// firstDifference shows where two long texts differ first.
func firstDifference(want, got string) string {
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	cut := func(s string) string { return s[max(at-60, 0):min(at+60, len(s))] }
	return cmp.Diff(cut(want), cut(got))
}

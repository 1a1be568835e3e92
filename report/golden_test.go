package report_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/corpus"
	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
)

// options have a version that stands for that of turnlint in expected reports.
var options = report.Options{Version: "v1.2.3"}

// golden compares a report with the expected one in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// wholeCorpus is what one run over testdata/corpus finds, and an input that could
// not be read.
func wholeCorpus(t *testing.T) *report.Report {
	t.Helper()
	logs, err := corpus.Load(filepath.FromSlash("../testdata/corpus"))
	if err != nil {
		t.Fatal(err)
	}
	all := &report.Report{Stores: stores()}
	for i := range logs {
		log := &logs[i]
		result, err := rules.Check(bytes.NewReader(log.Data), int64(len(log.Data)), rules.Options{Path: "/logs/" + log.Path})
		if err != nil {
			t.Fatal(err)
		}
		all.Files = append(all.Files, &report.File{Path: log.Path, Result: result})
	}
	all.Files = append(all.Files, &report.File{Path: "gone.jsonl", Problem: "no such file or directory"})
	return all
}

// written returns a report in a format.
func written(t *testing.T, format string, r *report.Report, opt report.Options) string {
	t.Helper()
	var b bytes.Buffer
	w, err := report.New(format, &b, opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Write(w); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReportsOfTheCorpus(t *testing.T) {
	all := wholeCorpus(t)
	for _, format := range report.Formats() {
		if report.Draws(format) {
			continue // it shows the logs themselves, and has golden files of its own
		}
		t.Run(format, func(t *testing.T) {
			got := written(t, format, all, options)
			if format == "sarif" {
				got = sarifDigest(t, got)
			}
			golden(t, "corpus."+format, got)
		})
	}
}

// sarifDigest returns a SARIF log for people: a line each for run, artifacts,
// rules, notifications and results, without members that say nothing and without
// the pages of the rules, which docs/rules.md has.
func sarifDigest(t *testing.T, text string) string {
	t.Helper()
	var log any
	if err := json.Unmarshal([]byte(text), &log); err != nil {
		t.Fatal(err)
	}
	run := pruned(log).(map[string]any)["runs"].([]any)[0].(map[string]any)
	driver := run["tool"].(map[string]any)["driver"].(map[string]any)
	invocation := run["invocations"].([]any)[0].(map[string]any)
	var lists []any
	for _, list := range []struct {
		of   map[string]any
		name string
	}{{run, "artifacts"}, {driver, "rules"}, {invocation, "toolExecutionNotifications"}, {run, "results"}} {
		elements, _ := list.of[list.name].([]any)
		lists = append(lists, elements...)
		delete(list.of, list.name)
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, element := range append([]any{run}, lists...) {
		if rule, ok := element.(map[string]any); ok {
			delete(rule, "help")
			delete(rule, "fullDescription")
		}
		if err := enc.Encode(element); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// pruned returns a JSON value without empty arrays and objects and without the
// number -1, which in SARIF means that there is none.
func pruned(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if member = pruned(member); member == nil {
				delete(v, name)
				continue
			}
			v[name] = member
		}
		if len(v) == 0 {
			return nil
		}
	case []any:
		for i := range v {
			v[i] = pruned(v[i])
		}
		if len(v) == 0 {
			return nil
		}
	case float64:
		if v == -1 {
			return nil
		}
	}
	return v
}

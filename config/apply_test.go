package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/config"
	"github.com/turnlint/turnlint/rules"
)

func load(t *testing.T, text string) *config.Config {
	t.Helper()
	name := filepath.Join(t.TempDir(), config.Name)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// found returns a finding of each rule.
func found(all ...*rules.Rule) (findings []rules.Finding) {
	for _, r := range all {
		findings = append(findings, rules.Finding{Rule: r, Severity: r.Severity, Reader: r.Reader})
	}
	return findings
}

func TestApply(t *testing.T) {
	const text = `rules:
  crlf: off
  seq-gap: warning
  open-turn: error
paths:
  - {match: 'old/**', reason: r, rules: {crlf: note, seq-gap: note}}
  - {match: 'old/*/new.jsonl', reason: r, rules: {crlf: warning}}
`
	tests := []struct {
		name string
		path string
		want []string // name, severity; then regraded, hidden
	}{
		{"settings for all logs", "a.jsonl", []string{"seq-gap warning", "open-turn error", "lone-surrogate " + rules.LoneSurrogate.Severity.String(), "2 1"}},
		{"those of a path are more important", "old/a.jsonl", []string{"crlf note", "seq-gap note", "open-turn error", "lone-surrogate " + rules.LoneSurrogate.Severity.String(), "2 0"}},
		{"of two paths the last one counts", "old/b/new.jsonl", []string{"crlf warning", "seq-gap note", "open-turn error", "lone-surrogate " + rules.LoneSurrogate.Severity.String(), "3 0"}},
	}
	c := load(t, text)
	dir := filepath.Dir(c.File)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := c.Log(filepath.Join(dir, tt.path)).Apply(found(rules.CRLF, rules.SeqGap, rules.OpenTurn, rules.LoneSurrogate))
			var got []string
			for _, f := range a.Findings {
				got = append(got, f.Rule.Name+" "+f.Severity.String())
			}
			got = append(got, fmt.Sprint(a.Regraded, a.Hidden))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatDshDoesNotReadIsNeverHidden(t *testing.T) {
	c := load(t, "rules: {crlf: off}\n")
	for reader, want := range map[rules.Reaction]config.Applied{
		rules.Refuses: {Regraded: 1},
		rules.Drops:   {Regraded: 1},
		rules.Repairs: {Hidden: 1},
		rules.Accepts: {Hidden: 1},
	} {
		findings := found(rules.CRLF)
		findings[0].Reader, findings[0].Severity = reader, rules.Error
		a := c.Log("").Apply(findings)
		if a.Regraded != want.Regraded || a.Hidden != want.Hidden || len(a.Findings) != want.Regraded {
			t.Errorf("dsh %s it: %d re-graded, %d hidden, %d left", reader, a.Regraded, a.Hidden, len(a.Findings))
		}
		if want.Regraded > 0 && a.Findings[0].Severity != rules.Note {
			t.Errorf("dsh %s it: severity %s, want note", reader, a.Findings[0].Severity)
		}
	}
}

func TestPatterns(t *testing.T) {
	tests := []struct {
		name    string
		pattern string
		path    string // relative to the directory of the file
		want    bool
	}{
		{"a file", "a.jsonl", "a.jsonl", true},
		{"a file further down does not match", "a.jsonl", "b/a.jsonl", false},
		{"any depth", "**/a.jsonl", "b/c/a.jsonl", true},
		{"any depth is also none", "**/a.jsonl", "a.jsonl", true},
		{"everything below", "b/**", "b/c/a.jsonl", true},
		{"a star stays in its part", "b/*", "b/c/a.jsonl", false},
		{"alternatives", "{a,b}/*.jsonl", "b/a.jsonl", true},
		{"case counts", "A.jsonl", "a.jsonl", false},
		{"a log outside", "b/**", "../b/a.jsonl", false},
		{"a log outside, with any depth", "**/b/*", "../b/a.jsonl", true},
		{"a name with brackets", `a\[1\].jsonl`, "a[1].jsonl", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := load(t, "paths: [{match: '"+tt.pattern+"', reason: r, exclude: true}]\n")
			path := filepath.Join(filepath.Dir(c.File), filepath.FromSlash(tt.path))
			if got := c.Log(path).Excluded != nil; got != tt.want {
				t.Errorf("%s matches %s: %v", tt.pattern, tt.path, got)
			}
		})
	}
	if load(t, "paths: [{match: '**', reason: r, exclude: true}]\n").Log("").Excluded != nil {
		t.Error("a pattern matches a log that has no path")
	}
}

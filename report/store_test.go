package report_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

var (
	flat = &rules.Rule{
		ID: "TL805", Name: "flat-log", Class: rules.Incompatible, Severity: rules.Error,
		Authority: rules.Layout, Reader: rules.Refuses, Fix: rules.Assisted,
	}
	stray = &rules.Rule{
		ID: "TL808", Name: "stray-copy", Class: rules.Advice, Severity: rules.Warning,
		Authority: rules.Layout, Reader: rules.Accepts, Fix: rules.Assisted,
	}
)

// stores are sessions directories in every state.
func stores() []*report.Store {
	about := func(rule *rules.Rule, path, message string) rules.Finding {
		f := finding(rule, scan.Place{}, message)
		f.Path = path
		return f
	}
	refused := about(flat, "bad/--p--/a.jsonl", "the store is refused")
	refused.Consequences = 2
	refused.Others = []rules.Other{{Path: "bad/--p--/b\xe9.jsonl", Message: "another one"}}
	system := about(flat, "closed/--p--", "permission denied")
	return []*report.Store{
		{StoreResult: &rules.StoreResult{Path: "clean", Projects: 1, Sessions: 2, Lists: true}},
		{StoreResult: &rules.StoreResult{
			Path: "bad", Projects: 1, Sessions: 3, Refusal: session.Refuse(`session artifact "a\b"`),
			Findings: []rules.Finding{refused, about(stray, "bad/--p--/s/session.jsonl~", "a copy")},
		}},
		{StoreResult: &rules.StoreResult{Path: "closed", Projects: 1, Findings: []rules.Finding{system}}},
		{StoreResult: &rules.StoreResult{
			Path: "odd", Projects: 1, Sessions: 1, Lists: true,
			Findings: []rules.Finding{about(stray, "odd/--p--/s/session.jsonl~", "a copy")},
		}},
	}
}

func TestReportsOfStores(t *testing.T) {
	refused := result(scan.Incompatible)
	refused.StoreRefuses, refused.Reading.Load.Refusal = true, session.Refuse("session artifact")
	for _, format := range report.Formats() {
		t.Run(format, func(t *testing.T) {
			var got bytes.Buffer
			w, err := report.New(format, &got, report.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range stores() {
				if err := w.Store(s); err != nil {
					t.Fatal(err)
				}
			}
			write(t, w, []*report.File{{Path: "bad/--p--/s/session.jsonl", Result: refused}})
			path := filepath.Join("testdata", "stores."+format+".golden")
			if *update {
				if err := os.WriteFile(path, got.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestReportsOfStoresFailWhenTheyCannotBeWritten(t *testing.T) {
	for _, format := range report.Formats() {
		w, err := report.New(format, full{}, report.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Store(stores()[1]), w.Close()); !errors.Is(err, errFull) {
			t.Errorf("%s: got %v", format, err)
		}
	}
}

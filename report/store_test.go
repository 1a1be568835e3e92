package report_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

var (
	flat  = rules.FlatLog
	stray = rules.StrayCopy
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
		{StoreResult: &rules.StoreResult{Path: "new.db", Lists: true, Database: true, New: true}},
		{StoreResult: &rules.StoreResult{
			Path: "other.db", Database: true, Unprocessed: true, Refusal: session.Refuse("file is not a database"),
			Findings: []rules.Finding{about(flat, "other.db", "no database")},
		}},
	}
}

func TestReportsOfStores(t *testing.T) {
	refused := result(scan.Incompatible)
	refused.StoreRefuses, refused.Reading.Load.Refusal = true, session.Refuse("session artifact")
	for _, format := range report.Formats() {
		if report.Draws(format) {
			continue // TestPageShowsStores
		}
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
			text := got.String()
			if format == "sarif" {
				text = sarifDigest(t, text)
			}
			golden(t, "stores."+format, text)
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

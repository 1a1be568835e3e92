package report_test

import (
	"bytes"
	"testing"

	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

var member = rules.ByID("TL916")

// setAside are files of which a configuration and a baseline took findings away,
// or whose verdict is that of other versions of dsh.
func setAside() []*report.File {
	known := finding(gap, scan.Place{Line: 9}, "known of old")
	regraded := finding(torn, scan.Place{Line: 3}, "only a note here")
	regraded.Severity = rules.Note

	refused := result(scan.Damaged)
	refused.Reading.Scan.Refusal = session.Refuse("seq gap")
	older := result(scan.Incompatible)
	older.Reading.Scan.Refusal = session.Refuse("seq gap")
	upgraded := result(scan.Incompatible, finding(member, scan.Place{Line: 4}, "stops an upgrade"), finding(member, scan.Place{Line: 5}, "another one"))
	upgraded.Findings[0].Answers = []rules.Answer{
		{Versions: []string{"0.1.3", "0.1.5"}, Text: "has unexpected member \"\x1b\""}, {Versions: []string{"0.1.7"}},
	}
	all := scan.ReaderVersions()
	readings := []report.Reading{
		{Version: all[1], Reading: older.Reading, Unfound: true},
		{Version: all[0], Reading: result(scan.Opens).Reading},
		{Version: all[2], Reading: refused.Reading, Unfound: true},
	}
	return []*report.File{
		{Path: "known.jsonl", Result: refused, Aside: report.Aside{Known: 3}},
		{Path: "listed.jsonl", Result: result(scan.Opens), Aside: report.Aside{Known: 1}, Known: []rules.Finding{known}},
		{Path: "regraded.jsonl", Result: result(scan.Opens, regraded), Aside: report.Aside{Regraded: 1, Hidden: 2}},
		{Path: "broken.jsonl", Result: result(scan.Damaged), Aside: report.Aside{Excluded: "broken\x1bon purpose"}},
		{Path: "fine.jsonl", Result: result(scan.Opens), Aside: report.Aside{Excluded: "odd"}},
		{Path: "readers.jsonl", Result: older, Readings: readings},
		{Path: "upgrade.jsonl", Result: upgraded},
		{Path: "reader.jsonl", Result: result(scan.Opens), Readings: readings[1:2]},
	}
}

// setAsideStores are sessions directories of which a configuration and a baseline
// took findings away.
func setAsideStores() []*report.Store {
	known := finding(flat, scan.Place{}, "known of old")
	known.Path = "listed/a.jsonl"
	return []*report.Store{
		{
			StoreResult: &rules.StoreResult{Path: "listed"}, Aside: report.Aside{Known: 1},
			Known: []rules.Finding{known},
		},
		{
			StoreResult: &rules.StoreResult{Path: "sessions", Refusal: session.Refuse("two encodings")},
			Aside:       report.Aside{Known: 1, Regraded: 1},
		},
	}
}

func TestWhatIsSetAsideIsCounted(t *testing.T) {
	opt := report.Options{Config: ".turnlint.yaml", Baseline: "known.json"}
	for _, format := range []string{"text", "ndjson"} {
		t.Run(format, func(t *testing.T) {
			var got bytes.Buffer
			w, err := report.New(format, &got, opt)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Store(setAsideStores()[1]); err != nil {
				t.Fatal(err)
			}
			write(t, w, setAside())
			golden(t, "aside."+format, got.String())
		})
	}
}

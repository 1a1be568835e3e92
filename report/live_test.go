package report_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// live reports updates of one log: the first one finds nothing, the others a gap,
// which is new in the second one.
func live(t *testing.T, format, message string) string {
	t.Helper()
	var out strings.Builder
	l, err := report.NewLive(format, &out, report.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := finding(rules.SeqGap, scan.Place{Line: 9, Len: 2}, message)
	for _, update := range []struct {
		file  *report.File
		fresh []rules.Finding
	}{
		{&report.File{Path: "log.jsonl", Result: result(scan.Opens)}, nil},
		{&report.File{Path: "log.jsonl", Result: result(scan.Damaged, found)}, []rules.Finding{found}},
		{&report.File{Path: "log.jsonl", Result: result(scan.Damaged, found)}, nil},
	} {
		if err := l.Update(update.file, update.fresh); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

func TestALiveReportSaysWhatIsNew(t *testing.T) {
	want := `log.jsonl: dsh opens it
  log.jsonl:9  error    seq 8, expected 7  [TL301 seq-gap]
log.jsonl: dsh refuses it, it is damaged
`
	if diff := cmp.Diff(want, live(t, "text", "seq 8, expected 7")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestALiveReportForProgramsKeepsToTheSchema(t *testing.T) {
	s := schema(t, "ndjson.schema.json", true)
	lines := strings.Split(strings.TrimSuffix(live(t, "ndjson", "seq 8, expected 7"), "\n"), "\n")
	if len(lines) != 4 {
		t.Errorf("%d lines, want the summary three times and a finding", len(lines))
	}
	for _, line := range lines {
		validate(t, s, line)
	}
}

func TestALiveReportLetsNoTextsOfOthersOut(t *testing.T) {
	for name, text := range hostile {
		for _, format := range report.LiveFormats() {
			t.Run(format+" of "+name, func(t *testing.T) {
				for _, r := range live(t, format, text) {
					if r != '\n' && !unicode.IsPrint(r) {
						t.Errorf("has %q", r)
					}
				}
			})
		}
	}
}

func TestALiveReportKnowsTwoFormats(t *testing.T) {
	if _, err := report.NewLive("sarif", nil, report.Options{}); err == nil {
		t.Error("there is no error")
	}
}

// The corpus test checks the sidecars of testdata/corpus. The logs are written
// by fuzz/gen; the descriptions in the sidecars are its own. After a change to
// the rules,
//
//	go test ./rules -run Corpus -update-corpus
//
// rewrites the other members. That records what the code does, not what is right:
// read the difference before it is committed.

package rules_test

import (
	"bytes"
	"flag"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/turnlint/turnlint/internal/corpus"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

var updateCorpus = flag.Bool("update-corpus", false, "rewrite the sidecars of testdata/corpus")

var corpusDir = filepath.FromSlash("../testdata/corpus")

func TestCorpusIsReadAsItsSidecarsSay(t *testing.T) {
	logs, err := corpus.Load(corpusDir)
	if err != nil {
		t.Fatal(err)
	}
	if len(logs) < 45 {
		t.Errorf("found %d logs, want at least 45", len(logs))
	}
	for _, log := range logs {
		t.Run(log.Path, func(t *testing.T) {
			got := expectation(t, &log)
			if *updateCorpus {
				sidecar := filepath.Join(corpusDir, filepath.FromSlash(corpus.Sidecar(log.Path)))
				if err := corpus.WriteSidecar(sidecar, got); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(log.Expect, got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("sidecar (-want +got):\n%s", diff)
			}
		})
	}
}

// TestCorpusFoldersSayHowTheLogsAre holds the folders to their names: nothing is
// wrong with an ok log, dsh repairs a torn one unless its header is torn, and a
// bad one has an error.
func TestCorpusFoldersSayHowTheLogsAre(t *testing.T) {
	logs, err := corpus.Load(corpusDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, log := range logs {
		t.Run(log.Path, func(t *testing.T) {
			worst := worstSeverity(t, check(t, &log))
			folder, name := path.Split(log.Path)
			switch folder = path.Clean(folder); {
			case folder == "ok" && (log.Expect.Verdict != "opens" && !strings.HasPrefix(name, "projection-") || worst > rules.Note):
				t.Errorf("verdict %s with a %s, want opens or a projection, and nothing above a note", log.Expect.Verdict, worst)
			case folder == "bad" && worst < rules.Warning:
				t.Errorf("worst finding is a %s, want a warning or an error", worst)
			}
		})
	}
}

func check(t *testing.T, log *corpus.Log) *rules.Result {
	t.Helper()
	result, err := rules.Check(bytes.NewReader(log.Data), int64(len(log.Data)), rules.Options{Path: path.Base(log.Path)})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func worstSeverity(t *testing.T, result *rules.Result) (worst rules.Severity) {
	t.Helper()
	for i := range result.Findings {
		worst = max(worst, result.Findings[i].Severity)
	}
	return worst
}

// expectation is the sidecar that the result of a check makes.
func expectation(t *testing.T, log *corpus.Log) corpus.Expect {
	t.Helper()
	result := check(t, log)
	reading := result.Reading
	e := corpus.Expect{
		Description: log.Expect.Description,
		Verdict:     reading.Verdict.String(),
		Events:      reading.Scan.Events,
		Recovered:   reading.Scan.Recovered,
		Closers:     len(reading.Closers),
		Repair:      crashRepair(reading),
	}
	if refusal := reading.Refusal(); refusal != nil {
		e.ReaderMessage = refusal.Text
	}
	for i := range result.Findings {
		f := &result.Findings[i]
		e.Findings = append(e.Findings, corpus.Finding{Rule: f.Rule.ID, Name: f.Rule.Name, Line: f.Place.Line, Seq: f.Seq})
	}
	return e
}

// crashRepair names what dsh's own recovery does to the file.
func crashRepair(r *scan.Reading) string {
	switch {
	case r.Refusal() != nil || r.Bricks:
		return "refused"
	case r.Scan.Torn && len(r.Closers) > 0:
		return "trims and closes"
	case r.Scan.Torn:
		return "trims"
	case len(r.Closers) > 0:
		return "closes"
	}
	return "none"
}

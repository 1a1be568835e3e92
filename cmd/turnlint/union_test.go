package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/turnlint/turnlint/internal/corpus"
)

// lanternHeader is the sound header of most plain logs of the corpus.
const lanternHeader = `{"type":"session","version":0,"id":%q,"createdAt":1787216400000,"cwd":"/home/ada/lantern","delegationDepth":0}`

// TestADirectoryHasTheFindingsOfItsLogs checks a sessions directory that dsh can list,
// and each log in it alone.
func TestADirectoryHasTheFindingsOfItsLogs(t *testing.T) {
	logs, err := corpus.Load(filepath.FromSlash("../../testdata/corpus"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	var alone []string
	placed := 0
	for i, log := range logs {
		id := fmt.Sprintf("lantern-%03d", i)
		header, events, _ := bytes.Cut(log.Data, []byte("\n"))
		if string(header) != fmt.Sprintf(lanternHeader, "lantern-1") {
			continue
		}
		text := append([]byte(fmt.Sprintf(lanternHeader, id)+"\n"), events...)
		placed++
		name := filepath.Join("sessions", "--home-ada-lantern--", id, "session.jsonl")
		writeFile(t, name, text)
		alone = append(alone, findingsIn(t, name)...)
	}
	together := findingsIn(t, "sessions")
	slices.Sort(alone)
	slices.Sort(together)
	if diff := cmp.Diff(alone, together); diff != "" {
		t.Errorf("the findings of the logs, and of their directory (-want +got):\n%s", diff)
	}
	if placed < 40 || len(together) < placed/2 {
		t.Errorf("%d findings in %d logs", len(together), placed)
	}
}

// findingsIn returns the findings in a log or a directory, as records.
func findingsIn(t *testing.T, name string) (findings []string) {
	t.Helper()
	_, stdout, _ := run(t, name, "--format", "ndjson")
	for line := range strings.Lines(stdout) {
		if gjson.Get(line, "kind").String() == "finding" {
			findings = append(findings, line)
		}
	}
	return findings
}

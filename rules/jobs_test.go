package rules_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/biglog"
	"github.com/turnlint/turnlint/internal/corpus"
	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/rules"
)

// answer is all that a check says of a log.
func answer(t *testing.T, log []byte, opt rules.Options) string {
	t.Helper()
	var b strings.Builder
	result, err := rules.Check(bytes.NewReader(log), int64(len(log)), opt)
	if err != nil {
		t.Fatal(err)
	}
	reading := *result.Reading
	fmt.Fprintln(&b, reading.Verdict, reading.Refusal(), reading.Dropped, len(reading.Closers), result.Events, result.Turns, result.Dialect, result.Container.TextLen)
	for _, f := range result.Findings {
		fmt.Fprintln(&b, f.Rule.ID, f.Severity, f.Reader, f.Place, f.Consequences, f.Related, f.Message)
	}
	return b.String()
}

// damaged returns sound logs of many batches of lines, with damage of several kinds
// far behind their starts.
func damaged(t *testing.T) map[string][]byte {
	t.Helper()
	logs := make(map[string][]byte)
	for _, framing := range biglog.Framings {
		log := bigLog(t, biglog.Mixed, framing, 1<<20)
		at := len(log) * 2 / 3
		logs[string(framing)] = log
		logs[string(framing)+", cut"] = log[:at]
		logs[string(framing)+", a byte flipped"] = slices.Concat(log[:at], []byte{^log[at]}, log[at+1:])
		logs[string(framing)+", bytes missing"] = slices.Concat(log[:at], log[at+10_000:])
		logs[string(framing)+", bytes twice"] = slices.Concat(log[:at], log[at-10_000:])
		logs[string(framing)+", zeros"] = slices.Concat(log[:at], make([]byte, 1000), log[at+1000:])
	}
	return logs
}

func TestTheAnswerDoesNotDependOnTheNumberOfProcessors(t *testing.T) {
	logs := damaged(t)
	files, err := corpus.Load(filepath.FromSlash("../testdata/corpus"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		logs[file.Path] = file.Data
	}
	for name, log := range logs {
		want := answer(t, log, rules.Options{Jobs: 1})
		for _, jobs := range []int{2, 5} {
			if diff := cmp.Diff(want, answer(t, log, rules.Options{Jobs: jobs})); diff != "" {
				t.Errorf("%s with %d jobs (-want +got):\n%s", name, jobs, diff)
			}
		}
	}
}

func TestTheAnswerToEveryVectorDoesNotDependOnTheNumberOfProcessors(t *testing.T) {
	vectors := vectortest.Load(t)
	for i := range vectors {
		log := vectors[i].Image(t)
		want := answer(t, log, rules.Options{})
		if diff := cmp.Diff(want, answer(t, log, rules.Options{Jobs: 3})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", vectors[i].ID, diff)
		}
	}
}

package repair_test

import (
	"crypto/sha256"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/turnlint/turnlint/internal/corpus"
	"github.com/turnlint/turnlint/repair"
)

// maxTruncated bounds the logs that are cut at every byte.
const maxTruncated = 8 << 10

func TestEveryTruncationIsRepairedOrRefused(t *testing.T) {
	logs, err := corpus.Load(filepath.FromSlash("../testdata/corpus"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tiny.jsonl", "tiny-packed.jsonl", "tiny.jsonl.zstd"} {
		logs = append(logs, corpus.Log{Path: name, Data: testLog(t, name), Expect: corpus.Expect{Verdict: "opens"}})
	}
	// Each reader of a small log allocates much and keeps nothing.
	gcPercent := debug.SetGCPercent(1000)
	t.Cleanup(func() { debug.SetGCPercent(gcPercent) })
	var seen sync.Map // the logs of the corpus have their first lines in common
	var cuts atomic.Int64
	t.Cleanup(func() { t.Logf("%d different truncations", cuts.Load()) })
	for _, log := range logs {
		if len(log.Data) > maxTruncated || testing.Short() && len(log.Data) > maxTruncated/4 {
			continue
		}
		t.Run(log.Path, func(t *testing.T) {
			t.Parallel()
			whole := lines(t, log.Data)
			step := 1
			if log.Expect.Verdict != "opens" {
				step = 5 // what is cut off is damage as well
			}
			for n := 0; n < len(log.Data); n += step {
				if _, again := seen.LoadOrStore(sha256.Sum256(log.Data[:n]), nil); !again {
					cuts.Add(1)
					checkCut(t, log.Data[:n], whole, log.Expect.Verdict)
				}
			}
		})
	}
}

// checkCut repairs a log of which only the start is left. Of a log that dsh opens
// every start that has its header can be repaired, and what is repaired opens, is
// not repaired again and holds no line but those of the whole log and closers.
func checkCut(t *testing.T, image []byte, whole []string, verdict string) {
	p := plan(t, image, repair.Options{})
	if p.Action == repair.Refuse {
		if verdict == "opens" && p.Verdict != "damaged" && p.Verdict != "unreadable" {
			t.Errorf("cut at %d: refused: %s", len(image), p.Reason)
		}
		return
	}
	got := writeUnverified(t, p, image)
	again := plan(t, got, repair.Options{})
	if again.Action != repair.Nothing || again.Verdict != "opens" {
		t.Errorf("cut at %d: the repaired log %s, and a second repair does %s", len(image), again.Verdict, again.Action)
	}
	if want := p.Ledger.Kept + p.Ledger.Synthesised; again.Ledger.Kept != want {
		t.Errorf("cut at %d: %d events after the repair, want %d", len(image), again.Ledger.Kept, want)
	}
	checkLines(t, len(image), lines(t, got), whole, len(p.Closers))
}

// checkLines checks that the lines before the closers are lines of the whole log,
// or records out of such lines, in its order.
func checkLines(t *testing.T, cut int, got, whole []string, closers int) {
	at := 0
	for _, line := range got[:len(got)-closers] {
		for at < len(whole) && !strings.Contains(whole[at], line) {
			at++
		}
		if at == len(whole) {
			t.Errorf("cut at %d: the line %.60q is not in the log", cut, line)
			return
		}
	}
}

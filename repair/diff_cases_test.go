package repair_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/diff"
	"github.com/turnlint/turnlint/internal/corpus"
	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
)

// allowances are what a user can allow a repair, one of which every case that can be
// repaired needs.
var allowances = []repair.Options{
	{},
	{AllowLoss: 1000},
	{Branch: 1},
	{Branch: 2},
	{Allow: []repair.Permission{repair.FillGaps}},
	{Header: header},
	{LikeDsh: true},
}

func TestTheDiffOfARepairIsItsLedger(t *testing.T) {
	compared := 0
	for _, c := range vectortest.Cases(t) {
		t.Run(c.Name, func(t *testing.T) {
			for _, opt := range allowances {
				if p, image := planCase(t, &c, opt); p.Action == repair.Repair {
					compareWithLedger(t, p, image)
					compared++
				}
			}
		})
	}
	t.Logf("repairs: %d compared", compared)
	if compared == 0 {
		t.Error("no repair was compared")
	}
}

func TestTheDiffOfARepairIsItsLedgerInTheCorpus(t *testing.T) {
	logs, err := corpus.Load(filepath.FromSlash("../testdata/corpus"))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, log := range logs {
		t.Run(log.Path, func(t *testing.T) {
			for _, opt := range allowances {
				if opt.LikeDsh && log.Path == "bad/false-torn-tail.jsonl.zstd" {
					continue // dsh does not know of the events in a frame whose size is damaged
				}
				if p := plan(t, log.Data, opt); p.Action == repair.Repair {
					compareWithLedger(t, p, log.Data)
					compared++
				}
			}
		})
	}
	if compared == 0 {
		t.Error("no repair was compared")
	}
}

func TestARawLineFeedInAStringIsARewrittenEvent(t *testing.T) {
	image := []byte(text(header, start1, end1, `{"type":"todo/note","seq":2,"time":30,"data":{"text":"one`, `two"},"ignorable":true}`))
	p := plan(t, image, repair.Options{})
	if p.Ledger.Rewritten != 1 {
		t.Fatalf("the ledger is %+v", p.Ledger)
	}
	compareWithLedger(t, p, image)
}

func compareWithLedger(t *testing.T, p *repair.Plan, image []byte) {
	t.Helper()
	want := diff.Counts{
		Kept: p.Ledger.Kept, Dropped: p.Ledger.Dropped, Rewritten: p.Ledger.Rewritten, Synthesised: p.Ledger.Synthesised,
	}
	d, err := diff.Compare(eventsOf(t, image), eventsOf(t, write(t, p, image)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, d.Counts); diff != "" {
		t.Errorf("with %+v (-ledger +diff):\n%s", p.Options, diff)
	}
}

func eventsOf(t *testing.T, image []byte) diff.Log {
	t.Helper()
	l, err := repair.Events(bytes.NewReader(image), int64(len(image)), scan.Auto)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

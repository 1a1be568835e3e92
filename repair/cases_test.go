package repair_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
)

func TestDamageCasesThatDshOpensAreRepairedAsTheyShouldBe(t *testing.T) {
	passed := 0
	for _, c := range vectortest.Cases(t) {
		if c.Expect.Upstream == "refuses" || c.Expect.Repair.EventsSHA256 == "" || c.Expect.Repair.FinalEvents == nil {
			continue
		}
		if t.Run(c.Name, func(t *testing.T) { checkCase(t, &c) }) {
			passed++
		}
	}
	t.Logf("cases: %d passed", passed)
	if passed == 0 {
		t.Error("no case was checked")
	}
}

func checkCase(t *testing.T, c *vectortest.Case) {
	image, err := os.ReadFile(c.Log)
	if err != nil {
		t.Fatal(err)
	}
	p := plan(t, image, repair.Options{})
	if p.Action == repair.Refuse {
		t.Fatalf("refused: %s", p.Reason)
	}
	got := write(t, p, image)
	if kept := c.Expect.Repair.KeptEvents; kept != nil && p.Ledger.Kept != int64(*kept) {
		t.Errorf("%d events kept, want %d", p.Ledger.Kept, *kept)
	}
	if final := p.Ledger.Kept + p.Ledger.Synthesised; final != int64(*c.Expect.Repair.FinalEvents) {
		t.Errorf("%d events, want %d", final, *c.Expect.Repair.FinalEvents)
	}
	if digest := vectortest.CaseEventsSHA256(canonicalEvents(t, got)); digest != c.Expect.Repair.EventsSHA256 {
		t.Errorf("digest %s, want %s", digest, c.Expect.Repair.EventsSHA256)
	}
}

// canonicalEvents returns the canonical texts of the expanded events.
func canonicalEvents(t *testing.T, image []byte) [][]byte {
	t.Helper()
	r, err := scan.NewReader(bytes.NewReader(image), int64(len(image)), scan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	for record := range r.Records() {
		switch record.Kind {
		case scan.Event:
			all = append(all, jsjson.AppendCanonical(nil, record.Event.Root))
		case scan.Row:
			for text := range record.Row.Events() {
				all = append(all, bytes.Clone(text))
			}
		}
	}
	return all
}

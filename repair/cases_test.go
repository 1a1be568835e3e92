package repair_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
)

func TestDamageCasesAreRepairedAsTheyShouldBe(t *testing.T) {
	passed := 0
	for _, c := range vectortest.Cases(t) {
		if c.Expect.Repair.Possible != "true" || c.Expect.Repair.FinalEvents == nil {
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

// planCase plans the repair of the log of a case, under its name.
func planCase(t *testing.T, c *vectortest.Case, opt repair.Options) (*repair.Plan, []byte) {
	t.Helper()
	image, err := os.ReadFile(c.Log)
	if err != nil {
		t.Fatal(err)
	}
	p, err := repair.NewPlan(bytes.NewReader(image), int64(len(image)), c.Log, opt)
	if err != nil {
		t.Fatal(err)
	}
	return p, image
}

func checkCase(t *testing.T, c *vectortest.Case) {
	p, image := planCase(t, c, repair.Options{})
	if p.Action != repair.Repair || p.Level != repair.Safe {
		t.Fatalf("%s, %s: %s", p.Action, p.Level, p.Reason)
	}
	got := write(t, p, image)
	want := &c.Expect.Repair
	if want.KeptEvents != nil && p.Ledger.Kept != int64(*want.KeptEvents) {
		t.Errorf("%d events kept, want %d", p.Ledger.Kept, *want.KeptEvents)
	}
	checkEvents(t, got, *want.FinalEvents, want.EventsSHA256)
	if repaired, ok := c.Repaired(t); ok {
		if diff := cmp.Diff(strings.Split(string(repaired), "\n"), strings.Split(logicalView(t, got), "\n")); diff != "" {
			t.Errorf("repaired log (-want +got):\n%s", diff)
		}
	}
	checkAccount(t, p)
	encoding, err := scan.ParseEncoding(p.Encoding)
	if again, _ := planCase(t, c, repair.Options{Encoding: encoding}); err != nil || !p.SameAs(again) {
		t.Error("a plan with the encoding that was found differs")
	}
	checkSecond(t, got, c.Log)
}

// checkEvents checks the events of a repaired log.
func checkEvents(t *testing.T, got []byte, events int, digest string) {
	t.Helper()
	texts := canonicalEvents(t, got)
	if len(texts) != events {
		t.Errorf("%d events, want %d", len(texts), events)
	}
	if got := vectortest.CaseEventsSHA256(texts); got != digest {
		t.Errorf("digest %s, want %s", got, digest)
	}
}

// checkAccount checks that each event that is dropped leaves for lost+found.
func checkAccount(t *testing.T, p *repair.Plan) {
	t.Helper()
	var left int64
	for _, l := range p.Leaves {
		left += l.Events
	}
	if left != p.Ledger.Dropped {
		t.Errorf("%d events leave, and %d are dropped", left, p.Ledger.Dropped)
	}
}

// checkSecond checks that a repaired log needs no repair.
func checkSecond(t *testing.T, got []byte, name string) {
	t.Helper()
	p, err := repair.NewPlan(bytes.NewReader(got), int64(len(got)), filepath.Base(name), repair.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p.Action != repair.Nothing || p.Verdict != "opens" {
		t.Errorf("a second repair does %s: the log %s: %s", p.Action, p.Verdict, p.Reason)
	}
}

// logicalView returns the header and the expanded events, one a line.
func logicalView(t *testing.T, image []byte) string {
	t.Helper()
	view := []byte(lines(t, image)[0] + "\n")
	for _, text := range canonicalEvents(t, image) {
		view = append(append(view, text...), '\n')
	}
	return string(view)
}

func TestLossyCasesAreRepairedWithPermissionOnly(t *testing.T) {
	for _, c := range vectortest.Cases(t) {
		want := &c.Expect.Repair
		if want.Possible != "lossy" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			p, _ := planCase(t, &c, repair.Options{})
			if p.Action != repair.Refuse || p.Level != repair.Lossy || p.NeedLoss != int64(want.Quarantined) {
				t.Fatalf("%s, %s, needs %d: %s\nwant a refusal that needs the loss of %d", p.Action, p.Level, p.NeedLoss, p.Reason, want.Quarantined)
			}
			p, image := planCase(t, &c, repair.Options{AllowLoss: p.NeedLoss})
			if p.Action != repair.Repair {
				t.Fatalf("%s: %s", p.Action, p.Reason)
			}
			got := write(t, p, image)
			if p.Ledger.Kept != int64(*want.KeptEvents) {
				t.Errorf("%d events kept, want %d", p.Ledger.Kept, *want.KeptEvents)
			}
			checkSecond(t, got, c.Log)
		})
	}
}

func TestTheUserChoosesTheBranchOfATrueFork(t *testing.T) {
	for _, c := range vectortest.Cases(t) {
		choices := c.Expect.Repair.Choices
		if len(choices) == 0 || choices[0].EventsSHA256 == "" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			p, image := planCase(t, &c, repair.Options{})
			if p.Action != repair.Refuse || p.Level != repair.Choice || len(p.Candidates) != len(choices) {
				t.Fatalf("%s, %s with %d candidates, want a choice of %d", p.Action, p.Level, len(p.Candidates), len(choices))
			}
			for i, want := range choices {
				p, _ := planCase(t, &c, repair.Options{Branch: i + 1})
				if p.Action != repair.Repair || p.Level != repair.Assisted {
					t.Fatalf("branch %d: %s, %s: %s", i+1, p.Action, p.Level, p.Reason)
				}
				got := write(t, p, image)
				checkEvents(t, got, want.FinalEvents, want.EventsSHA256)
				checkSecond(t, got, c.Log)
			}
		})
	}
}

func TestGapsAreFilledOnRequest(t *testing.T) {
	fill := repair.Options{Allow: []repair.Permission{repair.FillGaps}}
	passed := 0
	for _, c := range vectortest.Cases(t) {
		outcome := vectortest.CaseOutcome{EventsSHA256: c.Expect.Repair.EventsSHA256}
		switch {
		case c.Expect.Kind == "stripped-row-hole":
			outcome.FinalEvents = *c.Expect.Repair.FinalEvents
		case len(c.Expect.Repair.Alternatives) == 1:
			outcome = c.Expect.Repair.Alternatives[0]
		default:
			continue
		}
		passed++
		t.Run(c.Name, func(t *testing.T) {
			if p, _ := planCase(t, &c, repair.Options{}); p.Action != repair.Refuse || !strings.Contains(p.Next, "--allow fill-gaps") {
				t.Errorf("%s without permission; %s", p.Action, p.Next)
			}
			p, image := planCase(t, &c, fill)
			if p.Action != repair.Repair || p.Level != repair.Assisted {
				t.Fatalf("%s, %s: %s", p.Action, p.Level, p.Reason)
			}
			got := write(t, p, image)
			checkEvents(t, got, outcome.FinalEvents, outcome.EventsSHA256)
			checkSecond(t, got, c.Log)
		})
	}
	if passed != 3 {
		t.Errorf("%d cases, want 3", passed)
	}
}

func TestALostHeaderIsTakenFromAnotherFileOnRequest(t *testing.T) {
	for _, c := range vectortest.Cases(t) {
		if c.Expect.Kind != "header-frame-dropped" {
			continue
		}
		p, _ := planCase(t, &c, repair.Options{})
		if p.Action != repair.Refuse || p.Level != repair.Assisted || !strings.Contains(p.Next, "--header-from") {
			t.Errorf("%s, %s without a header; %s", p.Action, p.Level, p.Next)
		}
		p, image := planCase(t, &c, repair.Options{Header: header})
		if p.Action != repair.Repair || p.Level != repair.Assisted || p.Ledger.Kept != int64(*c.Expect.Repair.KeptEvents) {
			t.Fatalf("%s, %s, %d events: %s", p.Action, p.Level, p.Ledger.Kept, p.Reason)
		}
		got := write(t, p, image)
		if !bytes.HasSuffix(got, image) || lines(t, got)[0] != header {
			t.Error("the repaired log is not the header before the frames of the old one")
		}
		checkSecond(t, got, c.Log)
		return
	}
	t.Fatal("no case has lost its header")
}

func TestCasesThatCannotBeRepairedAreRefused(t *testing.T) {
	for _, c := range vectortest.Cases(t) {
		if c.Expect.Repair.Possible != "false" || c.Expect.Upstream != "refuses" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			p, _ := planCase(t, &c, repair.Options{AllowLoss: 1000, Branch: 1, Header: header, Allow: []repair.Permission{repair.FillGaps}})
			if p.Action != repair.Refuse || p.Reason == "" || p.Next == "" {
				t.Errorf("%s: %q; %q", p.Action, p.Reason, p.Next)
			}
		})
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

// withoutFlag is what a plan does with the log of a case while nothing is allowed, by
// what the case says of its repair.
var withoutFlag = map[vectortest.Possible]repair.Action{
	"not-needed": repair.Nothing, "true": repair.Repair,
	"assisted": repair.Refuse, "choice": repair.Refuse, "lossy": repair.Refuse, "false": repair.Refuse,
}

func TestEveryCaseGetsWhatItMayWithoutAFlag(t *testing.T) {
	passed := 0
	for _, c := range vectortest.Cases(t) {
		want := withoutFlag[c.Expect.Repair.Possible]
		switch {
		case c.Expect.Input.Root != "":
			want = repair.Nothing // the log is sound; where it lies is another matter
		case c.Expect.Upstream == "loads":
			want = repair.Nothing // what dsh accepts is left alone
		}
		passed++
		if p, _ := planCase(t, &c, repair.Options{}); p.Action != want {
			t.Errorf("%s: %s, want %s: %s", c.Name, p.Action, want, p.Reason)
		}
	}
	if passed != 59 {
		t.Errorf("%d cases, want 59", passed)
	}
}

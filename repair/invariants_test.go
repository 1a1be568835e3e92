package repair

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/scan"
)

// The invariants of every repair, whatever is wrong with the log:
//
//	I1  no lie          dsh opens a repaired log
//	I3  no invention    each event of it is one of the log, or listed as made up
//	I4  no silent loss  each event of the log is kept or leaves for lost+found
//	I5  idempotent      a repaired log needs no repair
//	I6  deterministic   the same log gives the same bytes
//
// (I2, no harm, is about publishing: see the tests with faults.)

// failer is what tests and properties have in common.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// checkInvariants repairs an image three times: with nothing allowed, with the loss
// that a refusal asks for, and with everything allowed. It reports whether there was
// a repair each time that something was allowed.
func checkInvariants(t failer, image []byte, name string) bool {
	t.Helper()
	return checkInvariantsWith(t, image, name, everything())
}

// checkInvariantsWith does so for a log for which opt allows everything.
func checkInvariantsWith(t failer, image []byte, name string, opt Options) bool {
	t.Helper()
	p := planFor(t, image, name, Options{})
	safe := p.Action != Refuse
	if safe {
		checkRepair(t, p, image, name)
		if p.Action == Repair && p.Level != Safe {
			t.Errorf("a repair with nothing allowed is %s", p.Level)
		}
		checkNothingSaidLeaves(t, p, image)
	}
	checkRefusal(t, p)
	if p.NeedLoss > 0 {
		if q := planFor(t, image, name, Options{AllowLoss: p.NeedLoss}); q.Action != Refuse {
			checkRepair(t, q, image, name)
		}
	}
	p = planFor(t, image, name, opt)
	if p.Level == Choice {
		opt.Branch = p.Candidates[len(p.Candidates)-1].Number
		p = planFor(t, image, name, opt)
	}
	checkRefusal(t, p)
	if p.Action == Refuse {
		if safe {
			t.Errorf("with everything allowed it is refused: %s", p.Reason)
		}
		return false
	}
	checkRepair(t, p, image, name)
	return true
}

func checkRefusal(t failer, p *Plan) {
	t.Helper()
	if p.Action == Refuse && (p.Reason == "" || p.Next == "") {
		t.Errorf("a refusal without reason: %+v", p)
	}
}

// checkRepair checks the invariants of one repair.
func checkRepair(t failer, p *Plan, image []byte, name string) {
	t.Helper()
	got := imageOf(t, p, image)
	if err := p.Verify(bytes.NewReader(got), int64(len(got))); err != nil { // I1
		t.Errorf("I1: %v", err)
	}
	checkEventsOf(t, p, image, got)
	for _, opt := range []Options{{}, p.Options} {
		opt.Branch = 0
		if again := planFor(t, got, name, opt); again.Action != Nothing || again.Verdict != "opens" {
			t.Errorf("I5: a second repair does %s: the log %s; %s", again.Action, again.Verdict, again.Reason)
		}
	}
	if second := imageOf(t, planFor(t, image, name, p.Options), image); !bytes.Equal(got, second) {
		t.Errorf("I6: a second repair of the same log gives other bytes")
	}
}

func planFor(t failer, image []byte, name string, opt Options) *Plan {
	t.Helper()
	opt.Encoding = scan.Auto
	p, err := NewPlan(bytes.NewReader(image), int64(len(image)), name, opt)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return p
}

func imageOf(t failer, p *Plan, image []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := p.Write(&out, bytes.NewReader(image)); err != nil {
		t.Fatalf("%v", err)
	}
	return out.Bytes()
}

// checkEventsOf checks I3 and I4.
func checkEventsOf(t failer, p *Plan, image, got []byte) {
	t.Helper()
	listed := rewrittenEvents(t, p, image)
	for _, closer := range p.Closers {
		listed[canonicalDigest(closer)] = true
	}
	old, total := make(map[digest]bool), int64(0)
	for e := range (&eventLog{source: editedSource(t, p, image)}).Events() {
		old[digestOf(e.Text)] = true
		total++
	}
	if p.Splice != nil {
		takeOver(t, p, old)
	}
	after := &eventLog{source: &source{src: bytes.NewReader(got), size: int64(len(got)), encoding: p.written(), generation: p.Generation}}
	for e := range after.Events() {
		if d := digestOf(e.Text); !old[d] && !listed[d] && e.Type != "turnfix/lost" {
			t.Errorf("I3: the repaired log has an event of its own: %s", e.Text)
		}
	}
	var left int64
	for i := range p.Leaves {
		left += p.Leaves[i].Events
	}
	if left != p.Ledger.Dropped {
		t.Errorf("I4: %d events leave, the ledger says %d", left, p.Ledger.Dropped)
	}
	if p.Action == Repair && p.Ledger.Kept+p.Ledger.Dropped < total {
		t.Errorf("I4: %d events kept and %d dropped, of %d", p.Ledger.Kept, p.Ledger.Dropped, total)
	}
}

// checkNothingSaidLeaves checks that a repair with nothing allowed keeps what a user,
// the model or a tool said.
func checkNothingSaidLeaves(t failer, p *Plan, image []byte) {
	t.Helper()
	l, err := readSalvage(p.read(bytes.NewReader(image)), allSeqs)
	if err != nil {
		t.Fatalf("%v", err)
	}
	got := imageOf(t, p, image)
	kept := make(map[digest]bool)
	for _, d := range digests(&source{src: bytes.NewReader(got), size: int64(len(got)), encoding: p.written(), generation: p.Generation}) {
		kept[d] = true
	}
	for i := range l.rows {
		if r := &l.rows[i]; r.weight == real && r.count() > 0 && !kept[r.digests[0]] {
			t.Errorf("I4: the event with seq %d leaves, and nobody allowed it", r.seq)
		}
	}
}

func canonicalDigest(text []byte) digest {
	var doc jsjson.Doc
	if doc.Parse(text) != nil {
		return digest{}
	}
	return digestOf(jsjson.AppendCanonical(nil, doc.Root))
}

// apply does two damages to a log, of lines before those of bytes.
func apply(b batches, compressed bool, first, second damage, k, m int) []byte {
	if first.lines != nil {
		b = first.lines(b, k)
	}
	if second.lines != nil {
		b = second.lines(b, m)
	}
	image := render(b, compressed)
	if first.bytes != nil {
		image = first.bytes(image, k)
	}
	if second.bytes != nil {
		image = second.bytes(image, m)
	}
	return image
}

// nameOf returns the name of a log, which two damages may make that of the other
// encoding.
func nameOf(compressed bool, damages ...damage) string {
	for _, d := range damages {
		compressed = compressed != d.misnamed
	}
	if compressed {
		return "session.jsonl.zstd"
	}
	return "session.jsonl"
}

// TestEveryPairOfDamagesKeepsTheInvariants lays each damage over each other one, and
// over itself, at two places of a log: one that is plain or compressed by turns.
func TestEveryPairOfDamagesKeepsTheInvariants(t *testing.T) {
	all := slices.Concat(damages, editDamages)
	pairs, repaired, step := 0, 0, 1
	if testing.Short() {
		step = 7
	}
	for i, first := range all {
		for j, second := range all[i:] {
			if (i+j)%step != 0 {
				continue
			}
			compressed := pairs%2 == 1
			t.Run(fmt.Sprintf("%s and %s, compressed %v", first.name, second.name, compressed), func(t *testing.T) {
				pairs++
				if checkInvariants(t, apply(healthy(3), compressed, first, second, 5+i, 11+j), nameOf(compressed, first, second)) {
					repaired++
				}
			})
		}
	}
	t.Logf("%d pairs, %d of them repaired", pairs, repaired)
	if pairs < 100 || repaired < pairs*9/10 {
		t.Errorf("%d of %d pairs repaired, want nine in ten of at least 100", repaired, pairs)
	}
}

func TestDamageThatLosesNothingIsRepairedSafely(t *testing.T) {
	whole := planFor(t, render(healthy(3), false), "", Options{}).Ledger.Kept
	for _, d := range damages {
		if d.loses || d.asks {
			continue
		}
		for _, compressed := range []bool{false, true} {
			for k := range sampled(40) {
				image := apply(healthy(3), compressed, d, damages[0], k, 0)
				p := planFor(t, image, nameOf(compressed, d), Options{})
				switch {
				case p.Action == Nothing: // the damage came to nothing
				case p.Action != Repair || p.Level != Safe || p.Ledger.Kept != whole || len(p.Closers) > 0:
					t.Errorf("%s, compressed %v, %d: %s, %s, %d of %d events kept: %s", d.name, compressed, k, p.Action, p.Level, p.Ledger.Kept, whole, p.Reason)
				}
			}
		}
	}
}

func TestNothingThatWasSaidLeavesWithoutPermission(t *testing.T) {
	for _, d := range damages {
		for _, compressed := range []bool{false, true} {
			for k := range sampled(20) {
				image, name := apply(healthy(2), compressed, d, damages[0], k, 0), nameOf(compressed, d)
				if p := planFor(t, image, name, Options{}); p.Action != Refuse {
					checkNothingSaidLeaves(t, p, image)
				}
			}
		}
	}
}

func TestDamagedMembersAreMendedWithPermissionOnly(t *testing.T) {
	whole := planFor(t, render(healthy(3), false), "", Options{}).Ledger.Kept
	for _, d := range editDamages {
		for _, compressed := range []bool{false, true} {
			for k := range 6 {
				image := apply(healthy(3), compressed, d, damages[0], k, 0)
				p := planFor(t, image, nameOf(compressed), Options{})
				if p.Action != Refuse || p.Level != Assisted || len(p.NeedAllow) != 1 {
					t.Fatalf("%s, compressed %v, %d: %s, %s; %s", d.name, compressed, k, p.Action, p.Level, p.Next)
				}
				p = planFor(t, image, nameOf(compressed), Options{Allow: []Permission{p.NeedAllow[0].Allow}})
				if p.Action != Repair || p.Level != Assisted || p.Ledger.Kept != whole || p.Ledger.Dropped > 0 {
					t.Errorf("%s, compressed %v, %d: %s, %s, %d of %d events kept: %s", d.name, compressed, k, p.Action, p.Level, p.Ledger.Kept, whole, p.Reason)
				}
			}
		}
	}
}

func TestDamageAnywhereKeepsTheInvariants(t *testing.T) {
	all := slices.Concat(damages, editDamages)
	rapid.Check(t, func(t *rapid.T) {
		first, second := rapid.SampledFrom(all).Draw(t, "first"), rapid.SampledFrom(all).Draw(t, "second")
		k, m := rapid.IntRange(0, 5000).Draw(t, "k"), rapid.IntRange(0, 5000).Draw(t, "m")
		compressed := rapid.Bool().Draw(t, "compressed")
		image := apply(healthy(rapid.IntRange(1, 3).Draw(t, "turns")), compressed, first, second, k, m)
		checkInvariants(t, image, nameOf(compressed, first, second))
	})
}

// elsewhere are the reproductions of public reports whose damage is no operation on
// the bytes or lines of a log, and why.
var elsewhere = map[string]string{
	"01": "sound", "03": "sound", "04": "sound", "06": "sound", "07": "sound", "08": "sound", "10": "sound",
	"68": "dsh accepts it", "69": "dsh accepts it", "83": "dsh accepts it", "65": "a newer version", "35": "an empty file",
	"74": "a layout", "75": "a layout", "77": "a layout", "79": "a layout", "82": "a layout",
}

func TestThePairsAreOfTheDamageOfAllCases(t *testing.T) {
	covered := make(map[string]bool)
	for _, d := range slices.Concat(damages, editDamages) {
		for number := range strings.FieldsSeq(d.cases) {
			covered[number] = true
		}
	}
	for _, c := range vectortest.Cases(t) {
		number, _, _ := strings.Cut(c.Name, "-")
		if (elsewhere[number] == "") != covered[number] {
			t.Errorf("%s: an operation does its damage: %v; it is elsewhere: %q", c.Name, covered[number], elsewhere[number])
		}
	}
}

// digests returns those of the events of a log.
func digests(s *source) (all []digest) {
	for e := range (&eventLog{source: s}).Events() {
		all = append(all, digestOf(e.Text))
	}
	return all
}

// sampled returns how many of n cases a test goes through: all, or a fifth of them
// under -short.
func sampled(n int) int {
	if testing.Short() {
		return n / 5
	}
	return n
}

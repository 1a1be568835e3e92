package repair

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// natives are the formats that have readers of their own kind.
var natives = []int64{2, 3, 4}

func TestDamageOfLaterFormatsKeepsTheInvariants(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	pairs, repaired := 0, 0
	all := nativeDamages()
	for _, generation := range natives {
		for i, first := range all {
			second := all[(7*i+int(generation))%len(all)]
			for _, compressed := range []bool{false, true} {
				t.Run(fmt.Sprintf("v%d, %s and %s, compressed %v", generation, first.name, second.name, compressed), func(t *testing.T) {
					pairs++
					image := apply(healthyNative(generation, 3), compressed, first, second, 5+i, 11+i)
					if checkInvariantsWith(t, image, nativeName(generation, compressed, first, second), everythingNative(generation, false)) {
						repaired++
					}
				})
			}
		}
	}
	t.Logf("%d pairs, %d of them repaired", pairs, repaired)
	if repaired < pairs/2 {
		t.Errorf("%d of %d pairs repaired, want half of them", repaired, pairs)
	}
}

func TestDamageOfLaterFormatsThatLosesNothingIsRepairedSafely(t *testing.T) {
	for _, generation := range natives {
		whole := planFor(t, render(healthyNative(generation, 3), false), nativeName(generation, false), Options{}).Ledger.Kept
		for _, d := range nativeDamages() {
			if d.loses || d.asks {
				continue
			}
			for _, compressed := range []bool{false, true} {
				for k := range sampled(12) {
					image := apply(healthyNative(generation, 3), compressed, d, damages[0], k, 0)
					p := planFor(t, image, nativeName(generation, compressed, d), Options{})
					switch {
					case p.Action == Nothing: // the damage came to nothing
					case p.Action != Repair || p.Level != Safe || p.Ledger.Kept != whole || len(p.Closers) > 0:
						t.Errorf("v%d, %s, compressed %v, %d: %s, %s, %d of %d events kept: %s", generation, d.name, compressed, k, p.Action, p.Level, p.Ledger.Kept, whole, p.Reason)
					}
				}
			}
		}
	}
}

// repairedText repairs a plain log and returns the text of the result.
func repairedText(t *testing.T, image string, generation int64, opt Options) (*Plan, string) {
	t.Helper()
	p := planFor(t, []byte(image), nativeName(generation, false), opt)
	if p.Action != Repair {
		t.Fatalf("%s: %s; %s", p.Action, p.Reason, p.Next)
	}
	got := imageOf(t, p, []byte(image))
	if err := p.Verify(bytes.NewReader(got), int64(len(got))); err != nil {
		t.Error(err)
	}
	return p, string(got)
}

func TestAnOpenTurnIsClosedInTheShapeOfItsFormat(t *testing.T) {
	for _, tt := range []struct {
		generation   int64
		reader, role string
	}{{2, "0.1.3", `"role":"user","source"`}, {3, "0.1.5", `"role":"user","source"`}, {4, "0.1.7", `"role":"tool","toolCallId":"c1","isError":true,"source"`}} {
		b := healthyNative(tt.generation, 1)
		image := string(render(b[:4], false)) // the call has started, and nothing answers it
		p, got := repairedText(t, image, tt.generation, Options{})
		if !strings.HasPrefix(got, image) || len(p.Closers) != 3 || !strings.Contains(got[len(image):], tt.role) {
			t.Errorf("v%d: closers %s", tt.generation, p.Closers)
		}
		if p.Level != Safe || p.Reader != tt.reader || p.After != "opens" {
			t.Errorf("v%d: %s, opens in %q, after the repair %s", tt.generation, p.Level, p.Reader, p.After)
		}
	}
}

func TestAnOpenCompactionIsFollowedByAMarkThatInheritsNothing(t *testing.T) {
	for _, generation := range natives {
		n := &nativeLog{generation: generation}
		lines := []string{nativeHeader(generation, false)}
		for _, batch := range n.turn(1) {
			lines = append(lines, batch...)
		}
		lines = append(lines, n.event("turn/start", `{"turn":2}`, ""),
			n.event("compaction/start", `{"compactionId":"k1","trigger":"auto","turn":2}`, ""))
		image := strings.Join(lines, "\n") + "\n"
		for _, opt := range []Options{{}, {LikeDsh: true}} {
			_, got := repairedText(t, image, generation, opt)
			last := 1783950000000 + 7*int64(n.seq-1)
			want := fmt.Sprintf("{\"type\":\"turn/end\",\"seq\":%d,\"time\":%d,\"data\":{\"turn\":2,\"reason\":{\"kind\":\"interrupted\"}}}\n"+
				"{\"type\":\"session/end-seed\",\"seq\":%d,\"time\":%d,\"data\":{}}\n", n.seq, last, n.seq+1, last)
			if diff := cmp.Diff(want, strings.TrimPrefix(got, image)); diff != "" {
				t.Errorf("v%d: closers (-want +got):\n%s", generation, diff)
			}
		}
	}
}

func TestALogIsNotCutBeforeItsLastMarkOfInheritedEvents(t *testing.T) {
	for _, generation := range natives {
		b := seededNative(generation)
		image := render(append(b[:4:4], b[5:]...), false) // the end of the first turn is lost, the mark is behind the gap
		for _, opt := range []Options{{AllowLoss: 100}, {LikeDsh: true, AllowLoss: 100}} {
			p := planFor(t, image, nativeName(generation, false), opt)
			if p.Action != Refuse {
				t.Errorf("v%d: %s, with %d events", generation, p.Action, p.Ledger.Kept)
			}
		}
		// With the mark before the gap, what follows may go.
		image = render(append(b[:7:7], b[8:]...), false)
		p := planFor(t, image, nativeName(generation, false), Options{AllowLoss: 100})
		if p.Action != Repair || p.Level != Lossy {
			t.Errorf("v%d: %s, %s: %s", generation, p.Action, p.Level, p.Reason)
		}
	}
}

func TestAnEarlierMarkDoesNotStandInForTheLast(t *testing.T) {
	n := &nativeLog{generation: 4}
	b := append(batches{{nativeHeader(4, true)}, {n.event("session/end-seed", `{"inherited":true}`, "")}}, n.turn(1)...)
	n.seq++ // an event is lost
	b = append(b, []string{n.event("session/end-seed", `{"inherited":true}`, "")})
	p := planFor(t, render(b, false), nativeName(4, false), Options{AllowLoss: 10})
	if p.Action != Refuse || !strings.Contains(p.Reason, lostMarker) {
		t.Errorf("%s: %s", p.Action, p.Reason)
	}
}

func TestAPackedRowIsNoEventOfALaterFormat(t *testing.T) {
	b := healthyNative(3, 1)
	row := `{"type":"text-chunks","seq0":4,"time0":1,"data":{"turn":1,"step":1,"index":0,"dt":[],"texts":["a"]}}`
	p, got := repairedText(t, string(render(insertBatch(b, 3, []string{row}), false)), 3, Options{})
	if got != string(render(b, false)) || len(p.Leaves) != 1 || !strings.Contains(p.Leaves[0].Reason, "packed row") {
		t.Errorf("leaves %+v", p.Leaves)
	}
}

func TestOnlyTheContainerOfAForkIsRepaired(t *testing.T) {
	b := healthyNative(4, 2)
	b[0][0] = nativeHeader(5, false)
	sound := render(b, true)
	p := planFor(t, sound, nativeName(5, true), Options{})
	if p.Action != Refuse || !strings.Contains(p.Reason, "fork generation (v5)") {
		t.Errorf("a sound log: %s, %s", p.Action, p.Reason)
	}
	torn := append(bytes.Clone(sound), tornStart...)
	p = planFor(t, torn, nativeName(5, true), Options{})
	if p.Action != Repair || p.Level != Safe || p.After != "incompatible" || p.Reader != "" {
		t.Fatalf("a torn frame: %s, %s, %s: %s", p.Action, p.Level, p.After, p.Reason)
	}
	got := imageOf(t, p, torn)
	if err := p.Verify(bytes.NewReader(got), int64(len(got))); err != nil || !bytes.Equal(got, sound) {
		t.Errorf("the repaired log is not the sound one: %v", err)
	}
	for name, image := range map[string][]byte{
		"an open turn": render(b[:len(b)-1], false), "a collision": render(append(b.clone(), b[3]), false), "a gap": render(append(b[:3:3], b[4:]...), false),
	} {
		p := planFor(t, image, nativeName(5, false), everythingNative(5, false))
		if p.Action != Refuse || !strings.Contains(p.Reason, "fork generation") {
			t.Errorf("%s: %s, %s", name, p.Action, p.Reason)
		}
	}
}

// tornStart is the start of a frame.
var tornStart = []byte{0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x58, 0x41}

func TestALogOfV1IsRepairedLikeOneOfV0(t *testing.T) {
	b := healthy(1)
	b[0][0] = strings.Replace(b[0][0], `"version":0`, `"version":1`, 1)
	image := string(render(b[:3], false))
	p, got := repairedText(t, image, 1, Options{})
	_, first := repairedText(t, strings.Replace(image, `"version":1`, `"version":0`, 1), 0, Options{})
	if got != strings.Replace(first, `"version":0`, `"version":1`, 1) || p.Reader != "0.1.3" {
		t.Errorf("opens in %q:\n%s", p.Reader, got)
	}
}

func TestALogWithoutANameHasTheGenerationOfItsHeader(t *testing.T) {
	b := healthyNative(4, 1)
	image := append([]byte("\xEF\xBB\xBF"), render(b, false)...)
	p := planFor(t, image, "", Options{})
	if p.Action != Repair || p.Generation != 4 || !bytes.Equal(imageOf(t, p, image), render(b, false)) {
		t.Errorf("%s, v%d: %s", p.Action, p.Generation, p.Reason)
	}
}

func TestALostHeaderOfALaterFormatIsRebuilt(t *testing.T) {
	for _, generation := range natives {
		for _, b := range []batches{healthyNative(generation, 1), seededNative(generation)} {
			dir := t.TempDir() + "/--work--/s/"
			seeded := strings.Contains(b[0][0], `"isSeeded":true`)
			b[0] = nil
			image := render(b, false)
			p := planFor(t, image, dir+nativeName(generation, false), Options{Allow: []Permission{RebuildHeader}, CWD: "/work"})
			want := fmt.Sprintf(`{"type":"session","version":%d,"id":"s","createdAt":1783950000000,"cwd":"/work","isSeeded":%t,"delegationDepth":0}`, generation, seeded)
			if p.Action != Repair || p.NewHeader != want {
				t.Errorf("v%d: %s, header %s: %s", generation, p.Action, p.NewHeader, p.Reason)
			}
		}
	}
}

func TestABadRowAtTheEndOfALaterLogGoesOnRequest(t *testing.T) {
	for _, compressed := range []bool{false, true} {
		b := healthyNative(4, 1)
		sound := render(b, compressed)
		image := render(append(b, []string{`{"type":"todo/write","seq":16,"data":{"todos":[]}}`}), compressed)
		p := planFor(t, image, nativeName(4, compressed), Options{})
		if p.Action != Refuse || p.NeedLoss != 1 {
			t.Errorf("compressed %v: %s, loss %d: %s", compressed, p.Action, p.NeedLoss, p.Reason)
		}
		p = planFor(t, image, nativeName(4, compressed), Options{AllowLoss: 1})
		if p.Action != Repair || p.Level != Lossy || !bytes.Equal(imageOf(t, p, image), sound) {
			t.Errorf("compressed %v: %s, %s: %s", compressed, p.Action, p.Level, p.Reason)
		}
	}
}

func TestUnknownEventsOfALaterFormatAreMarkedOnRequest(t *testing.T) {
	for _, generation := range natives {
		b := healthyNative(generation, 1)
		b = append(b, []string{fmt.Sprintf(`{"type":"acme/audit","seq":%d,"time":5,"data":{}}`, len(b[1])+len(b[2])+len(b[3])+len(b[4]))})
		image := render(b, true)
		name := nativeName(generation, true)
		p := planFor(t, image, name, Options{})
		if p.Action != Refuse || len(p.NeedAllow) != 1 || p.NeedAllow[0].Allow != "mark-ignorable=acme/audit" {
			t.Fatalf("v%d: %s, %s; %s", generation, p.Action, p.Reason, p.Next)
		}
		p = planFor(t, image, name, Options{Allow: []Permission{p.NeedAllow[0].Allow}})
		checkRepair(t, p, image, name)
		if p.Level != Assisted || p.Ledger.Rewritten != 1 {
			t.Errorf("v%d: %s, %+v", generation, p.Level, p.Ledger)
		}
	}
}

package repair

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnlint/turnlint/rules"
)

// TestTwoWritersLoseNothingThatWasSaid lets two processes work on one log at once:
// they write batches as the grammar of turns allows, crash, also in the middle of a
// write, and open the session again, which makes dsh recover the log under the other
// one. Whatever comes of it, a repair with nothing allowed keeps all that the writers
// said and that is still on disk, or refuses; and the invariants hold for all others.
func TestTwoWritersLoseNothingThatWasSaid(t *testing.T) {
	seen := make(map[string]int)
	outcomes := make(map[Action]int)
	rapid.Check(t, func(t *rapid.T) {
		log := newSharedLog(rapid.Bool().Draw(t, "compressed"))
		writers := []*process{{name: "A", log: log, open: true}, {name: "B", log: log}}
		writer := rapid.SampledFrom(writers)
		t.Repeat(map[string]func(*rapid.T){
			"write": func(t *rapid.T) {
				p := writer.Draw(t, "writer")
				if !p.open {
					t.Skip("closed")
				}
				for range rapid.IntRange(1, 3).Draw(t, "batches") {
					p.begin()
					for range rapid.IntRange(1, 4).Draw(t, "events") {
						rapid.SampledFrom(p.moves()).Draw(t, "move").do()
					}
					p.flush()
				}
			},
			"crash": func(t *rapid.T) {
				torn := rapid.IntRange(-400, 400).Draw(t, "torn bytes") // mostly between two writes
				writer.Draw(t, "writer").crash(max(torn, 0))
			},
			"resume": func(t *rapid.T) { writer.Draw(t, "writer").resume(t) },
		})
		outcomes[checkShared(t, log)]++
		note(seen, log)
	})
	t.Logf("outcomes %v, findings %v", outcomes, seen)
	if testing.Short() { // a sample, in which some may be missing
		return
	}
	if seen[rules.ForkedLog.Name] == 0 || seen[rules.OpenTurn.Name] == 0 || seen[rules.SeqRepeat.Name]+seen[rules.RepairClosers.Name] == 0 {
		t.Error("the writers did not collide in the ways that people report")
	}
}

// checkShared repairs a log and returns what the repair came to.
func checkShared(t failer, log *sharedLog) Action {
	t.Helper()
	p := planFor(t, log.file, log.name(), Options{})
	if p.Action != Refuse {
		repaired := &sharedLog{file: imageOf(t, p, log.file), compressed: log.compressed}
		said := slices.Sorted(maps.Keys(log.marks))
		if missing := difference(said, saidIn(repaired.read().Lines)); len(missing) > 0 {
			t.Errorf("a repair with nothing allowed loses %q", missing)
		}
	}
	checkInvariants(t, log.file, log.name())
	return p.Action
}

// difference returns what is in a and not in b.
func difference(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

// note counts the rules that a log breaks.
func note(seen map[string]int, log *sharedLog) {
	r, err := rules.Check(bytes.NewReader(log.file), int64(len(log.file)), rules.Options{})
	if err != nil {
		return
	}
	names := make(map[string]bool)
	for i := range r.Findings {
		names[r.Findings[i].Rule.Name] = true
	}
	for name := range names {
		seen[name]++
	}
}

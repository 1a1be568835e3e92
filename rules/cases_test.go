package rules_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/rules"
)

func checkCase(t *testing.T, c *vectortest.Case) *rules.Result {
	t.Helper()
	image, err := os.ReadFile(c.Log)
	if err != nil {
		t.Fatal(err)
	}
	return inspect(t, image, rules.Options{Path: c.Log})
}

// TestControlsHaveNoError looks at the cases that the reference loads as they
// are and that are numbered as controls.
func TestControlsHaveNoError(t *testing.T) {
	n := 0
	for _, c := range vectortest.Cases(t) {
		if c.Name >= "25" || c.Expect.Upstream != "loads" {
			continue
		}
		n++
		if r := checkCase(t, &c); count(r.Findings, rules.Error) > 0 {
			t.Errorf("%s:\n%s", c.Name, listing(r))
		}
	}
	if n < 8 {
		t.Errorf("%d controls, want 8", n)
	}
}

// forks has the rule that names the cause of the cases in which seqs occur
// twice.
var forks = map[string]*rules.Rule{
	"37-endseed-pair":                     rules.StaleEndSeed,
	"38-repair-closers-vs-live-writer":    rules.RepairClosers,
	"40-duplicate-batch-exact":            rules.SeqRepeat,
	"41-interrupted-twice":                rules.SeqRepeat,
	"42-stale-cancel-tail":                rules.StaleTail,
	"44-packed-overlap-suffix":            rules.SeqRepeat,
	"46-true-fork-both-real":              rules.ForkedLog,
	"48-seq-regression-no-later-turn-end": rules.StaleTail,
	"50-stale-deltas-replayed":            rules.StaleDeltas,
	"88-endseed-pair-with-inbox":          rules.StaleEndSeed,
}

func TestForksOfTheCasesAreNamed(t *testing.T) {
	for _, c := range vectortest.Cases(t) {
		rule := forks[c.Name]
		if rule == nil {
			continue
		}
		r := checkCase(t, &c)
		if !fires(r, rule) {
			t.Errorf("%s: no %s among:\n%s", c.Name, rule.Name, listing(r))
		}
		// What the case states about the same cause lies at the place of a finding
		// itself, with its seq.
		for i := range c.Expect.Findings {
			want := &c.Expect.Findings[i]
			if strings.HasPrefix(want.Rule, "seq.") || strings.HasPrefix(want.Rule, "fork.") {
				if !slices.ContainsFunc(r.Findings, func(f rules.Finding) bool {
					return f.Place.Line == want.Line && f.Seq != nil && *f.Seq == *want.Seq
				}) {
					t.Errorf("%s: nothing at line %d with seq %d:\n%s", c.Name, want.Line, *want.Seq, listing(r))
				}
			}
		}
	}
}

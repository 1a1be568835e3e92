package rules_test

import (
	"slices"
	"testing"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// TestFirstViolationOfEveryVectorIsFound holds the rules about turns, steps and
// calls to the reference: under rule set open, there is a finding of theirs at
// the event that breaks the first relation.
func TestFirstViolationOfEveryVectorIsFound(t *testing.T) {
	checked := 0
	vectors := vectortest.Load(t)
	for i := range vectors {
		v := &vectors[i]
		if len(v.Expect.Invariants) == 0 || !v.Expect.Scan.OK {
			continue
		}
		want := v.Expect.Invariants[0]
		if want.Exception != "" {
			continue // the reference stumbled: there is no relation that it found broken
		}
		encoding, err := scan.ParseEncoding(v.Encoding)
		if err != nil {
			t.Fatal(err)
		}
		checked++
		r := inspect(t, v.Image(t), rules.Options{Encoding: encoding, Dialect: rules.Open})
		if !slices.ContainsFunc(r.Findings, func(f rules.Finding) bool {
			return f.Rule.ID[2] == '4' && f.Seq != nil && *f.Seq == int64(want.Index)
		}) {
			t.Errorf("%s (%s): no finding at event %d: %s\n%s", v.ID, v.Kind, want.Index, want.Message, listing(r))
		}
	}
	if checked < 40 {
		t.Errorf("%d vectors break a relation, want at least 40", checked)
	}
}

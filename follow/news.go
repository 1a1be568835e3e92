package follow

import (
	"slices"

	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// news knows which findings have been told.
type news struct {
	told   map[key]bool
	before map[key]bool // found at the end of the turn before
}

// key tells findings apart. Their words may change while a log grows.
type key struct {
	rule  string
	place scan.Place
	seq   int64
}

func keyOf(f *rules.Finding) key {
	k := key{rule: f.Rule.ID, place: f.Place, seq: -1}
	if f.Seq != nil {
		k.seq = *f.Seq
	}
	return k
}

// growing are the rules about seqs that occur twice. Which of them holds depends on
// all of the events that do, so that they are certain at the end of the turn after.
var growing = []*rules.Rule{
	rules.SeqRepeat, rules.SeqRegressed, rules.ForkedLog, rules.RepairClosers, rules.StaleDeltas, rules.StaleTail, rules.StaleEndSeed,
}

// of returns the findings of a result that have become certain.
func (n *news) of(result *rules.Result) (fresh []rules.Finding) {
	if n.told == nil {
		n.told = make(map[key]bool)
	}
	now := make(map[key]bool, len(result.Findings))
	for i := range result.Findings {
		f := &result.Findings[i]
		k := keyOf(f)
		now[k] = true
		if n.told[k] || slices.Contains(growing, f.Rule) && !n.before[k] {
			continue
		}
		n.told[k] = true
		fresh = append(fresh, *f)
	}
	n.before = now
	return fresh
}

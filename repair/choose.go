package repair

import (
	"cmp"
	"slices"
)

// maxTrials bounds the histories of one log that are read in full.
const maxTrials = 8

// trials reads the histories that the log can tell, in the order of the file. Of
// many it takes those that leave out least. more says that there are too many.
func (l *salvage) trials() (all []*trial, more bool, err error) {
	chains, more := newGraph(l.rows).chains()
	if more {
		return nil, true, nil
	}
	if chains == nil {
		chains = []chain{nil}
	}
	losses := make([]Candidate, len(chains))
	for i, c := range chains {
		losses[i] = l.tally(c, i+1)
	}
	kept := slices.Clone(losses)
	if len(kept) > maxTrials {
		slices.SortStableFunc(kept, func(a, b Candidate) int {
			return cmp.Or(cmp.Compare(a.loss(), b.loss()), cmp.Compare(a.dropped(), b.dropped()))
		})
		kept = kept[:maxTrials]
		slices.SortFunc(kept, func(a, b Candidate) int { return cmp.Compare(a.Number, b.Number) })
	}
	for _, c := range kept {
		all = append(all, l.newTrial(chains[c.Number-1], c))
	}
	return all, false, l.read(all)
}

// choose returns the history that the log was meant to tell and the level of the
// repair that leads there, or nil with Choice when only the user can tell, or nil
// with "" when dsh refuses every one.
//
// A history passes when nothing is lost with it. Of those that pass, and of those
// that only lack what lies behind a gap, the best has an inbox that can be
// replayed, breaks the fewest relations, leaves out the fewest events that no
// recovery made up, and goes to the end of the file. Where each one leaves out
// something that was said, nobody but the user can choose.
func choose(all []*trial) (*trial, Level) {
	fit := slices.DeleteFunc(slices.Clone(all), func(t *trial) bool { return t.Refusal != "" })
	if len(fit) == 0 {
		return nil, ""
	}
	slices.SortStableFunc(fit, func(a, b *trial) int {
		return cmp.Or(
			cmp.Compare(a.Real, b.Real),
			cmp.Compare(a.Unreached, b.Unreached),
			cmp.Compare(len(a.Inbox), len(b.Inbox)),
			cmp.Compare(a.Violations, b.Violations),
			cmp.Compare(a.Plain, b.Plain),
			falseLast(a.ToEnd, b.ToEnd),
			cmp.Compare(a.Shadowed, b.Shadowed))
	})
	switch best := fit[0]; {
	case best.loss() == 0:
		return best, Safe
	case best.Real == 0 || len(all) == 1:
		return best, Lossy
	}
	return nil, Choice
}

func falseLast(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

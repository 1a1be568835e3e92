package repair

import "sort"

// op is what happens to events, in the notation of unified diffs.
type op byte

const (
	opKeep   op = ' '
	opDelete op = '-'
	opInsert op = '+'
)

// edit is a run of events to which the same happens.
type edit struct {
	op op
	n  int
}

// edits returns how a becomes b. It is a patience diff: events that are in both
// exactly once, in the longest order that both share, hold the rest in place. That
// is not always the shortest way, but it takes n log n steps, and finds what a repair
// does: it drops runs of events, adds some, and changes no order.
func edits(a, b []digest) []edit {
	var all []edit
	add := func(op op, n int) {
		if n == 0 {
			return
		}
		if k := len(all) - 1; k >= 0 && all[k].op == op {
			all[k].n += n
			return
		}
		all = append(all, edit{op, n})
	}
	done := pair{}
	for _, anchor := range append(anchors(a, b), pair{len(a), len(b)}) {
		if anchor.a < done.a {
			continue // in the run of an earlier one
		}
		start, end := anchor, anchor
		for start.a > done.a && start.b > done.b && a[start.a-1] == b[start.b-1] {
			start.a--
			start.b--
		}
		for end.a < len(a) && end.b < len(b) && a[end.a] == b[end.b] {
			end.a++
			end.b++
		}
		add(opDelete, start.a-done.a)
		add(opInsert, start.b-done.b)
		add(opKeep, end.a-start.a)
		done = end
	}
	return all
}

// pair is an event of a and the equal one of b, by index.
type pair struct{ a, b int }

// anchors returns the start of both, and the longest rising row of pairs of events
// that are unique in a and in b.
func anchors(a, b []digest) []pair {
	pairs := uniquePairs(a, b)
	// Patience sorting: tails[k] is the pair that ends the best row of k+1 pairs,
	// and before[i] the one in front of pair i in its row.
	var tails []int
	before := make([]int, len(pairs))
	for i, p := range pairs {
		k := sort.Search(len(tails), func(k int) bool { return pairs[tails[k]].b >= p.b })
		before[i] = -1
		if k > 0 {
			before[i] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, i)
		} else {
			tails[k] = i
		}
	}
	row := make([]pair, len(tails)+1)
	if n := len(tails); n > 0 {
		for i, k := tails[n-1], n; k > 0; i, k = before[i], k-1 {
			row[k] = pairs[i]
		}
	}
	return row
}

// uniquePairs returns the events that are in a and in b exactly once, in the order
// of a.
func uniquePairs(a, b []digest) (pairs []pair) {
	type place struct{ countA, countB, b int }
	places := make(map[digest]place, len(a))
	for _, d := range a {
		p := places[d]
		p.countA++
		places[d] = p
	}
	for i, d := range b {
		p := places[d]
		p.countB++
		p.b = i
		places[d] = p
	}
	for i, d := range a {
		if p := places[d]; p.countA == 1 && p.countB == 1 {
			pairs = append(pairs, pair{i, p.b})
		}
	}
	return pairs
}

// hunk is a run of edits with some kept events around it.
type hunk struct {
	a, b  int // events of each side before it
	edits []edit
}

// lens returns the events of each side in the hunk.
func (h *hunk) lens() (a, b int) {
	for _, e := range h.edits {
		if e.op != opInsert {
			a += e.n
		}
		if e.op != opDelete {
			b += e.n
		}
	}
	return a, b
}

// diffContext is the number of kept events around a change.
const diffContext = 3

// hunksOf groups the edits into hunks.
func hunksOf(all []edit) (hunks []hunk) {
	var a, b int // events before the edit
	add := func(e edit) {
		if len(hunks) == 0 {
			hunks = append(hunks, hunk{})
		}
		h := &hunks[len(hunks)-1]
		h.edits = append(h.edits, e)
	}
	for i, e := range all {
		first, last := i == 0, i == len(all)-1
		if e.op == opKeep && (first || last || e.n > 2*diffContext) {
			n := min(diffContext, e.n)
			if !first {
				add(edit{opKeep, n})
			}
			if !last {
				hunks = append(hunks, hunk{a + e.n - n, b + e.n - n, []edit{{opKeep, n}}})
			}
		} else {
			add(e)
		}
		if e.op != opInsert {
			a += e.n
		}
		if e.op != opDelete {
			b += e.n
		}
	}
	return hunks
}

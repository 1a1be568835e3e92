package diff

import "sort"

// Op is what happens to events, in the notation of unified diffs.
type Op byte

// What can happen.
const (
	Keep   Op = ' '
	Delete Op = '-'
	Insert Op = '+'
)

// Run is a run of N events to which the same happens.
type Run struct {
	Op Op
	N  int
}

// Runs returns how a becomes b. It is a patience diff: events that are in both
// exactly once, in the longest order that both share, hold the rest in place. That
// is not always the shortest way, but it takes n log n steps, and finds what a repair
// does: it drops runs of events, adds some, and changes no order.
func Runs[T comparable](a, b []T) []Run {
	var all []Run
	add := func(op Op, n int) {
		if n == 0 {
			return
		}
		if k := len(all) - 1; k >= 0 && all[k].Op == op {
			all[k].N += n
			return
		}
		all = append(all, Run{op, n})
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
		add(Delete, start.a-done.a)
		add(Insert, start.b-done.b)
		add(Keep, end.a-start.a)
		done = end
	}
	return all
}

// pair is an event of a and the equal one of b, by index.
type pair struct{ a, b int }

// anchors returns the start of both, and the longest rising row of pairs of events
// that are unique in a and in b.
func anchors[T comparable](a, b []T) []pair {
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
func uniquePairs[T comparable](a, b []T) (pairs []pair) {
	type place struct{ countA, countB, b int }
	places := make(map[T]place, len(a))
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

// hunk is a row of runs with some kept events around it.
type hunk struct {
	a, b int // events of each side before it
	runs []Run
}

// lens returns the events of each side in the hunk.
func (h *hunk) lens() (a, b int) {
	for _, e := range h.runs {
		if e.Op != Insert {
			a += e.N
		}
		if e.Op != Delete {
			b += e.N
		}
	}
	return a, b
}

// diffContext is the number of kept events around a change.
const diffContext = 3

// hunksOf groups the runs into hunks.
func hunksOf(all []Run) (hunks []hunk) {
	var a, b int // events before the edit
	add := func(e Run) {
		if len(hunks) == 0 {
			hunks = append(hunks, hunk{})
		}
		h := &hunks[len(hunks)-1]
		h.runs = append(h.runs, e)
	}
	for i, e := range all {
		first, last := i == 0, i == len(all)-1
		if e.Op == Keep && (first || last || e.N > 2*diffContext) {
			n := min(diffContext, e.N)
			if !first {
				add(Run{Keep, n})
			}
			if !last {
				hunks = append(hunks, hunk{a + e.N - n, b + e.N - n, []Run{{Keep, n}}})
			}
		} else {
			add(e)
		}
		if e.Op != Insert {
			a += e.N
		}
		if e.Op != Delete {
			b += e.N
		}
	}
	return hunks
}

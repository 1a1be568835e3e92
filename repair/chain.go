package repair

import (
	"cmp"
	"slices"
)

// A chain is a history that the rows of a log can tell: events 0, 1, 2, … in the
// order of the file. Where two writers used the same seqs there are several.
//
// The way on from an event leads to the event that the same writer wrote next,
// which is the one behind it in the file; to that behind a later copy of it; or
// to one with which a writer began anew, because the event before it in the file
// has not the seq before. It never leads into the middle of another run.

// pick is what a chain takes of a row: the members [first, first+count).
type pick struct{ row, first, count int }

// chain is a history in picks, in the order of the file.
type chain []pick

// maxChains bounds the chains that are looked at.
const maxChains = 256

// occurrence is one event in the file.
type occurrence struct{ row, member int }

func (o occurrence) compare(p occurrence) int {
	return cmp.Or(cmp.Compare(o.row, p.row), cmp.Compare(o.member, p.member))
}

// graph knows the ways on from each event.
type graph struct {
	rows   []row
	next   []int                  // index of the row with events behind each row, or len(rows)
	starts map[int64][]occurrence // of runs, by seq, in the order of the file
	shared map[int64][]occurrence // all of a seq that occurs in more than one row
	// hopeless are rows that start runs which are left out where there is another way.
	hopeless map[int]bool
}

func newGraph(rows []row) *graph {
	g := &graph{rows: rows, next: make([]int, len(rows)), starts: make(map[int64][]occurrence), shared: make(map[int64][]occurrence)}
	after := len(rows)
	for i := len(rows) - 1; i >= 0; i-- {
		g.next[i] = after
		if rows[i].count() > 0 {
			after = i
		}
	}
	expected := int64(absentSeq)
	for i := range rows {
		r := &rows[i]
		if r.count() == 0 {
			continue
		}
		if r.seq != expected {
			g.starts[r.seq] = append(g.starts[r.seq], occurrence{i, 0})
		}
		if expected = r.end(); r.seq == absentSeq {
			expected = absentSeq
		}
	}
	g.share()
	return g
}

// share fills in shared.
func (g *graph) share() {
	var order []int
	for i := range g.rows {
		if g.rows[i].count() > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(g.rows[a].seq, g.rows[b].seq) })
	twice := make(map[int64]bool)
	covered := int64(0)
	for _, i := range order {
		r := &g.rows[i]
		for seq := r.seq; seq < min(r.end(), covered); seq++ {
			twice[seq] = true
		}
		covered = max(covered, r.end())
	}
	if len(twice) == 0 {
		return
	}
	for i := range g.rows {
		for m := range g.rows[i].count() {
			if seq := g.rows[i].seq + int64(m); twice[seq] {
				g.shared[seq] = append(g.shared[seq], occurrence{i, m})
			}
		}
	}
}

func (g *graph) seq(o occurrence) int64     { return g.rows[o.row].seq + int64(o.member) }
func (g *graph) digest(o occurrence) digest { return g.rows[o.row].digests[o.member] }

// chains returns the longest chains, in the order of the file; more is true when
// there are too many of them, even without the hopeless runs.
func (g *graph) chains() (all []chain, more bool) {
	if all, more = g.enumerate(); more {
		g.hopeless = g.hopelessRuns()
		all, more = g.enumerate()
	}
	return all, more
}

// hopelessRuns returns the rows with which runs start that say nothing and that
// nothing follows: a stale writer's last words.
func (g *graph) hopelessRuns() map[int]bool {
	hopeless := make(map[int]bool)
	for _, starts := range g.starts {
		for _, start := range starts {
			said, at := false, start.row
			for {
				said = said || g.rows[at].weight == real
				next, ok := g.behind(occurrence{at, g.rows[at].count() - 1})
				if !ok {
					break
				}
				at = next.row
			}
			follows := slices.ContainsFunc(g.starts[g.rows[at].end()], func(o occurrence) bool { return o.row > at })
			if !said && !follows {
				hopeless[start.row] = true
			}
		}
	}
	return hopeless
}

// enumerate returns the chains, depth first.
func (g *graph) enumerate() (all []chain, more bool) {
	type branch struct {
		taken chain
		at    occurrence
	}
	var open []branch
	push := func(taken chain, ways []occurrence) {
		for _, at := range slices.Backward(ways) {
			open = append(open, branch{slices.Clone(taken), at})
		}
	}
	push(nil, g.distinct(g.starts[0]))
	for len(open) > 0 {
		if len(all)+len(open) > maxChains { // each branch leads to a chain at least
			return nil, true
		}
		b := open[len(open)-1]
		open = open[:len(open)-1]
		taken, ways := g.follow(b.taken, b.at)
		if len(ways) > 0 {
			push(taken, ways)
			continue
		}
		all = append(all, taken)
	}
	return all, false
}

// follow extends a chain from an event on, up to an event with several ways on,
// which it returns, or without any.
func (g *graph) follow(taken chain, at occurrence) (chain, []occurrence) {
	for {
		taken = taken.with(at)
		ways := g.ways(at)
		if len(ways) != 1 {
			return taken, ways
		}
		at = ways[0]
	}
}

// with adds one event to the chain.
func (c chain) with(at occurrence) chain {
	if n := len(c) - 1; n >= 0 && c[n].row == at.row {
		c[n].count++
		return c
	}
	return append(c, pick{at.row, at.member, 1})
}

// ways returns the events that may come behind one.
func (g *graph) ways(at occurrence) []occurrence {
	var ways []occurrence
	if way, ok := g.behind(at); ok {
		ways = append(ways, way)
	}
	seq := g.seq(at)
	for _, o := range g.shared[seq] {
		if o.compare(at) <= 0 || g.digest(o) != g.digest(at) {
			continue
		}
		if way, ok := g.behind(o); ok {
			ways = append(ways, way)
		}
	}
	for _, o := range g.starts[seq+1] {
		if o.row > at.row {
			ways = append(ways, o)
		}
	}
	if len(ways) < 2 {
		return ways
	}
	slices.SortFunc(ways, occurrence.compare)
	return g.distinct(ways)
}

// behind returns the event behind one in the file, if it has the next seq.
func (g *graph) behind(at occurrence) (occurrence, bool) {
	r := &g.rows[at.row]
	if at.member+1 < r.count() {
		return occurrence{at.row, at.member + 1}, true
	}
	next := g.next[at.row]
	if next == len(g.rows) || g.rows[next].seq != r.end() {
		return occurrence{}, false
	}
	return occurrence{next, 0}, true
}

// distinct keeps the first of equal events, and no more than make too many chains.
// It leaves out the hopeless ones where there are others.
func (g *graph) distinct(ways []occurrence) []occurrence {
	var kept, hopeless []occurrence
	for _, way := range ways {
		to := &kept
		if way.member == 0 && g.hopeless[way.row] {
			to = &hopeless
		}
		if len(*to) <= maxChains && !slices.ContainsFunc(*to, func(o occurrence) bool { return g.digest(o) == g.digest(way) }) {
			*to = append(*to, way)
		}
	}
	if len(kept) == 0 {
		return hopeless
	}
	return kept
}

// events returns the number of events in the chain.
func (c chain) events() (n int64) {
	for _, p := range c {
		n += int64(p.count)
	}
	return n
}

// cut returns the chain up to its first n events.
func (c chain) cut(n int64) chain {
	for i, p := range c {
		if n <= int64(p.count) {
			short := slices.Clone(c[:i])
			if n > 0 {
				short = append(short, pick{p.row, p.first, int(n)})
			}
			return short
		}
		n -= int64(p.count)
	}
	return c
}

// at returns the digest of the event with a seq in the chain; ok is false when the
// chain does not come that far. starts are the seqs of its picks.
func (c chain) at(rows []row, starts []int64, seq int64) (d digest, ok bool) {
	i, found := slices.BinarySearch(starts, seq)
	if !found {
		i--
	}
	if i < 0 {
		return digest{}, false
	}
	p := c[i]
	if off := int(seq - starts[i]); off < p.count {
		return rows[p.row].digests[p.first+off], true
	}
	return digest{}, false
}

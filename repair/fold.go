package repair

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// A log is mostly lines that stay as they are and follow each other in sequence. Their
// rows are folded into one as they come, so that a log without a fork takes the memory
// of its damage and not that of its length. What is folded is in a history as a whole
// or not at all; so events whose seqs others have too are kept apart, with digests, as
// those that a history may be cut at.

// seqs is a set of seqs: ranges in order that neither meet nor touch.
type seqs []seqRange

// seqRange is the seqs from one on and before another.
type seqRange struct{ from, to int64 }

var allSeqs = seqs{{math.MinInt64, math.MaxInt64}}

// meets reports whether an event of a row has a seq of the set.
func (s seqs) meets(r *row) bool {
	i := sort.Search(len(s), func(i int) bool { return s[i].to > r.seq })
	return i < len(s) && s[i].from < r.end()
}

// and returns the set with more ranges, which may be in any order.
func (s seqs) and(more []seqRange) (all seqs) {
	ranges := slices.Concat(s, more)
	slices.SortFunc(ranges, func(a, b seqRange) int { return cmp.Compare(a.from, b.from) })
	for _, r := range ranges {
		if n := len(all) - 1; n >= 0 && r.from <= all[n].to {
			all[n].to = max(all[n].to, r.to)
			continue
		}
		all = append(all, r)
	}
	return all
}

// readSalvage reads the rows of the log, and again when it holds some seqs twice. It
// keeps those rows apart, and those that have a seq of apart.
func readSalvage(s *source, apart seqs) (*salvage, error) {
	l, err := readRows(s, apart)
	if err != nil {
		return nil, err
	}
	switch again := repeated(l.rows); {
	case l.lostPrefix() > 0: // a parent may have them
		return readRows(s, allSeqs)
	case len(again) > 0:
		return readRows(s, apart.and(again))
	}
	return l, nil
}

// repeated returns the seqs that more than one row has.
func repeated(rows []row) (again []seqRange) {
	var order []*row
	for i := range rows {
		if rows[i].count() > 0 {
			order = append(order, &rows[i])
		}
	}
	slices.SortFunc(order, func(a, b *row) int { return cmp.Compare(a.seq, b.seq) })
	covered := int64(math.MinInt64)
	for _, r := range order {
		if end := min(r.end(), covered); r.seq < end {
			again = append(again, seqRange{r.seq, end})
		}
		covered = max(covered, r.end())
	}
	return again
}

// addRow adds the row of a piece.
func (l *salvage) addRow(p *piece) {
	r := newRow(p)
	r.frame -= l.folded
	r.lastFrame -= l.folded
	if r.count() > 0 && l.apart.meets(&r) {
		r.digests = digestsOf(p.record)
	}
	l.rows = append(l.rows, r)
}

// addFrame adds a frame, which comes before the first row behind it.
func (l *salvage) addFrame(f scan.FrameInfo) {
	f.Number -= l.folded
	l.frames = append(l.frames, f)
}

// fold folds the row before the last one, whose weight is settled now, into that
// before it: a line of the same frame, or a whole frame.
func (l *salvage) fold() {
	if i := len(l.rows) - 2; l.goesOn(i) && l.rows[i].inFrameOf(&l.rows[i-1]) {
		l.join(i)
	}
	if i := len(l.rows) - 2; l.goesOn(i) && l.rows[i+1].frame > l.rows[i].lastFrame && l.isFrame(i-1) && l.isFrame(i) {
		l.joinFrame(i)
	}
}

// goesOn reports whether a row goes on from the one before it, in the text and in the
// sequence, and whatever becomes of the one becomes of the other.
func (l *salvage) goesOn(i int) bool {
	if i < 1 {
		return false
	}
	a, b := &l.rows[i-1], &l.rows[i]
	return l.foldable(a) && l.foldable(b) && a.torn == b.torn && a.end() == b.seq && a.span.end() == b.span.PlainOff
}

// foldable reports whether a row can be part of another one.
func (l *salvage) foldable(r *row) bool {
	return r.count() > 0 && r.clean && r.weight > synthetic && !r.marker && r.seq >= 0 && !l.apart.meets(r)
}

// inFrameOf reports whether both rows lie in one frame, or in none.
func (r *row) inFrameOf(o *row) bool {
	return o.frame == o.lastFrame && o.lastFrame == r.frame && r.frame == r.lastFrame
}

// isFrame reports whether a row is all the text of a frame that is intact.
func (l *salvage) isFrame(i int) bool {
	r := &l.rows[i]
	if r.frame == 0 || r.frame != r.lastFrame || r.frame > len(l.frames) {
		return false
	}
	f := &l.frames[r.frame-1]
	return !f.Torn && f.Err == nil && f.PlainOff == r.span.PlainOff && f.PlainLen == r.span.Len
}

// joinFrame makes the frame of a row a part of the one before it, and the row too.
func (l *salvage) joinFrame(i int) {
	k := l.rows[i].frame - 1
	if k == 0 || l.rows[i-1].frame != k || l.frames[k-1].FileOff+l.frames[k-1].Len != l.frames[k].FileOff {
		return
	}
	l.frames[k-1].Len += l.frames[k].Len
	l.frames[k-1].PlainLen += l.frames[k].PlainLen
	l.frames = slices.Delete(l.frames, k, k+1)
	l.folded++
	for j := k; j < len(l.frames); j++ {
		l.frames[j].Number--
	}
	for j := i; j < len(l.rows); j++ {
		l.rows[j].frame--
		l.rows[j].lastFrame--
	}
	l.join(i)
}

// join makes a row a part of the one before it.
func (l *salvage) join(i int) {
	a, b := &l.rows[i-1], &l.rows[i]
	a.span.Len += b.span.Len
	a.span.Events += b.span.Events
	a.events += b.events
	a.pieces += b.pieces
	a.weight, a.time, a.kind = max(a.weight, b.weight), b.time, session.Unknown
	l.rows = slices.Delete(l.rows, i, i+1)
	if l.header >= i {
		l.header--
	}
}

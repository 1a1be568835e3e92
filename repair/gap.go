package repair

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/turnlint/turnlint/session"
)

// A gap is filled with placeholders: events of a type that no dsh knows, marked
// ignorable, so that the events behind it keep their seqs and with them whatever
// cites them. Each has the time of the event before the gap.

// maxFilled bounds the placeholders of one log.
const maxFilled = 1 << 20

// writeLost writes the placeholders of a span as lines.
func writeLost(w io.Writer, s *Span) error {
	for i := range s.Lost {
		_, err := fmt.Fprintf(w, "{\"type\":\"turnfix/lost\",\"seq\":%d,\"time\":%d,\"data\":{},\"ignorable\":true}\n", s.Seq+i, s.Time)
		if err != nil {
			return err
		}
	}
	return nil
}

// fillGaps adds a row of placeholders wherever the best history ends before a gap.
func (l *salvage) fillGaps() {
	for left := int64(maxFilled); left > 0; {
		chains, more := newGraph(l.rows).chains()
		if more || len(chains) == 0 {
			return
		}
		best := slices.MinFunc(chains, func(a, b chain) int {
			x, y := l.tally(a, 0), l.tally(b, 0)
			return cmp.Or(cmp.Compare(x.Real, y.Real), cmp.Compare(x.Unreached, y.Unreached), cmp.Compare(x.Plain, y.Plain))
		})
		from := best.events()
		at := best[len(best)-1].row
		to, ok := l.nextStart(at, from)
		if !ok || to-from > left {
			return
		}
		left -= to - from
		l.insert(at, from, to)
	}
}

// nextStart returns the lowest seq over from with which a row behind the one with
// index at starts.
func (l *salvage) nextStart(at int, from int64) (seq int64, ok bool) {
	for i := at + 1; i < len(l.rows); i++ {
		if r := &l.rows[i]; r.count() > 0 && r.seq > from && (!ok || r.seq < seq) {
			seq, ok = r.seq, true
		}
	}
	return seq, ok
}

// insert adds placeholders for the seqs [from, to) behind the row with index at.
func (l *salvage) insert(at int, from, to int64) {
	before := &l.rows[at]
	gap := row{
		span:    Span{PlainOff: before.span.end(), Lost: to - from, Seq: from, Time: before.time},
		fileOff: before.fileOff, frame: before.lastFrame, lastFrame: before.lastFrame,
		seq: from, events: int(to - from), digests: make([]digest, to-from), time: before.time, kind: session.Unknown,
	}
	l.rows = slices.Insert(l.rows, at+1, gap)
	if l.header > at {
		l.header++
	}
}

// filled returns the placeholders in a chain.
func (l *salvage) filled(c chain) (n int64) {
	for _, p := range c {
		n += l.rows[p.row].span.Lost
	}
	return n
}

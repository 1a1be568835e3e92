package repair

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/turnlint/turnlint/scan"
)

// renumber lets the seqs go on where their counter has fallen back, and with them
// whatever cites an event of its own part of the log.
var renumber = &remedy{
	name: "renumber", native: true, does: "continues the seqs, and what cites them, in",
	find: func(e *editor, r *scan.Record, propose func(string, Edit)) {
		if e.run == 0 {
			return
		}
		move := func(c *citation) {
			if c.isPair() {
				if text := e.pairText(c); text != string(c.value.Raw()) {
					propose("", setValue(r, c.member, c.value, text))
				}
			} else if seq := e.renumbered(c.seq); seq != c.seq {
				propose("", c.edit(r, seq))
			}
		}
		own, ok := ownSeq(r)
		if !ok {
			return
		}
		move(&own)
		for c := range citations(e.logID, r) {
			move(&c)
		}
	},
}

// renumbered returns the new seq of the event that a number on disk means in the
// current piece.
func (e *editor) renumbered(seq int64) int64 { return e.runs.renumbered(e.run, seq) }

// pairText writes the pair of a first and a last seq anew, as several pairs where the
// seqs between no longer follow each other.
func (e *editor) pairText(c *citation) string {
	var parts []string
	for first := c.seq; first <= c.last; {
		last := min(e.runs.sameShift(e.run, first), c.last)
		from, to := e.renumbered(first), e.renumbered(last)
		if from == to {
			parts = append(parts, strconv.FormatInt(from, 10))
		} else {
			parts = append(parts, fmt.Sprintf("[%d,%d]", from, to))
		}
		first = last + 1
	}
	return strings.Join(parts, ",")
}

// sameShift returns the last seq up to which a run moves all seqs from seq on equally.
func (rs *runs) sameShift(k int, seq int64) int64 {
	last := int64(math.MaxInt64)
	for ; k > 0 && seq < rs.all[k].from; k-- {
		last = min(last, rs.all[k].from-1)
	}
	return last
}

// run is a part of a log in which the seqs rise.
type run struct {
	piece int   // index of its first piece
	from  int64 // seq of its first event, on disk
	shift int64 // from there to the seq that it gets
}

// runs are the parts of a log that are one history, although the counter of seqs
// fell back between them. The first one keeps its seqs.
type runs struct {
	all []run
	// copies are pieces that repeat an event of another run than the one that they
	// stand in, by their index.
	copies map[int]int
}

// of returns the run of a piece.
func (rs *runs) of(piece int) int {
	if rs == nil {
		return 0
	}
	if run, ok := rs.copies[piece]; ok {
		return run
	}
	return max(0, sort.Search(len(rs.all), func(k int) bool { return rs.all[k].piece > piece })-1)
}

// renumbered returns the new seq of the event that a number means in a run: one of
// the run, or of the events that it went on from. A writer whose counter fell back
// to a seq knew no other events from there on than those that it wrote itself.
func (rs *runs) renumbered(k int, seq int64) int64 {
	if rs == nil {
		return seq
	}
	for ; k > 0; k-- {
		if r := &rs.all[k]; seq >= r.from {
			return seq + r.shift
		}
	}
	return seq
}

// before returns the seq on disk of an event with a new seq.
func (rs *runs) before(seq int64) int64 {
	if rs == nil {
		return seq
	}
	for k := len(rs.all) - 1; k > 0; k-- {
		if r := &rs.all[k]; seq >= r.from+r.shift {
			return seq - r.shift
		}
	}
	return seq
}

package repair

import (
	"slices"
	"sort"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// The counter of seqs has fallen back in one history, and no second writer has used
// the same seqs, when the first event of the later run that names its place in turns
// and steps is due where it stands and would not have been due where its seq says:
// whoever wrote it knew the events before it in the file. A fork starts with what is
// due at its seq, and stale notices say nothing of the kind.

// maxRuns bounds the runs of a log. A log with more was made to have them.
const maxRuns = 64

// numbered is what the search for such runs has to know of a record.
type numbered struct {
	stance
	piece   int // index
	seq     int64
	digests []digest // of its events
	cites   int64    // see highestCited
}

func (n *numbered) end() int64 { return n.seq + int64(len(n.digests)) }

// findRuns finds the runs of a log, nil when the seqs of its history never fall
// back. e is the editor without them, which makes the other edits.
func findRuns(s *source, e *editor) (*runs, error) {
	f := runFinder{at: newProgress()}
	e.rewind()
	for p := range s.pieces() {
		cites := highestCited(e.logID, p)
		e.edit(p)
		if row := newRow(p); row.count() > 0 && row.seq >= 0 {
			f.records = append(f.records, numbered{stanceOf(p.record), e.piece - 1, row.seq, digestsOf(p.record), cites})
		}
	}
	if s.err != nil || len(f.records) == 0 {
		return nil, s.err
	}
	if f.find(); len(f.runs.all) == 1 || len(f.runs.all) > maxRuns {
		return nil, nil
	}
	return &f.runs, nil
}

// highestCited returns the highest seq that a piece cites before it is edited, -1 for
// none. An id that is made from a seq is no reference: it may repeat the event's own.
func highestCited(id logID, p *piece) int64 {
	highest := int64(-1)
	if p.junk != "" || p.header {
		return highest
	}
	for c := range citations(id, p.record) {
		if c.value.Kind != jsjson.String {
			highest = max(highest, c.seq, c.last)
		}
	}
	return highest
}

// runFinder goes through the records of a log.
type runFinder struct {
	records []numbered
	runs    runs
	taken   [][]int // the records of each run
	at      progress
	next    int64 // seq on disk that is due
}

// find fills in the runs. It ends at a gap, because nobody knows what was in it.
func (f *runFinder) find() {
	f.next = f.records[0].seq
	f.start(0)
	for i := 0; i < len(f.records) && len(f.runs.all) <= maxRuns; i++ {
		n := &f.records[i]
		if run, ok := f.copyOf(n); ok {
			f.noteCopy(n.piece, run)
			continue
		}
		if n.seq > f.next {
			return
		}
		if n.seq < f.next {
			end := f.endOfRun(i)
			if !f.goesOn(f.records[i:end]) {
				f.next = max(f.next, f.records[end-1].end())
				i = end - 1
				continue
			}
			f.start(i)
		}
		f.take(i)
	}
}

// start lets a run start with a record.
func (f *runFinder) start(i int) {
	n, before := &f.records[i], int64(0)
	if k := len(f.runs.all) - 1; k >= 0 {
		before = f.runs.all[k].shift
	}
	f.runs.all = append(f.runs.all, run{n.piece, n.seq, f.next + before - n.seq})
	f.taken = append(f.taken, nil)
}

// take adds a record to the last run.
func (f *runFinder) take(i int) {
	n, last := &f.records[i], len(f.runs.all)-1
	f.taken[last] = append(f.taken[last], i)
	f.at.take(n.stance, f.runs.renumbered(last, n.seq))
	f.next = n.end()
}

// endOfRun returns the index behind the records from i on whose seqs rise one by one.
func (f *runFinder) endOfRun(i int) int {
	end := i + 1
	for end < len(f.records) && f.records[end].seq == f.records[end-1].end() {
		end++
	}
	return end
}

// goesOn reports whether records whose seqs the log has had go on with its history.
// A reference to their own seq or a later one would be to an event of another run,
// and nobody could tell which references are.
func (f *runFinder) goesOn(again []numbered) bool {
	if slices.ContainsFunc(again, func(n numbered) bool { return n.cites >= n.seq }) {
		return false
	}
	first := f.runs.renumbered(len(f.runs.all)-1, again[0].seq)
	for i := range again {
		if s := again[i].stance; s != (stance{}) {
			return f.at.fits(s) && f.at.since(s) >= first
		}
	}
	return false
}

// copyOf returns the run that has the events of a record already.
func (f *runFinder) copyOf(n *numbered) (run int, ok bool) {
	for k := len(f.taken) - 1; k >= 0; k-- {
		if f.has(k, n) {
			return k, true
		}
	}
	return 0, false
}

func (f *runFinder) has(run int, n *numbered) bool {
	for m, d := range n.digests {
		if other, ok := f.digestAt(run, n.seq+int64(m)); !ok || other != d {
			return false
		}
	}
	return true
}

// digestAt returns the digest of the event with a seq on disk in a run.
func (f *runFinder) digestAt(run int, seq int64) (d digest, ok bool) {
	taken := f.taken[run]
	i := sort.Search(len(taken), func(i int) bool { return f.records[taken[i]].end() > seq })
	if i == len(taken) || f.records[taken[i]].seq > seq {
		return digest{}, false
	}
	n := &f.records[taken[i]]
	return n.digests[seq-n.seq], true
}

// noteCopy notes a copy of an event that another run than the last one has.
func (f *runFinder) noteCopy(piece, run int) {
	if run == len(f.runs.all)-1 {
		return
	}
	if f.runs.copies == nil {
		f.runs.copies = make(map[int]int)
	}
	f.runs.copies[piece] = run
}

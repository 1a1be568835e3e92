package repair

import (
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// prefix is the search for the first events of a log in that of its parent session.
type prefix struct {
	*salvage
	id    string // of the parent session
	lost  int64  // events that are missing
	seeds int64  // events that the session took over from its parent

	digests  []digest // of the lost events
	copies   []digest // of those behind them that the session took over too
	messages map[int64]bool
	at       progress // behind the lost events
	frame    int      // that the last of the lost events ends in
}

// read reads the log of the parent, which must be sound up to the last lost event.
func (f *prefix) read(path string) (*parentLog, error) {
	file, parent, err := openParent(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	broken := 0 // the first frame that does not decode
	r, err := scan.NewReader(file, parent.size, scan.Options{Frame: func(i scan.FrameInfo) {
		if i.Err != nil && broken == 0 {
			broken = i.Number
		}
	}})
	if err != nil {
		return nil, err
	}
	f.messages, f.at = make(map[int64]bool), newProgress()
	for record := range r.Records() {
		if err := f.take(record); err != nil {
			return nil, err
		}
	}
	switch n := int64(len(f.digests)); {
	case r.Err() != nil:
		return nil, r.Err()
	case n < f.lost:
		return nil, misfitf("has no sound event %d, and %d are missing", n, f.lost)
	case broken > 0 && broken <= f.frame:
		return nil, misfit("has a frame that does not decode")
	}
	return parent, nil
}

// take takes the next record of the parent. It passes over all that follows a defect.
func (f *prefix) take(r *scan.Record) error {
	if r.Kind == scan.Header {
		h, refusal := session.ParseHeader(r.Text) // only those of v0 say how many events a fork took over
		switch {
		case refusal != nil:
			return misfitf("is none that dsh reads: %q", refusal.Text)
		case h.ID != f.id:
			return misfitf("is that of the session %q, and the parent session is %q", h.ID, f.id)
		}
		return nil
	}
	next := int64(len(f.digests) + len(f.copies))
	if seq, ok := r.Seq(); !ok || seq != next || !r.IsEvent() || !r.Terminated || r.Torn {
		f.seeds = min(f.seeds, next)
	}
	if next >= f.seeds {
		return nil
	}
	if next < f.lost {
		f.at.take(stanceOf(r), next)
		f.messages[next] = r.Kind == scan.Event && r.Event.Kind.Surface()
		f.frame = r.LastFrame
	}
	if r.Kind == scan.Event {
		f.digest(jsjson.AppendCanonical(nil, r.Event.Root))
		return nil
	}
	for text := range r.Row.Events() {
		f.digest(text)
	}
	return nil
}

func (f *prefix) digest(canonical []byte) {
	switch n := int64(len(f.digests) + len(f.copies)); {
	case n < f.lost:
		f.digests = append(f.digests, digestOf(canonical))
	case n < f.seeds:
		f.copies = append(f.copies, digestOf(canonical))
	}
}

// join checks that the events of the log itself go on from those of the parent: the
// ones that the session took over equal the parent's, the first that names a turn is
// due, and what must be messages of the parent are some.
func (f *prefix) join(id string) error {
	if id == f.id {
		return misfit("is that of the session itself")
	}
	next, due := f.lost, false
	for p := range f.pieces() {
		row := newRow(p)
		if row.count() == 0 {
			continue
		}
		if row.seq == next {
			if err := f.compare(row.seq, digestsOf(p.record)); err != nil {
				return err
			}
			next = row.end()
		}
		if s := stanceOf(p.record); !due && s != (stance{}) {
			if due = true; !f.at.fits(s) {
				return misfitf("ends in another turn or step: the event %d does not follow its first %d", row.seq, f.lost)
			}
		}
		for c := range citations(logID{id, f.generation}, p.record) {
			if c.message && 0 <= c.seq && c.seq < f.lost && !f.messages[c.seq] {
				return misfitf("has no message with seq %d, which the event %d cites", c.seq, row.seq)
			}
		}
	}
	return f.err
}

// compare checks that events from a seq on, which the session took over, are those of
// the parent.
func (f *prefix) compare(seq int64, digests []digest) error {
	for m, d := range digests {
		if at := seq + int64(m) - f.lost; at < int64(len(f.copies)) && f.copies[at] != d {
			return misfitf("has another event %d than the log", seq+int64(m))
		}
	}
	return nil
}

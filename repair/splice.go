package repair

import (
	"errors"
	"fmt"
	"slices"

	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/session"
)

// SplicePrefix takes the first events of a forked session, which its log has lost,
// over from the log of its parent session in the same sessions directory. A parent
// that Options.Parent names needs no permission.
const SplicePrefix Permission = "splice-prefix"

// Splice is what a repaired log takes over from the log of its parent session.
type Splice struct {
	Path   Path   `json:"path"` // of the parent's log
	Size   int64  `json:"size"` // bytes of that
	SHA256 string `json:"sha256"`
	Events int64  `json:"events"` // the first ones
}

// taken returns the bytes of the log that p takes events from, 0 when it takes none.
func (p *Plan) taken() int64 {
	if p.Splice == nil {
		return 0
	}
	return p.Splice.Size
}

// misfit is a reason for which no parent can give a log its first events back, with
// what to do instead.
type misfit string

// Error implements error.
func (m misfit) Error() string { return string(m) }

func misfitf(format string, args ...any) error { return misfit(fmt.Sprintf(format, args...)) }

// splicePrefix puts the events that a log has lost at its start back, if it may and
// a parent has them. Otherwise it notes why not.
func (p *Plan) splicePrefix(l *salvage, all bool) error {
	lost := l.lostPrefix()
	if lost == 0 || l.header < 0 {
		return nil
	}
	parent, digests, err := p.fittingParent(l, lost)
	var m misfit
	switch {
	case errors.As(err, &m):
		l.unspliced = string(m)
	case err != nil:
		return err
	case all || p.Options.Parent != "" || slices.Contains(p.Options.Allow, SplicePrefix):
		l.splice(parent, digests)
	default:
		l.unspliced = fmt.Sprintf("--allow %s takes from %q the first %s", SplicePrefix, parent.path, words.Count(lost, "event"))
	}
	return nil
}

// lostPrefix returns the seq that the log starts with, 0 when it has an event with
// seq 0.
func (l *salvage) lostPrefix() (first int64) {
	for i := range l.rows {
		switch r := &l.rows[i]; {
		case r.count() == 0 || r.seq < 0:
		case r.seq == 0:
			return 0
		case first == 0:
			first = r.seq
		}
	}
	return first
}

// fittingParent finds the parent that has the lost events, and returns their digests.
func (p *Plan) fittingParent(l *salvage, lost int64) (*parentLog, []digest, error) {
	id := p.header.ParentSession
	seeds, ok := p.header.SeedLength.SafeInt()
	switch {
	case !id.NonEmptyString() || !ok:
		return nil, nil, misfit("turnlint shows where the log starts")
	case seeds < lost:
		return nil, nil, misfitf("its session took only %s over from its parent session, so that those behind them are lost", words.Count(seeds, "event"))
	}
	path := p.Options.Parent
	if path == "" {
		found := p.findParents(id.Text())
		switch len(found) {
		case 0:
			return nil, nil, misfitf("--parent FILE takes %s over from FILE, the log of its parent session %q", words.Count(lost, "event"), id.Text())
		case 1:
			path = found[0]
		default:
			return nil, nil, misfitf("--parent FILE says which of the logs %q is that of its parent session", found)
		}
	}
	f := prefix{salvage: l, lost: lost, seeds: seeds, id: id.Text()}
	parent, err := f.read(path)
	if err == nil {
		err = f.join(p.header.ID)
	}
	if m := misfit(""); errors.As(err, &m) {
		err = misfitf("the parent log %q %s; --parent FILE names another one", path, m)
	}
	return parent, f.digests, err
}

// splice adds a row with the first events of a parent behind the header.
func (l *salvage) splice(parent *parentLog, digests []digest) {
	header := &l.rows[l.header]
	l.parent = parent
	l.rows = slices.Insert(l.rows, l.header+1, row{
		span:    Span{PlainOff: header.span.end(), Spliced: int64(len(digests))},
		fileOff: header.fileOff, frame: header.lastFrame, lastFrame: header.lastFrame,
		events: len(digests), digests: digests, weight: plain, kind: session.Unknown,
	})
}

// spliced returns the events in a chain that are taken over from the parent.
func (l *salvage) spliced(c chain) (n int64) {
	for _, p := range c {
		if l.rows[p.row].span.Spliced > 0 {
			n += int64(p.count)
		}
	}
	return n
}

package repair

import (
	"fmt"
	"slices"

	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/store"
)

// quarantine takes out the logs of a session that another log of it makes
// superfluous, the worst first, and puts the best one first in the group.
func (s *survey) quarantine(group []*surveyed) ([]*Move, error) {
	slices.SortStableFunc(group, s.better)
	var moves []*Move
	for _, l := range slices.Backward(group) {
		for _, r := range group {
			if r == l || r.gone {
				continue
			}
			m, err := s.yield(l, r)
			if err != nil {
				return nil, err
			}
			if m.Action == Repair {
				l.gone = true
				moves = append(moves, m)
				break
			}
		}
	}
	return moves, nil
}

// disputes refuses to choose between logs of one session. The first of them is left
// alone where it lies in its place: the others are too many.
func (s *survey) disputes(stay []*surveyed) ([]*Move, error) {
	var moves []*Move
	for i, l := range stay {
		rival := stay[0]
		if i == 0 {
			if rival = stay[1]; l.placed {
				continue
			}
		}
		m, err := s.yield(l, rival)
		if err != nil {
			return nil, err
		}
		moves = append(moves, m)
	}
	return moves, nil
}

// yield plans that l goes because r stays, or refuses that with the reason.
func (s *survey) yield(l, r *surveyed) (*Move, error) {
	m, err := s.compare(Quarantine, l.path, r.path, r.path)
	if err != nil {
		return nil, err
	}
	own, rival := s.views[l.path].plan, s.views[r.path].plan
	keep := fmt.Sprintf("--keep-copy PATH keeps one of %q and %q, and quarantines the other", m.Path(), m.Other())
	diverged := m.Own > 0
	switch {
	case rival.Action == Refuse:
		return m.refuse(Choice, fmt.Sprintf("it is a log of the same session as %q, which cannot be repaired: %s", m.Other(), rival.Reason), keep), nil
	case r.kept && !l.kept:
		return m.do(Assisted, relation(m)), nil
	case l.kept:
		return m.refuse(Choice, relation(m), keep), nil
	case !diverged && !lossless(own):
		return m.refuse(Choice, relation(m)+", as far as it can be read", keep), nil
	case diverged || m.Others == 0 && s.better(l, r) < 0:
		return m.refuse(Choice, relation(m), keep), nil
	}
	return m.do(Safe, relation(m)), nil
}

// lossless reports whether all of a log can be read.
func lossless(p *Plan) bool {
	return p.Verdict == scan.Opens.String() || p.Verdict == scan.Recovers.String()
}

// compare returns a move of a file with how it relates to another, which is read as
// a log of the name as.
func (s *survey) compare(kind MoveKind, file, other, as string) (*Move, error) {
	if _, err := s.look(file, file); err != nil {
		return nil, err
	}
	v, err := s.view(other, as)
	if err != nil {
		return nil, err
	}
	m, err := s.move(kind, file)
	if err != nil {
		return nil, err
	}
	c, err := store.Compare(s.ctx, m.Path(), v.path)
	m.With, m.withSum = Path(other), v.plan.SHA256
	m.Common, m.Own, m.Others = c.Common, c.First, c.Second
	return m, err
}

// relation says in words how a file relates to the other that it is compared with.
func relation(m *Move) string {
	switch all := m.Common + m.Others; {
	case m.Own > 0 && m.Others > 0:
		return fmt.Sprintf("it shares the first %s with %q, then has %d where that has %d", words.Count(m.Common, "event"), m.Other(), m.Own, m.Others)
	case m.Own > 0:
		return fmt.Sprintf("it holds all %s of %q and %d more", words.Count(m.Common, "event"), m.Other(), m.Own)
	case m.Others > 0:
		return fmt.Sprintf("it holds the first %d of %s in %q", m.Common, words.Count(all, "event"), m.Other())
	}
	return fmt.Sprintf("it holds the same %s as %q", words.Count(m.Common, "event"), m.Other())
}

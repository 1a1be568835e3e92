package repair

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/session"
)

// adopt looks for a copy beside a log that holds all of it and more. Of several it
// takes the longest. Copies that go on differently are named and left alone.
func (s *survey) adopt(l *surveyed) ([]*Move, error) {
	var best *Move
	var moves []*Move
	for _, file := range s.copies {
		if filepath.Dir(file) != filepath.Dir(l.path) || !s.copyOf(l, file) {
			continue
		}
		m, err := s.compare(Adopt, l.path, file, l.path)
		switch {
		case err != nil && s.ctx.Err() != nil:
			return nil, err
		case err != nil || m.Others == 0:
		case m.Own > 0:
			if m, err := s.compare(LeaveBe, file, l.path, l.path); err == nil {
				m.Reason = "dsh does not look at this copy: " + relation(m)
				moves = append(moves, m)
			}
		case best == nil || m.Others > best.Others:
			best = m
		}
	}
	if best == nil {
		return moves, nil
	}
	reason := fmt.Sprintf("the copy %q beside it holds all %s of it and %d more", filepath.Base(string(best.With)), words.Count(best.Common, "event"), best.Others)
	if slices.Contains(s.opt.Allow, AdoptCopy) {
		return append(moves, best.do(Assisted, reason)), nil
	}
	return append(moves, best.refuse(Choice, reason, "--allow adopt-copy puts the copy in the place of the log")), nil
}

// copyOf reports whether a file is a log of the session of l that can be used.
func (s *survey) copyOf(l *surveyed, file string) bool {
	v, err := s.view(file, l.path)
	if err != nil || v.plan.Action == Refuse {
		return false
	}
	src, err := openRegular(s.ctx, v.path)
	if err != nil {
		return false
	}
	defer src.close()
	line, _, err := headerLine(src, src.info.Size())
	if err != nil {
		return false
	}
	header, refusal := session.ParseHeader(line)
	if refusal != nil {
		return false
	}
	_, place, ok := placeOf(header, l.path)
	return ok && place == l.place
}

// adopt puts a copy of a log, repaired if that is needed, in the place of the log.
func (c *Committer) adopt(ctx context.Context, log *openLog, out *Outcome) error {
	copied, err := openRegular(ctx, out.Move.Other())
	if err != nil {
		return err
	}
	defer copied.close()
	p, err := NewPlan(copied, copied.info.Size(), log.path, out.Move.Options)
	if err != nil {
		return err
	}
	if p.Action == Refuse || p.SHA256 != out.Move.withSum {
		return fmt.Errorf("%w: the copy has changed", ErrMismatch)
	}
	made := content{write: func(w io.Writer) error { return p.Write(w, copied) }, verify: p.Verify}
	// The log leaves as a whole, and the backup has it. Of the copy nothing leaves.
	whole := *p
	whole.Leaves = nil
	out.Plan = &whole
	return c.swap(ctx, log, out, made)
}

package repair

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// rehead makes the header of a log name the place where it lies. Only the cwd may
// be wrong: other logs may cite the id.
func (s *survey) rehead(l *surveyed) (*Move, error) {
	m, err := s.move(Rehead, l.path)
	if err != nil {
		return nil, err
	}
	parts := split(l.path)
	if parts[1] != l.session {
		return m.refuse(Safe, "its header has another id than its session directory, and other logs may cite that id",
			"without --allow rewrite-header it is moved to the place that its header names"), nil
	}
	cwd, why := s.cwdFor(parts[0])
	if why != "" {
		return m.refuse(Assisted, why, "--cwd DIR names the working directory"), nil
	}
	v, err := s.view(l.path, l.path)
	if err != nil {
		return nil, err
	}
	if v.plan.Action == Refuse {
		return m.refuse("", "it cannot be repaired: "+v.plan.Reason, v.plan.Next), nil
	}
	src, err := openRegular(s.ctx, v.path)
	if err != nil {
		return nil, err
	}
	defer src.close()
	line, _, err := headerLine(src, src.info.Size())
	m.NewHeader = string(withMember(line, "cwd", cwd))
	return m.do(Assisted, "it stays, and its header names this place"), err
}

// cwdFor returns the JSON text of a cwd that leads to a project, nil for none, or
// why there is no such cwd. It is the one that the user states, or that the other
// sessions of the project have.
func (s *survey) cwdFor(project string) (cwd []byte, why string) {
	if s.opt.CWD != "" {
		cwd = jsjson.AppendQuoted(nil, s.opt.CWD)
		if leadsTo(cwd) != project {
			return nil, fmt.Sprintf("the working directory %q does not lead to the project %q", s.opt.CWD, project)
		}
		return cwd, ""
	}
	found := false
	for _, l := range s.logs {
		if !l.placed || split(l.path)[0] != project {
			continue
		}
		if found && string(cwd) != string(l.header.CWD.Raw()) {
			return nil, fmt.Sprintf("the sessions of the project %q have several working directories", project)
		}
		cwd, found = l.header.CWD.Raw(), true
	}
	if key, err := session.ProjectKey(absent); !found && (err != nil || key != project) {
		return nil, fmt.Sprintf("no other session of the project %q tells its working directory", project)
	}
	return cwd, ""
}

// absent is the cwd of a header that has none.
var absent jsjson.Value

// leadsTo returns the project of a cwd, "" when it has none.
func leadsTo(cwd []byte) string {
	key, err := session.ProjectKey(jsjson.NewValue(jsjson.String, cwd))
	if err != nil {
		return ""
	}
	return key
}

// rehead gives a log the header that its move states.
func (c *Committer) rehead(ctx context.Context, log *openLog, out *Outcome) error {
	p, err := newHeaderPlan(log, log.info.Size(), log.path, out.Move)
	if err != nil {
		return err
	}
	out.Plan = p
	return c.swap(ctx, log, out, out.writeChecked(log))
}

// newHeaderPlan plans to give a log that dsh opens another header line, and to copy
// everything behind it.
func newHeaderPlan(src io.ReaderAt, size int64, path string, m *Move) (*Plan, error) {
	p, err := NewPlan(src, size, path, m.Options)
	if err != nil {
		return nil, err
	}
	if p.Action != Nothing {
		return nil, errors.New("its content has to be repaired first")
	}
	line, end, err := headerLine(src, size)
	if err != nil {
		return nil, err
	}
	if !changesCWD(line, m.NewHeader) {
		return nil, fmt.Errorf("%w: its header has more to change than the cwd", ErrMismatch)
	}
	p.Action, p.Level, p.NewHeader, p.Keep = Repair, Assisted, m.NewHeader, 0
	p.Parts = []Part{{Copy: &Range{end, size - end}}}
	p.Leaves = []Leave{{FileOff: 0, Len: end, Reason: "header that names another place"}}
	return p, nil
}

// changesCWD reports whether two header lines differ in the cwd only.
func changesCWD(old []byte, line string) bool {
	without := func(line []byte) string { return string(withMember(line, "cwd", nil)) }
	return without(slices.Clone(old)) == without([]byte(line))
}

package main

import (
	"path/filepath"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/repair"
)

// makeMoves gives logs their places, once the contents of all are repaired.
func (a *applier) makeMoves() {
	switch {
	case a.c.String("export-branches") != "":
		return
	case a.c.String("output") != "":
		a.nameMoves()
		return
	}
	// A repair may have given a log the header that says where it belongs.
	for _, m := range planMoves(a.c, a.report, a.c.Args().Slice(), a.opt).all {
		if a.c.Context.Err() != nil {
			return
		}
		a.move(m)
	}
	for i := range a.expected {
		if a.c.Context.Err() != nil {
			return
		}
		a.expect(&a.expected[i])
	}
}

func (a *applier) move(m *repair.Move) {
	out, err := a.committer.Move(a.c.Context, m)
	a.report.moved(out, err)
	a.report.failed(m.Path(), err)
}

// nameMoves reports the moves that --output does not make.
func (a *applier) nameMoves() {
	for _, m := range a.report.moves.all {
		if m.Action != repair.Repair {
			a.report.moved(&repair.Outcome{Move: m}, nil)
		}
	}
}

// expect makes a move of a plan, if the log asks for the same move still. Like a
// plan, it is never executed itself.
func (a *applier) expect(want *repair.Move) {
	path := want.Path()
	moves, err := repair.PlanMoves(a.c.Context, path, want.Options)
	if err != nil {
		a.report.failed(path, err)
		return
	}
	for _, m := range moves {
		if before, ok := a.changed[absolute(path)]; ok && before == want.SHA256 {
			want.Size, want.SHA256 = m.Size, m.SHA256 // by the plan of its content
		}
		if m.SameAs(want) {
			a.move(m)
			return
		}
	}
	if want.Action == repair.Repair {
		a.report.failed(path, repair.ErrMismatch)
	}
}

// copyMoved writes the copy of a log in the place where it belongs.
func (a *applier) copyMoved(path shared.Path, m *repair.Move) error {
	below, err := filepath.Rel(path.Root, path.Name)
	if err != nil {
		return err
	}
	if m.Kind == repair.ToPlace {
		if to, err := filepath.Rel(path.Root, m.Target()); err == nil && filepath.IsLocal(to) {
			below = to
		}
	}
	out, err := a.committer.CopyMoved(a.c.Context, m, filepath.Join(a.c.String("output"), below))
	if out.Plan != nil && out.Plan.Action == repair.Refuse {
		out.Move = nil // its content is what keeps it from being copied
	}
	a.report.applied(path.Name, out, err)
	return err
}

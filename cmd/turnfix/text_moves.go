package main

import (
	"path/filepath"

	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/repair"
)

// moveWords say what a move does before it is made, and what it did.
var moveWords = map[repair.MoveKind]struct{ before, after, result string }{
	repair.ToPlace:    {"to be moved", "moved", "dsh finds it now"},
	repair.Quarantine: {"to be quarantined", "quarantined", "its session has one log now"},
	repair.Adopt:      {"to be replaced by its copy", "replaced by its copy", "dsh shows the newer events now"},
	repair.Rehead:     {"to get another header", "repaired", "dsh finds it now"},
}

// planMove prints what a move would do. command is the one that does it.
func (t *textWriter) planMove(m *repair.Move, command string) {
	switch {
	case m.Action == repair.Refuse:
		t.refuseMove(m)
	case t.quiet:
	case m.Action == repair.Nothing:
		t.passed(m, "left alone")
	default:
		t.status(m.Path(), t.paint.work, moveWords[m.Kind].before, t.reason(m))
		t.effect(m)
		t.detail("next", command)
	}
}

func (t *textWriter) refuseMove(m *repair.Move) {
	t.line(m.Path(), t.lang.Textf("%v: %v", t.refused(), t.reason(m)))
	t.detail("hint", t.lang.Text(m.Next))
}

// passed prints that nothing is done, and why.
func (t *textWriter) passed(m *repair.Move, what string) {
	t.line(m.Path(), t.lang.Textf("%v, %v", t.lang.Text(what), t.reason(m)))
}

func (t *textWriter) reason(m *repair.Move) string { return printable(t.lang.Text(m.Reason)) }

// moved prints what became of a move.
func (t *textWriter) moved(out *repair.Outcome) {
	m := out.Move
	switch {
	case m.Action == repair.Refuse:
		t.refuseMove(m)
	case t.quiet:
	case m.Action == repair.Nothing:
		t.passed(m, "left alone")
	case out.Manifest == "" && !out.Published:
		t.passed(m, "not copied")
	case out.Manifest == "":
		t.line(m.Path(), t.lang.Textf("%v as dsh finds it, %v", t.paint.good.Sprint(t.lang.Text("copied")), t.reason(m)))
		if out.Plan.Action == repair.Repair {
			t.ledger(out.Plan)
		}
		t.detail("copy", out.Target)
	default:
		words := moveWords[m.Kind]
		t.status(m.Path(), t.paint.good, words.after, t.lang.Text(words.result))
		t.effect(m)
		name := out.Target
		if name == "" {
			name = m.Path()
		}
		t.undoWith(name, out)
	}
}

// effect prints what a move changes, with its level.
func (t *textWriter) effect(m *repair.Move) {
	switch m.Kind {
	case repair.ToPlace:
		t.step("moves", t.lang.Textf("to %v", m.Target()), m.Level)
	case repair.Quarantine:
		t.step("moves", t.lang.Text("out of the sessions, into the backup"), m.Level)
		if m.Own > 0 {
			t.step("drops", t.lang.Textf("%v that the other log lacks", t.events(m.Own)), m.Level)
		}
	case repair.Adopt:
		t.step("adopts", t.lang.Textf("%v of %v", t.events(m.Common+m.Others), filepath.Base(m.Other())), m.Level)
	case repair.Rehead:
		t.step("rewrites", t.lang.Textf("the header only: %v", m.NewHeader), m.Level)
	}
}

// undoneMoveText says what the undo of a move did.
func undoneMoveText(l *lang.Printer, out *repair.Outcome) string {
	switch quarantined := out.Move.Kind == repair.Quarantine; {
	case out.Kind == repair.Undone && quarantined:
		return l.Text("undone, it is back; a second undo quarantines it again")
	case out.Kind == repair.Undone:
		return l.Textf("undone, it is back at %v; a second undo moves it again", printable(out.Target))
	case quarantined:
		return l.Text("the undo is undone, it is quarantined again")
	}
	return l.Textf("the undo is undone, it is at %v again", printable(out.Target))
}

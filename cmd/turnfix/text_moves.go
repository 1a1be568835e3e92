package main

import (
	"fmt"
	"path/filepath"

	"github.com/turnlint/turnlint/internal/words"
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
		t.line(m.Path(), "left alone, "+printable(m.Reason))
	default:
		t.line(m.Path(), t.paint.work.Sprint(moveWords[m.Kind].before)+", "+printable(m.Reason))
		t.effect(m)
		t.detail("next", "%s", command)
	}
}

func (t *textWriter) refuseMove(m *repair.Move) {
	t.line(m.Path(), t.paint.bad.Sprint("refused")+": "+printable(m.Reason))
	t.detail("hint", "%s", m.Next)
}

// moved prints what became of a move.
func (t *textWriter) moved(out *repair.Outcome) {
	m := out.Move
	switch {
	case m.Action == repair.Refuse:
		t.refuseMove(m)
	case t.quiet:
	case m.Action == repair.Nothing:
		t.line(m.Path(), "left alone, "+printable(m.Reason))
	case out.Manifest == "" && !out.Published:
		t.line(m.Path(), "not copied, "+printable(m.Reason))
	case out.Manifest == "":
		t.line(m.Path(), t.paint.good.Sprint("copied")+" as dsh finds it, "+printable(m.Reason))
		if out.Plan.Action == repair.Repair {
			t.ledger(out.Plan)
		}
		t.detail("copy", "%s", out.Target)
	default:
		words := moveWords[m.Kind]
		t.line(m.Path(), t.paint.good.Sprint(words.after)+", "+words.result)
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
		t.detail("moves", "to %s [%s]", m.Target(), m.Level)
	case repair.Quarantine:
		t.detail("moves", "out of the sessions, into the backup [%s]", m.Level)
		if m.Own > 0 {
			t.detail("drops", "%s that the other log lacks [%s]", words.Count(m.Own, "event"), m.Level)
		}
	case repair.Adopt:
		t.detail("adopts", "%s of %s [%s]", words.Count(m.Common+m.Others, "event"), filepath.Base(m.Other()), m.Level)
	case repair.Rehead:
		t.detail("rewrites", "the header only: %s [%s]", m.NewHeader, m.Level)
	}
}

// undoneMoveText says what the undo of a move did.
func undoneMoveText(out *repair.Outcome) string {
	switch quarantined := out.Move.Kind == repair.Quarantine; {
	case out.Kind == repair.Undone && quarantined:
		return "undone, it is back; a second undo quarantines it again"
	case out.Kind == repair.Undone:
		return fmt.Sprintf("undone, it is back at %s; a second undo moves it again", printable(out.Target))
	case quarantined:
		return "the undo is undone, it is quarantined again"
	}
	return fmt.Sprintf("the undo is undone, it is at %s again", printable(out.Target))
}

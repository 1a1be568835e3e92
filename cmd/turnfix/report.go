package main

import (
	"context"
	"errors"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/database"
	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/repair"
)

// report prints what becomes of each input and adds up the exit bits.
type report struct {
	c     *cli.Context
	text  *textWriter // nil for another format
	json  *jsonWriter
	bits  int
	count tally
	rows  []summary // of plan
	moves *moves
}

// tally counts inputs by what became of them.
type tally struct{ clean, work, done, exported, refused, withheld, failed int }

func newReport(c *cli.Context) *report {
	r := &report{c: c, moves: &moves{}}
	if c.String("format") == "json" {
		r.json = &jsonWriter{w: c.App.Writer, member: "results"}
		switch {
		case c.Command.Name == "plan" && c.Bool("map"):
			r.json.member = "maps"
		case c.Command.Name == "plan":
			r.json.member = "plans"
		}
		return r
	}
	r.text = &textWriter{
		w: c.App.Writer, paint: newPalette(shared.ColorFor(c, c.App.Writer)), lang: shared.Lang(c),
		quiet: c.Bool("quiet"), stateDir: c.String("state-dir"),
	}
	return r
}

// planned reports a plan that is not carried out, or the map of its log.
func (r *report) planned(found *planning) error {
	p := found.plan
	if p.Action != repair.Nothing || !r.moves.concerns(found.path) {
		r.tally(p.Action)
	}
	switch {
	case r.json != nil && found.mapped != nil:
		r.json.add(found.mapped)
	case r.json != nil && found.rows != nil:
		r.json.add(found.rows)
	case r.json != nil:
		r.json.add(p)
	case found.mapped != nil:
		return writeMap(r.c.App.Writer, shared.Lang(r.c), found.mapped)
	case found.rows != nil:
		return writeRowMap(r.c.App.Writer, shared.Lang(r.c), found.rows)
	case p.Action == repair.Nothing && r.moves.concerns(found.path):
	default:
		r.rows = append(r.rows, summaryOf(found.path, p))
		r.text.plan(found.path, p, commandFor("apply", found.path, p.Options))
		_, err := found.diff.WriteTo(r.c.App.Writer)
		return err
	}
	return nil
}

// plannedMoves reports the moves, which are not made.
func (r *report) plannedMoves() {
	if r.json != nil && !r.c.Bool("map") {
		r.json.next("moves")
	}
	for _, m := range r.moves.all {
		if m.Action != repair.Nothing {
			r.tally(m.Action)
		}
		if r.json != nil {
			r.json.add(m)
			continue
		}
		if m.Action != repair.Nothing {
			r.rows = append(r.rows, summaryOfMove(m))
		}
		r.text.planMove(m, commandFor("apply", m.Path(), m.Options))
	}
}

// tally counts what is planned and not carried out.
func (r *report) tally(action repair.Action) {
	switch action {
	case repair.Nothing:
		r.count.clean++
	case repair.Repair:
		r.bits |= exitDamage
		r.count.work++
	case repair.Refuse:
		r.bits |= exitDamage
		r.count.refused++
	}
}

// applied reports what apply did with a log. err is what went wrong, which
// failed reports as well.
func (r *report) applied(name string, out *repair.Outcome, err error) {
	if out == nil {
		return
	}
	if out.Move != nil {
		r.moved(out, err)
		return
	}
	concerned := out.Plan.Action == repair.Nothing && r.moves.concerns(name)
	switch {
	case concerned && err == nil:
	case out.Published && out.Plan.Action == repair.Repair:
		r.bits |= exitRepaired
		r.count.done++
	case out.Plan.Action == repair.Refuse:
		r.bits |= exitDamage
		r.count.refused++
	case out.Plan.Action == repair.Nothing && err == nil:
		r.count.clean++
	case out.Plan.Action == repair.Repair:
		r.bits |= exitDamage // it needs a repair and did not get it
	}
	switch {
	case r.json != nil:
		r.json.add(newResult(name, out, err))
	case concerned && !out.Published:
	case err == nil || out.Published:
		r.text.outcome(name, out)
	}
}

// moved reports what became of a move. err is what went wrong, which failed reports
// as well.
func (r *report) moved(out *repair.Outcome, err error) {
	m := out.Move
	switch {
	case m.Action == repair.Nothing:
	case out.Published:
		r.bits |= exitRepaired
		r.count.done++
	case m.Action == repair.Refuse:
		r.bits |= exitDamage
		r.count.refused++
	case err != nil:
		r.bits |= exitDamage // it has to move and did not
	}
	switch {
	case r.json != nil:
		r.json.add(newResult(m.Path(), out, err))
	case err == nil || out.Published:
		r.text.moved(out)
	}
}

// undone reports what undo did.
func (r *report) undone(name string, out *repair.Outcome) {
	if out != nil && out.Published {
		r.bits |= exitRepaired
		r.count.done++
		text := r.text.lang.Text(undoneTexts[out.Kind])
		if out.Move != nil {
			text = undoneMoveText(r.text.lang, out)
		}
		r.line(name, text)
	}
}

var undoneTexts = map[repair.SwapKind]string{
	repair.Undone: "undone, it is as it was before its repair; a second undo brings the repaired log back",
	repair.Redone: "the undo is undone, it is as the repair left it",
}

// line prints one fact about an input.
func (r *report) line(name, what string) {
	if !r.c.Bool("quiet") {
		r.text.line(name, what)
	}
}

// failed reports an input that could not be processed; err may be nil.
func (r *report) failed(name string, err error) {
	switch {
	case err == nil:
		return
	case errors.Is(err, context.Canceled):
		return // end says it
	}
	r.bits |= exitFailure
	r.count.failed++
	if r.c.Command.Name == "plan" {
		r.rows = append(r.rows, summary{path: name, action: "not processed"})
	}
	var input *shared.InputError
	if !errors.As(err, &input) {
		err = describe(name, err)
	}
	shared.Complain(r.c, err)
}

// describe puts the input before an error that does not name it.
func describe(name string, err error) error {
	e := &shared.InputError{Path: name, What: err.Error(), Err: err}
	var path *fs.PathError
	switch {
	case errors.As(err, &path) && path.Path == name:
		e.What = path.Err.Error()
	case errors.Is(err, database.ErrBusy):
		e.Hint = "end the program that has it open: SQLite says that there is one, and no flag passes that over"
	case errors.Is(err, repair.ErrInUse):
		e.Hint = "end the harness that has it open; --assume-stopped if you know that none has"
	case errors.Is(err, repair.ErrNoSession) && name != shared.Stdin:
		e.Hint = "turnlint store " + escape.ShellArg(name) + " lists those that there are"
	case errors.Is(err, repair.ErrMismatch):
		e.Hint = "make a new plan"
	}
	return e
}

// end prints what concerns all inputs and returns the exit status.
func (r *report) end() error {
	if r.json != nil {
		r.json.end()
	} else if !r.c.Bool("map") {
		r.text.table(r.rows)
		r.text.totals(r.count)
	}
	if r.c.Context.Err() != nil {
		r.bits |= exitCancelled
		shared.Complain(r.c, errors.New("interrupted"))
	}
	if r.bits == exitNothing {
		return nil
	}
	return shared.Status(r.bits)
}

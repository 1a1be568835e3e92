package main

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/repair"
)

// planDatabase reports the plans of the sessions in a database.
func planDatabase(c *cli.Context, r *report, path shared.Path, opt repair.Options) error {
	if c.Bool("map") {
		return fmt.Errorf("--map shows the bytes of a log, and a session in a database has none of its own")
	}
	diffs := make(map[string]*bytes.Buffer)
	var show func(*repair.Plan, *repair.SessionText) error
	if c.Bool("diff") {
		show = func(p *repair.Plan, text *repair.SessionText) error {
			d, err := text.Diff()
			if err != nil {
				return err
			}
			diffs[string(p.Path)] = new(bytes.Buffer)
			return writeDiff(c, diffs[string(p.Path)], d)
		}
	}
	plans, err := repair.PlanDatabase(c.Context, path.Name, path.Session, opt, show)
	if err != nil {
		return err
	}
	if len(plans) == 0 {
		r.empty(path.Name)
	}
	for _, p := range plans {
		found := &planning{plan: p, path: string(p.Path)}
		if diff := diffs[found.path]; diff != nil {
			found.diff = *diff
		}
		if err := r.planned(found); err != nil {
			return err
		}
	}
	return nil
}

// empty reports a database without sessions.
func (r *report) empty(path string) {
	r.count.clean++
	if r.text != nil {
		r.line(path, r.text.lang.Text("nothing to do, there is no session in it"))
	}
}

// database repairs the sessions in a database, in place or in a copy.
func (a *applier) database(path shared.Path, opt repair.Options, committer *repair.Committer) error {
	if a.c.String("export-branches") != "" {
		return fmt.Errorf("--export-branches is for logs, and not for sessions in a database: turnfix export makes a log of one")
	}
	apply := func() ([]*repair.Outcome, error) {
		return committer.ApplyDatabase(a.c.Context, path.Name, path.Session, opt)
	}
	if dir := a.c.String("output"); dir != "" {
		below := filepath.Base(path.Name)
		if path.Root != "" {
			var err error
			if below, err = filepath.Rel(path.Root, path.Name); err != nil {
				return err
			}
		}
		target := filepath.Join(dir, below)
		apply = func() ([]*repair.Outcome, error) {
			return committer.CopyDatabase(a.c.Context, path.Name, path.Session, target, opt)
		}
	}
	all, err := apply()
	if err == nil && len(all) == 0 {
		a.report.empty(path.Name)
	}
	for _, out := range all {
		a.report.applied(string(out.Plan.Path), out, err)
	}
	return err
}

// leftRows prints which rows of a session in a database leave.
func (t *textWriter) leftRows(rows *repair.Rows) {
	for _, l := range rows.Left {
		place := t.lang.Textf("row with seq %d", l.First)
		if l.Rows > 1 {
			place = t.lang.Textf("%v with seqs %d to %d", t.rows(l.Rows), l.First, l.Last)
		}
		t.detail("lost+found", t.lang.Textf("%v: %v", place, t.leaves(l.Reason, l.Events)))
	}
}

// keptRows says how many rows stay as they are.
func (t *textWriter) keptRows(rows *repair.Rows) string {
	return t.lang.Textf("%d of %v stay as they are", rows.Kept, t.rows(rows.Kept+rows.Removed))
}

func (t *textWriter) rows(n int64) string { return t.lang.Count(n, "row") }

package main

import (
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/diff"
	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
)

// sourceOf returns the database that a path names.
func sourceOf(path shared.Path) repair.StoreSource { return repair.StoreSource{Path: path.Name} }

// pipedDatabase returns the database that an input is which is no file, nil when it is
// none.
func pipedDatabase(src *shared.Source, path shared.Path, encoding scan.Encoding) (*repair.StoreSource, error) {
	if !src.Spooled() || encoding != scan.Auto {
		return nil, nil
	}
	if found, err := database.Recognise(src, src.Size(), ""); !found || err != nil {
		return nil, err
	}
	return &repair.StoreSource{Path: path.Name, Image: src, Size: src.Size()}, nil
}

// planDatabase reports the plans of the sessions in a database, or of the one with an id.
func planDatabase(c *cli.Context, r *report, source repair.StoreSource, session *string, opt repair.Options) error {
	some := false
	err := repair.PlanDatabase(c.Context, source, session, opt, func(p *repair.PlannedSession) (err error) {
		some = true
		found := &planning{plan: p.Plan, path: string(p.Path)}
		switch {
		case c.Bool("map"):
			found.rows, err = p.Map()
		case c.Bool("diff") && p.Action == repair.Repair:
			var d *diff.Diff
			if d, err = p.Diff(); err == nil {
				err = writeDiff(c, &found.diff, d)
			}
		}
		if err != nil {
			return err
		}
		return r.planned(found)
	})
	if err == nil && !some {
		r.empty(source.Path)
	}
	return err
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
	if a.c.String("export-branches") != "" || a.c.String("output") != "" {
		return a.fromDatabase(sourceOf(path), path, opt, committer)
	}
	all, err := committer.ApplyDatabase(a.c.Context, path.Name, path.Session, opt)
	return a.databaseApplied(path, all, err)
}

// fromDatabase writes what is asked for in place of a repair of the database itself.
func (a *applier) fromDatabase(source repair.StoreSource, path shared.Path, opt repair.Options, committer *repair.Committer) error {
	dir := a.c.String("export-branches")
	if dir == "" {
		return a.copyDatabase(source, path, opt, committer)
	}
	all, err := committer.ExportStoreBranches(a.c.Context, source, path.Session, dir, opt)
	for _, out := range all {
		a.report.applied(string(out.Plan.Path), out, nil)
	}
	return err
}

// copyDatabase writes a copy of a database with its sessions repaired.
func (a *applier) copyDatabase(source repair.StoreSource, path shared.Path, opt repair.Options, committer *repair.Committer) error {
	below := filepath.Base(path.Name)
	switch {
	case path.Name == shared.Stdin:
		below = database.FileName
	case path.Root != "":
		var err error
		if below, err = filepath.Rel(path.Root, path.Name); err != nil {
			return err
		}
	}
	all, err := committer.CopyDatabase(a.c.Context, source, path.Session, filepath.Join(a.c.String("output"), below), opt)
	return a.databaseApplied(path, all, err)
}

// databaseApplied reports what became of the sessions in a database.
func (a *applier) databaseApplied(path shared.Path, all []*repair.Outcome, err error) error {
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

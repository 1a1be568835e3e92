package main

import (
	"bytes"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/diff"
	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
)

func planCommand() *cli.Command {
	return &cli.Command{
		Name: "plan", Usage: "say what a repair would do and what would be lost; write nothing", ArgsUsage: "PATH...",
		Description: "PATH is a log, a directory with logs, a session database, DATABASE#ID for one session in it, or - for standard input.",
		Flags: slices.Concat(repairFlags(), reportFlags(), []cli.Flag{
			&cli.BoolFlag{Name: "diff", Usage: "show what becomes of the events, as a unified diff of numbers and types"},
			&cli.BoolFlag{Name: "show-text", Usage: "with --diff: show the whole events, in which people and models say things"},
			&cli.BoolFlag{Name: "map", Usage: "print a map of the bytes, or of the rows of a database, instead: what is good, torn, damaged, … without any content"},
		}),
		Action: runPlan,
	}
}

// planPasses is how often a log is read that needs no repair: to hash and to check it.
// One that needs it takes longer than its bytes say.
const planPasses = 2

func runPlan(c *cli.Context) error {
	opt, err := options(c)
	if err != nil {
		return err
	}
	if !c.Args().Present() {
		return shared.Usagef("plan wants the path of a log")
	}
	switch diff := c.Bool("diff"); {
	case c.Bool("show-text") && !diff:
		return shared.Usagef("--show-text wants --diff")
	case diff && (c.Bool("map") || c.String("format") != "text"):
		return shared.Usagef("--diff belongs to the text that plan prints, and not to --map or --format json")
	}
	progress := shared.StartProgress(c, c.Args().Slice(), planPasses)
	defer progress.Close()
	r := newReport(c)
	if !c.Bool("map") {
		r.moves = planMoves(c, r, c.Args().Slice(), opt)
	}
	for path, err := range shared.Inputs(c.Args().Slice()) {
		if c.Context.Err() != nil {
			break
		}
		if err == nil {
			err = path.Unencoded(opt.Encoding)
		}
		switch {
		case err != nil:
		case path.Database && opt.Encoding == scan.Auto:
			err = planDatabase(c, r, sourceOf(path), path.Session, opt)
		case !r.moves.decides(path.Name):
			err = planOne(c, r, progress, path, opt)
		}
		progress.Next()
		r.failed(path.Name, err)
	}
	r.plannedMoves()
	return r.end()
}

// planning is what was found out about one input.
type planning struct {
	plan   *repair.Plan
	path   string
	mapped *repair.Map    // of a log, only if asked for
	rows   *repair.RowMap // of a session in a database, only if asked for
	diff   bytes.Buffer   // empty unless asked for
}

// planOne reports the plan of one input. An input that changes while it is read is
// read again, so nothing is printed before the end.
func planOne(c *cli.Context, r *report, progress *shared.Progress, path shared.Path, opt repair.Options) error {
	var found *planning
	err := shared.Read(c.Context, path.Name, c.App.Reader, func(src *shared.Source) (err error) {
		src.Track(progress)
		source, err := pipedDatabase(src, path, opt.Encoding)
		switch {
		case err != nil:
			return err
		case source != nil:
			return planDatabase(c, r, *source, nil, opt)
		}
		found = &planning{path: path.Name}
		found.plan, err = repair.NewPlan(src, src.Size(), nameOf(path), opt)
		switch {
		case err != nil:
		case c.Bool("map"):
			found.mapped, err = repair.NewMap(src, found.plan)
		case c.Bool("diff") && found.plan.Action == repair.Repair:
			err = diffOf(c, &found.diff, src, found.plan)
		}
		return err
	})
	if err == nil && found != nil {
		err = r.planned(found)
	}
	return err
}

// diffOf makes the repaired log in a private temporary file, verifies it and writes
// what has changed.
func diffOf(c *cli.Context, w io.Writer, src *shared.Source, p *repair.Plan) error {
	out, in := io.Pipe()
	defer out.Close()
	go func() { in.CloseWithError(p.Write(in, src)) }()
	return shared.Read(c.Context, shared.Stdin, out, func(repaired *shared.Source) error {
		if err := p.Verify(repaired, repaired.Size()); err != nil {
			return err
		}
		d, err := p.Diff(src, repaired, repaired.Size())
		if err != nil {
			return err
		}
		return writeDiff(c, w, d)
	})
}

// writeDiff writes what a repair does to the events of a log.
func writeDiff(c *cli.Context, w io.Writer, d *diff.Diff) error {
	l := shared.Lang(c)
	return d.Write(w, l.Textf("%v on disk", l.Count(int64(d.Before), "event")),
		l.Textf("%v repaired", l.Count(int64(d.After), "event")), c.Bool("show-text"))
}

// nameOf returns the name that a plan knows the input by: standard input has none.
func nameOf(path shared.Path) string {
	if path.Name == shared.Stdin {
		return ""
	}
	return path.Name
}

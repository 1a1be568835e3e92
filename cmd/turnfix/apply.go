package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

func applyCommand() *cli.Command {
	return &cli.Command{
		Name: "apply", Usage: "repair logs in place, with a backup, or as copies", ArgsUsage: "PATH... | plan.json",
		Description: "PATH is a log, a directory with logs, a session database, DATABASE#ID for one session in it, the output of\nplan --format json, or, with --output or --export-branches, - for standard input.",
		Flags: slices.Concat(repairFlags(), []cli.Flag{
			&cli.StringFlag{Name: "output", Usage: "write repaired copies to `DIR`, and leave the logs alone"},
			&cli.StringFlag{Name: "export-branches", Usage: "write each history of a log as a session of its own below `DIR`, and leave the log alone"},
		}, commitFlags(), reportFlags()),
		Action: runApply,
	}
}

func runApply(c *cli.Context) error {
	opt, err := options(c)
	if err != nil {
		return err
	}
	switch args := c.Args().Slice(); {
	case len(args) == 0:
		return shared.Usagef("apply wants the path of a log or of a plan")
	case c.String("output") == "" && c.String("export-branches") == "" && slices.Contains(args, shared.Stdin):
		return shared.Usagef("standard input cannot be repaired in place: use --output")
	}
	committer, err := committer(c)
	if err != nil {
		return err
	}
	progress := shared.StartProgress(c, c.Args().Slice(), planPasses)
	defer progress.Close()
	committer.FS = trackedFS{committer.FS, progress}
	a := &applier{c: c, report: newReport(c), opt: opt, committer: committer, progress: progress, changed: make(map[string]string)}
	if c.String("export-branches") == "" {
		a.report.moves = planMoves(c, a.report, c.Args().Slice(), opt)
	}
	for path, err := range shared.Inputs(c.Args().Slice()) {
		if c.Context.Err() != nil {
			break
		}
		if err == nil {
			err = a.input(path)
		}
		progress.Next()
		a.report.failed(path.Name, err)
	}
	a.makeMoves()
	return a.report.end()
}

// applier repairs the inputs of one command.
type applier struct {
	c         *cli.Context
	report    *report
	opt       repair.Options
	committer *repair.Committer
	progress  *shared.Progress
	// expected are the moves in the plans that were given.
	expected []repair.Move
	// changed has the hashes before of the logs whose content was repaired, by path.
	changed map[string]string
}

// input repairs one input: a log, or the logs that a plan names.
func (a *applier) input(path shared.Path) error {
	if path.Root == "" && strings.HasSuffix(path.Name, ".json") {
		return a.plans(path.Name)
	}
	return a.log(path, a.opt, a.committer)
}

// plans carries out the plans in a file.
func (a *applier) plans(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var doc planDocument
	if err := json.Unmarshal(text, &doc); err != nil {
		return &shared.InputError{Path: name, What: "no plan: " + err.Error(), Err: err}
	}
	if doc.SchemaVersion != repair.PlanVersion || doc.Plans == nil {
		return &shared.InputError{Path: name, What: "no plan that this turnfix understands"}
	}
	for i := range doc.Plans {
		p := &doc.Plans[i]
		a.report.failed(string(p.Path), a.plan(p))
	}
	a.expected = append(a.expected, doc.Moves...)
	return nil
}

// plan repairs the log of one plan, which must still be what the repair of that
// log comes to. The plan itself is never executed: whoever wrote it, nothing can
// happen that turnfix would not do by itself.
func (a *applier) plan(p *repair.Plan) error {
	if p.Path == "" || strings.HasPrefix(string(p.Path), pipedSession) {
		return errors.New("the plan was made from standard input and names no log")
	}
	opt := p.Options
	if opt.Parent = a.opt.Parent; p.Rows == nil {
		var err error
		if opt.Encoding, err = scan.ParseEncoding(p.Encoding); err != nil {
			return err
		}
	}
	if p.Splice != nil && opt.Parent == "" && !slices.Contains(opt.Allow, repair.SplicePrefix) {
		return fmt.Errorf("the plan takes events from the log %q: name it again with --parent", p.Splice.Path)
	}
	committer := *a.committer
	committer.Expect = p
	for path, err := range shared.Paths([]string{string(p.Path)}) {
		if err == nil {
			err = a.log(path, opt, &committer)
		}
		return err
	}
	return nil
}

func (a *applier) log(path shared.Path, opt repair.Options, committer *repair.Committer) error {
	if err := path.Unencoded(opt.Encoding); err != nil {
		return err
	}
	switch {
	case path.Database && opt.Encoding == scan.Auto:
		return a.database(path, opt, committer)
	case a.c.String("export-branches") != "":
		return a.export(path, opt, committer)
	case a.c.String("output") != "":
		return a.copy(path, opt, committer)
	case a.report.moves.decides(path.Name):
		return nil
	}
	out, err := committer.Apply(a.c.Context, path.Name, opt)
	if out != nil && out.Published {
		a.changed[absolute(path.Name)] = out.Plan.SHA256
	}
	a.report.applied(path.Name, out, err)
	return err
}

// export writes the histories of a log as sessions of their own.
func (a *applier) export(path shared.Path, opt repair.Options, committer *repair.Committer) error {
	return shared.Read(a.c.Context, path.Name, a.c.App.Reader, func(src *shared.Source) error {
		src.Track(a.progress)
		source, err := pipedDatabase(src, path, opt.Encoding)
		switch {
		case err != nil:
			return err
		case source != nil:
			return a.fromDatabase(*source, path, opt, committer)
		}
		all, err := committer.ExportBranches(a.c.Context, src, src.Size(), nameOf(path), a.c.String("export-branches"), opt)
		for _, out := range all {
			a.report.applied(path.Name, out, nil)
		}
		return err
	})
}

// copy writes a repaired copy. A log keeps its name; one that was found in a
// directory keeps its place below it too, because all logs have the same name.
func (a *applier) copy(path shared.Path, opt repair.Options, committer *repair.Committer) error {
	if m := a.report.moves.of(path.Name); m != nil && m.Action == repair.Repair && path.Root != "" {
		return a.copyMoved(path, m)
	}
	published := ""
	return shared.Read(a.c.Context, path.Name, a.c.App.Reader, func(src *shared.Source) error {
		src.Track(a.progress)
		source, err := pipedDatabase(src, path, opt.Encoding)
		switch {
		case err != nil:
			return err
		case source != nil:
			return a.fromDatabase(*source, path, opt, committer)
		case published != "": // the log changed meanwhile and is read again
			return fmt.Errorf("%w: it changed while it was copied; %q holds an earlier state", repair.ErrInUse, published)
		}
		target, err := a.target(path, src)
		if err != nil {
			return err
		}
		out, err := committer.Copy(a.c.Context, src, src.Size(), nameOf(path), target, opt)
		if out != nil {
			published = out.Target
		}
		a.report.applied(path.Name, out, err)
		return err
	})
}

// nameFor returns the name that a log without one has in its session directory.
func nameFor(src *shared.Source) (string, error) {
	encoding, err := scan.Detect(src, src.Size())
	if err != nil {
		return "", err
	}
	header, _, err := scan.HeaderLine(src, src.Size(), encoding)
	name := session.LogName{Generation: scan.OwnGeneration(header, ""), Zstd: encoding == scan.Zstd}
	return name.String(), err
}

// target returns where the copy of an input goes.
func (a *applier) target(path shared.Path, src *shared.Source) (string, error) {
	dir := a.c.String("output")
	switch {
	case path.Name == shared.Stdin:
		name, err := nameFor(src)
		return filepath.Join(dir, name), err
	case path.Root != "":
		below, err := filepath.Rel(path.Root, path.Name)
		return filepath.Join(dir, below), err
	}
	return filepath.Join(dir, filepath.Base(path.Name)), nil
}

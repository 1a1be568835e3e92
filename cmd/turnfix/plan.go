package main

import (
	"slices"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/repair"
)

func planCommand() *cli.Command {
	return &cli.Command{
		Name: "plan", Usage: "say what a repair would do and what would be lost; write nothing", ArgsUsage: "PATH...",
		Description: "PATH is a log, a directory with logs, or - for standard input.",
		Flags:       slices.Concat(repairFlags(), reportFlags()),
		Action:      runPlan,
	}
}

func runPlan(c *cli.Context) error {
	opt, err := options(c)
	if err != nil {
		return err
	}
	if !c.Args().Present() {
		return shared.Usagef("plan wants the path of a log")
	}
	r := newReport(c)
	for path, err := range shared.Paths(c.Args().Slice()) {
		if c.Context.Err() != nil {
			break
		}
		if err == nil {
			err = shared.Read(c.Context, path.Name, c.App.Reader, func(src *shared.Source) error {
				p, err := repair.NewPlan(src, src.Size(), nameOf(path), opt)
				if err == nil {
					r.planned(path.Name, p)
				}
				return err
			})
		}
		r.failed(path.Name, err)
	}
	return r.end()
}

// nameOf returns the name that a plan knows the input by: standard input has none.
func nameOf(path shared.Path) string {
	if path.Name == shared.Stdin {
		return ""
	}
	return path.Name
}

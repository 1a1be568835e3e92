package main

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/report"
)

func mergeCommand() *cli.Command {
	return &cli.Command{
		Name: "merge", Usage: "make one report of those of several runs", ArgsUsage: "FILE...",
		Description: "A FILE is a report that check wrote as json, ndjson or sarif, or - for standard input. The report and the\n" +
			"exit code are those of one run over all the logs, in the order of their paths. A log that is in two of the\n" +
			"reports, or a report that is not complete, is an error: nothing is merged then.",
		Flags: slices.Concat([]cli.Flag{
			formatFlag(), outputFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print no report"},
			shared.ColorFlag(), shared.LangFlag(),
			failOnFlag(),
		}, filesFromFlags("say which paths of the list in `FILE`, - for standard input, are in none of the reports"), configFlags()),
		Action: mergeReports,
	}
}

func mergeReports(c *cli.Context) error {
	if !c.Args().Present() {
		return shared.Usagef("want at least one report")
	}
	conf, err := readConfig(c)
	if err != nil {
		return explained(err)
	}
	expected, err := listedPaths(c)
	if err != nil {
		return err
	}
	merged, err := readReports(c)
	if err != nil {
		return err
	}
	addMissing(c, merged, expected)
	l := shared.Lang(c)
	reports, err := openReports(c, report.Options{
		Config: cmp.Or(conf.File, l.Text("a configuration")), Baseline: l.Text("a baseline"), Version: merged.Version,
	})
	if err != nil {
		return err
	}
	defer reports.discard()
	for _, name := range c.Args().Slice() {
		if err := reports.clash(name); err != nil {
			return err
		}
	}
	failOn := choose(c, "fail-on", c.String("fail-on"), conf.FailOn)
	code, err := reports.all(merged, newGate(failOn.value))
	if err != nil {
		return err
	}
	if err := reports.publish(); err != nil {
		return err
	}
	return shared.Status(code)
}

// all writes what is in a report, and returns the exit code for it.
func (rs *reports) all(r *report.Report, g gate) (code int, err error) {
	for _, s := range r.Stores {
		code = max(code, g.store(s))
		if err := rs.store(s); err != nil {
			return code, err
		}
	}
	for _, f := range r.Files {
		code = max(code, g.file(f))
		if err := rs.file(f); err != nil {
			return code, err
		}
	}
	return code, nil
}

// readReports reads the reports that the arguments name, and merges them.
func readReports(c *cli.Context) (*report.Report, error) {
	var parts []report.Part
	for _, name := range c.Args().Slice() {
		part, err := readReport(c, name)
		if err != nil {
			return nil, err
		}
		parts = append(parts, report.Part{Name: shared.InputName(name), Report: part})
	}
	return report.Merge(parts)
}

func readReport(c *cli.Context, name string) (r *report.Report, err error) {
	text, err := readAll(c, name)
	if err != nil {
		return nil, err
	}
	if r, err = report.Read(text); err != nil {
		return nil, &shared.InputError{Path: name, What: err.Error(), Err: err}
	}
	if n := omitted(r); n > 0 {
		shared.Complain(c, &shared.InputError{
			Path: name, What: "the report leaves out " + words.Count(n, "finding"),
			Hint: "merge reports in ndjson, which have all of them",
		})
	}
	return r, nil
}

// omitted returns how many findings a report counts, but does not have.
func omitted(r *report.Report) (n int) {
	for _, s := range r.Stores {
		n += s.Omitted.Sum()
	}
	for _, f := range r.Files {
		n += f.Omitted.Sum()
	}
	return n
}

// addMissing adds the expected paths that are in none of the reports, as inputs
// that could not be read: a part that is lost must not look like one without
// findings.
func addMissing(c *cli.Context, r *report.Report, expected []string) {
	covered := make(map[string]bool) // the files, and the directories above them
	for _, f := range r.Files {
		for path := escape.UTF8(f.Path); !covered[path]; path = filepath.Dir(path) {
			covered[path] = true
		}
	}
	for _, path := range expected {
		if covered[escape.UTF8(path)] || covered[escape.UTF8(filepath.Clean(path))] {
			continue
		}
		missing := &report.File{Path: path, Problem: "in none of the reports"}
		shared.Complain(c, &shared.InputError{Path: path, What: missing.Problem})
		r.Files = append(r.Files, missing)
	}
	r.Sort()
}

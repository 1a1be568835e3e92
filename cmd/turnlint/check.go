package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

func checkCommand() *cli.Command {
	return &cli.Command{
		Name: "check", Usage: "say what is wrong with logs; the default command", ArgsUsage: "[PATH...]",
		Description: "A PATH is a log, a directory with logs somewhere below it, or - for standard input. " +
			"Without one,\nthe sessions of dsh are checked: $DSH_HOME/sessions, else ~/.dsh/sessions.",
		Flags: []cli.Flag{
			encodingFlag(),
			shared.Choice("format", "print the report as `FORMAT`", "text", report.Formats()...),
			&cli.StringSliceFlag{Name: "output", Usage: "also write a report to a file, `FORMAT=PATH`; may be repeated"},
			shared.Choice("fail-on", "exit with 1 from findings of `SEVERITY` on", "error", "error", "warning", "note", "never"),
			shared.Choice("dialect", "judge events outside a turn by the rules of `NAME`", "auto", "auto", "strict", "ctx", "open"),
			&cli.StringFlag{Name: "root", Usage: "check also that logs lie where dsh looks for them below `DIR`"},
			maxLineFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print no report; without --output, stop at the first finding that fails"},
			shared.ColorFlag(),
		},
		Action: check,
	}
}

func encodingFlag() cli.Flag {
	return shared.Choice("encoding", "take logs for `ENCODING`", "auto", "auto", "raw", "zstd")
}

func maxLineFlag() cli.Flag {
	return shared.SizeFlag("max-line", "do not process lines over `SIZE` bytes (K, M, G; default 64M)")
}

// checker is one run of the check command.
type checker struct {
	c       *cli.Context
	options rules.Options
	failOn  func([]rules.Finding) bool
	reports *reports
	code    int // the worst exit code so far
}

func check(c *cli.Context) error {
	paths, root, err := inputs(c)
	if err != nil {
		return err
	}
	options, err := ruleOptions(c, root)
	if err != nil {
		return err
	}
	out, err := openReports(c)
	if err != nil {
		return err
	}
	defer out.discard()
	ch := &checker{c: c, options: options, failOn: failOn(c), reports: out}
	if err := ch.all(paths); err != nil {
		return err
	}
	if err := out.publish(); err != nil {
		return err
	}
	return shared.Status(ch.code)
}

// inputs returns the paths to check, and the sessions directory when dsh's own
// is checked because no path is given.
func inputs(c *cli.Context) (paths []string, root string, err error) {
	root = c.String("root")
	if c.Args().Present() {
		return c.Args().Slice(), root, nil
	}
	home, err := dshHome()
	if err != nil {
		return nil, "", shared.Usagef("no path given, and no home directory is known")
	}
	sessions := filepath.Join(home, "sessions")
	if _, err := os.Stat(sessions); err != nil {
		return nil, "", shared.Usagef("no path given, and there are no sessions of dsh in %s", sessions)
	}
	if root == "" {
		root = sessions
	}
	return []string{sessions}, root, nil
}

func dshHome() (string, error) {
	if home := os.Getenv("DSH_HOME"); home != "" {
		return home, nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".dsh"), err
}

// ruleOptions reads the flags that say how to check. The commands that call it
// need not have all of them.
func ruleOptions(c *cli.Context, root string) (opt rules.Options, err error) {
	if opt.Encoding, err = scan.ParseEncoding(c.String("encoding")); err != nil {
		return opt, err
	}
	if dialect := c.String("dialect"); dialect != "" {
		if opt.Dialect, err = rules.ParseDialect(dialect); err != nil {
			return opt, err
		}
	}
	if root != "" {
		if opt.Root, err = filepath.Abs(root); err != nil {
			return opt, err
		}
	}
	opt.MaxLine = shared.Size(c, "max-line")
	return opt, nil
}

// failOn returns the test whether findings fail the run.
func failOn(c *cli.Context) func([]rules.Finding) bool {
	severity, err := rules.ParseSeverity(c.String("fail-on"))
	if err != nil { // never
		return func([]rules.Finding) bool { return false }
	}
	return func(findings []rules.Finding) bool { return report.AnyAt(findings, severity) }
}

func (ch *checker) all(args []string) error {
	for path, err := range shared.Paths(args) {
		if ctxErr := ch.c.Context.Err(); ctxErr != nil {
			return ctxErr
		}
		file := &report.File{Path: path.Name}
		if err := ch.reports.clash(path.Name); err != nil {
			return err
		}
		if err == nil {
			file.Result, err = ch.file(path.Name)
		}
		if errors.Is(err, context.Canceled) {
			return err
		}
		if err := ch.note(file, err); err != nil {
			return err
		}
		if ch.decided() {
			break
		}
	}
	return nil
}

// note takes the result for one input to the reports and the exit code.
func (ch *checker) note(file *report.File, err error) error {
	switch {
	case err != nil:
		shared.Complain(ch.c, err)
		file.Problem = problem(err)
		ch.atLeast(exitUnread)
	case !processed(file.Result):
		ch.atLeast(exitUnread)
	}
	if file.Result != nil && ch.failOn(file.Result.Findings) {
		ch.atLeast(exitFindings)
	}
	return ch.reports.file(file)
}

// processed reports whether all of a log could be looked at. What stands behind a
// cap may be anything, so the result is never one of a clean log.
func processed(r *rules.Result) bool {
	return r.Reading.Verdict != scan.Unreadable && !r.Container.Hidden.Capped &&
		!slices.ContainsFunc(r.Findings, func(f rules.Finding) bool { return f.Rule == rules.LineTooLong })
}

// atLeast raises the exit code; one good input never hides a bad one.
func (ch *checker) atLeast(code int) { ch.code = max(ch.code, code) }

// decided reports whether there is nothing left to find out, because only the
// exit code is asked for.
func (ch *checker) decided() bool {
	return ch.reports.none() && ch.code >= exitFindings
}

// problem returns what happened to an input, without its path.
func problem(err error) string {
	var input *shared.InputError
	if errors.As(err, &input) {
		return input.What
	}
	return err.Error()
}

func (ch *checker) file(name string) (result *rules.Result, err error) {
	err = shared.Read(ch.c.Context, name, ch.c.App.Reader, func(src *shared.Source) (err error) {
		opt := ch.options
		if opt.Path, err = dshPath(name, src); err != nil {
			return err
		}
		result, err = rules.Check(src, src.Size(), opt)
		return err
	})
	return result, err
}

// dshPath returns the path of a log in dsh's messages, which is absolute, and ""
// for an input that is no file.
func dshPath(name string, src *shared.Source) (string, error) {
	if src.Spooled() {
		return "", nil
	}
	return filepath.Abs(name)
}

package main

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/inorder"
	"github.com/turnlint/turnlint/picture"
	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/store"
)

func checkCommand() *cli.Command {
	return &cli.Command{
		Name: "check", Usage: "say what is wrong with logs; the default command", ArgsUsage: "[PATH...]",
		Description: "A PATH is a log, a session database, DATABASE#ID for one session of it, a directory with either\n" +
			"somewhere below it, or - for standard input. Without one, the sessions of dsh are checked:\n$DSH_HOME/sessions, else ~/.dsh/sessions. A sessions directory is known by its structure, or\nby --root, and is checked as a whole before its logs.",
		Flags: slices.Concat([]cli.Flag{
			encodingFlag(),
			formatFlag(), outputFlag(),
			&cli.StringFlag{Name: "root", Usage: "take `DIR` for the sessions directory of dsh, instead of finding those there are"},
			maxLineFlag(), showTextFlag(),
			&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "print no report; without --output, stop at the first finding that fails"},
			&cli.BoolFlag{Name: "follow", Usage: "check a log, or the sessions of a database, while they are written, after every turn, until interrupted"},
			jobsFlag(), shared.ProgressFlag(), shared.ColorFlag(), shared.LangFlag(),
		}, filesFromFlags("check the paths that are the lines of `FILE`, or of standard input for -, in the order of merge"),
			settingFlags(), baselineFlags()),
		Action: check,
	}
}

func formatFlag() cli.Flag {
	return shared.Choice("format", "print the report as `FORMAT`", "text", report.Formats()...)
}

func outputFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "output", Usage: "also write a report to a file, `FORMAT=PATH`; may be repeated"}
}

func encodingFlag() cli.Flag {
	return shared.Choice("encoding", "take logs for `ENCODING`", "auto", "auto", "raw", "zstd")
}

func maxLineFlag() cli.Flag {
	return shared.SizeFlag("max-line", "do not process lines over `SIZE` bytes (K, M, G; default 64M)")
}

func showTextFlag() cli.Flag {
	return &cli.BoolFlag{Name: "show-text", Usage: "show what logs say, too: in html, messages and the text around damaged places"}
}

func jobsFlag() cli.Flag {
	return &cli.IntFlag{Name: "jobs", Usage: "use `N` processors; the report is the same for any number", DefaultText: "all there are"}
}

// jobs returns how many processors may be used.
func jobs(c *cli.Context) (int, error) {
	if !c.IsSet("jobs") {
		return runtime.GOMAXPROCS(0), nil
	}
	n := c.Int("jobs")
	if n < 1 {
		return 0, shared.Usagef("--jobs %d: want at least 1", n)
	}
	return n, nil
}

// checker is one run of the check command.
type checker struct {
	c        *cli.Context
	options  rules.Options
	gate     gate
	sieve    *sieve
	reports  *reports
	progress *shared.Progress
	agents   *subagents
	jobs     int
	found    map[string][]*rules.StoreResult // sessions directories among the inputs, by absolute path
	code     int                             // the worst exit code so far
}

func check(c *cli.Context) error {
	if c.Bool("follow") {
		return followLog(c)
	}
	paths, root, err := inputs(c)
	if err != nil {
		return err
	}
	progress := shared.StartProgress(c, paths, 1)
	defer progress.Close()
	ch, err := newChecker(c, root)
	if err != nil {
		return err
	}
	ch.progress = progress
	defer ch.reports.discard()
	if err := ch.reports.clash(c.String("files-from")); err != nil {
		return err
	}
	if len(paths) == 0 {
		shared.Complain(c, &shared.InputError{Path: c.String("files-from"), What: "no paths in it"})
		ch.atLeast(exitUnread)
	}
	if err := ch.stores(paths); err != nil {
		return err
	}
	if err := ch.all(paths); err != nil {
		return err
	}
	if err := ch.sieve.writeBaseline(ch.reports.baseline); err != nil {
		return err
	}
	if err := ch.reports.publish(); err != nil {
		return err
	}
	if !ch.decided() {
		ch.sieve.complainGone(c)
	}
	return shared.Status(ch.code)
}

// newChecker reads the flags and the files that they name, and opens the reports.
func newChecker(c *cli.Context, root string) (*checker, error) {
	s, err := readSettings(c)
	if err != nil {
		return nil, err
	}
	ch := &checker{c: c, agents: new(subagents), found: make(map[string][]*rules.StoreResult)}
	if ch.options, err = ruleOptions(c, root); err != nil {
		return nil, err
	}
	if ch.jobs, err = jobs(c); err != nil {
		return nil, err
	}
	if ch.options.Dialect, err = rules.ParseDialect(s.dialect.value); err != nil {
		return nil, err
	}
	if ch.options.Readers, err = s.readers(); err != nil {
		return nil, err
	}
	if ch.sieve, err = newSieve(c, s.config); err != nil {
		return nil, err
	}
	ch.gate = newGate(s.failOn.value)
	ch.gate.recording = ch.sieve.record != nil
	ch.reports, err = openReports(c, report.Options{Config: s.config.File, Baseline: c.String("baseline")})
	return ch, err
}

// inputs returns the paths to check, and the sessions directory when dsh's own
// is checked because no path is given.
func inputs(c *cli.Context) (paths []string, root string, err error) {
	root = c.String("root")
	paths, err = listedPaths(c)
	switch {
	case err != nil:
		return nil, "", err
	case c.IsSet("files-from") && c.Args().Present():
		return nil, "", shared.Usagef("--files-from and the path %q contradict each other", c.Args().First())
	case c.IsSet("files-from"):
		return paths, root, nil
	case c.Args().Present():
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
	if root != "" {
		if opt.Root, err = filepath.Abs(root); err != nil {
			return opt, err
		}
	}
	opt.MaxLine = shared.Size(c, "max-line")
	return opt, nil
}

// input is a path to check, and then what came of it.
type input struct {
	path shared.Path
	// alone says that it is, or may be, a database. Its sessions have results of their
	// own, which are noted as they come.
	alone bool
	file  *report.File
	err   error
}

// all checks the inputs, several at a time, and notes the results in their order.
func (ch *checker) all(args []string) error {
	for in := range inorder.Map(ch.jobs, ch.inputs(args), ch.checked) {
		if err := ch.c.Context.Err(); err != nil {
			return err
		}
		if err := ch.reports.clash(in.path.Name); err != nil {
			return err
		}
		if err := ch.take(in); err != nil {
			return err
		}
		if ch.decided() {
			break
		}
	}
	return nil
}

func (ch *checker) inputs(args []string) iter.Seq[input] {
	return func(yield func(input) bool) {
		for path, err := range shared.Inputs(args) {
			if err == nil {
				err = path.Unencoded(ch.options.Encoding)
			}
			in := input{path: path, file: &report.File{Path: path.Name}, err: err}
			in.alone = path.Database && ch.options.Encoding == scan.Auto || path.Stream
			if ch.c.Context.Err() != nil || !yield(in) {
				return
			}
		}
	}
}

func (ch *checker) checked(in input) input {
	if in.err == nil && !in.alone {
		in.err = ch.read(in.file)
	}
	return in
}

// take notes what came of an input.
func (ch *checker) take(in input) error {
	defer ch.progress.Next()
	if in.alone && in.path.Database {
		return ch.database(in.path)
	}
	if in.alone && in.err == nil {
		in.err = ch.read(in.file)
	}
	if errors.Is(in.err, context.Canceled) {
		return in.err
	}
	if in.file.Result == nil && in.err == nil {
		return nil // a database, of which each session has had its own result
	}
	return ch.note(in.file, in.err)
}

// note takes the result for one input to the reports and the exit code.
func (ch *checker) note(file *report.File, err error) error {
	if err != nil {
		shared.Complain(ch.c, err)
		file.Result, file.Problem = nil, problem(err)
		ch.atLeast(ch.gate.file(file))
		return ch.reports.file(file)
	}
	file.Unprocessed = !processed(file.Result)
	ch.sieve.log(file)
	ch.atLeast(ch.gate.file(file))
	answer(file)
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
	return ch.reports.none() && ch.sieve.record == nil && ch.code >= exitFindings
}

// problem returns what happened to an input, without its path.
func problem(err error) string {
	var input *shared.InputError
	if errors.As(err, &input) {
		return input.What
	}
	return err.Error()
}

// largeInput is the size, in bytes, from which the stages of one check run on
// several processors. Smaller inputs are checked side by side, which costs less.
const largeInput = 4 << 20

// read fills in what a check finds in a file. A stream that turns out to be a database
// has no result of its own.
func (ch *checker) read(file *report.File) error {
	return shared.Read(ch.c.Context, file.Path, ch.c.App.Reader, func(src *shared.Source) (err error) {
		if src.Spooled() && ch.options.Encoding == scan.Auto {
			if found, err := ch.databaseIn(src, file.Path); found || err != nil {
				return err
			}
		}
		opt := ch.options
		if src.Size() >= largeInput {
			src.Track(ch.progress)
			opt.Jobs = ch.jobs
		}
		if opt.Path, err = dshPath(file.Path, src); err != nil {
			return err
		}
		opt.Root = ch.rootOf(opt.Path)
		opt.SameFile = store.SameFile(opt.Path)
		opt.Children = ch.agents.of(opt.Path)
		if file.Result, err = rules.Check(src, src.Size(), opt); err != nil {
			return err
		}
		ch.judge(opt.Path, file.Result)
		file.Readings = readings(file)
		if ch.reports.draw {
			file.Picture, err = drawn(ch.c, src, file.Result)
		}
		return err
	})
}

// drawn returns the picture of a log that has been checked.
func drawn(c *cli.Context, src *shared.Source, result *rules.Result) (*picture.Picture, error) {
	return picture.Draw(src, src.Size(), result, picture.Options{MaxLine: shared.Size(c, "max-line"), ShowText: c.Bool("show-text")})
}

// dshPath returns the path of a log in dsh's messages, which is absolute, and ""
// for an input that is no file.
func dshPath(name string, src *shared.Source) (string, error) {
	if src.Spooled() {
		return "", nil
	}
	return filepath.Abs(name)
}

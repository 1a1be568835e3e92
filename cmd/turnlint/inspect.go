package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/picture"
	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

func inspectCommand() *cli.Command {
	return &cli.Command{
		Name: "inspect", Usage: "show what dsh's reader sees in logs", ArgsUsage: "FILE...",
		Description: "Verdict, digests, closers and the first broken relation between events, of each FILE on its own, which is a log, a session\n" +
			"database, or DATABASE#ID; then a map of the file, or of the rows of a session, its turns, its branches and the bytes\n" +
			"around damaged places of a log, or instead of these the lists that are asked for.\n" +
			"With --format json, one JSON object a line and log; with --format html, one page with pictures.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "frames", Usage: "list the frames of a zstd log"},
			&cli.BoolFlag{Name: "turns", Usage: "list the turns"},
			&cli.StringFlag{Name: "events", Usage: "list the events with a seq in `RANGE`, such as 7, 10-20, 10- or -20"},
			&cli.BoolFlag{Name: "messages", Usage: "list the messages that dsh would give to the model, and what a repair changes in them"},
			showTextFlag(),
			shared.Choice("reader", "read like dsh `VERSION`; those of June knew plain logs only", scan.DefaultReader().Name, scan.ReaderNames()...),
			encodingFlag(),
			shared.Choice("format", "print the result as `FORMAT`", "text", "text", "json", "html"),
			&cli.BoolFlag{Name: "json", Usage: "short for --format json"},
			maxLineFlag(),
			shared.ProgressFlag(), shared.ColorFlag(), shared.LangFlag(),
		},
		Action: inspect,
	}
}

// inspectPasses is how often inspect reads a log: for the check, the digest and the
// picture, or the lists.
const inspectPasses = 3

// inspection is what is known about one log.
type inspection struct {
	path   string
	sha256 string // of the file, lower-case hex; "" of a session in a database
	// session is the id of one in a database, any bytes; nil for a file.
	session *string
	result  *rules.Result
	reader  string // whose answers these are; "" for that of the log's own generation
	// readers are what one version of each format makes of the log; only in JSON.
	readers []rules.VersionReading
	// What follows is there only if asked for.
	frames   []scan.FrameInfo
	turns    []rules.TurnInfo
	events   []listedEvent
	messages *messages
	picture  *picture.Picture
}

// inspectJSON reports whether the result is for programs.
func inspectJSON(c *cli.Context) bool { return c.Bool("json") || c.String("format") == "json" }

// lists reports whether some list is asked for, in place of the picture.
func lists(c *cli.Context) bool {
	return c.Bool("frames") || c.Bool("turns") || c.IsSet("events") || c.Bool("messages")
}

func inspect(c *cli.Context) error {
	if !c.Args().Present() {
		return shared.Usagef("want at least one file")
	}
	progress := shared.StartProgress(c, c.Args().Slice(), inspectPasses)
	defer progress.Close()
	i, err := newInspector(c, progress)
	if err != nil {
		return err
	}
	code := exitClean
	for path, err := range shared.Inputs(c.Args().Slice()) {
		if ctxErr := c.Context.Err(); ctxErr != nil {
			return ctxErr
		}
		unreadable := err != nil
		if err == nil {
			unreadable, err = i.input(path)
		}
		if errors.Is(err, context.Canceled) {
			return err
		}
		progress.Next()
		if err != nil {
			shared.Complain(c, err)
			if err := i.unread(path.Name, err); err != nil {
				return err
			}
		}
		if unreadable || err != nil {
			code = exitUnread
		}
	}
	if err := i.end(); err != nil {
		return err
	}
	return shared.Status(code)
}

// inspector inspects inputs and prints the results.
type inspector struct {
	c        *cli.Context
	progress *shared.Progress
	options  rules.Options
	// version answers in place of the reader of a log's own generation, unless it is
	// nil; scanner, of an earlier time, in place of everything.
	version *scan.ReaderVersion
	scanner *scan.Scanner
	events  seqRange
	write   func(*inspection) error
	// unread notes an input that could not be inspected, where what is printed names those.
	unread func(name string, why error) error
	end    func() error // ends what is printed
}

func newInspector(c *cli.Context, progress *shared.Progress) (*inspector, error) {
	i := &inspector{
		c: c, progress: progress,
		unread: func(string, error) error { return nil },
		end:    func() error { return nil },
	}
	if err := contradiction(c); err != nil {
		return nil, err
	}
	version, err := scan.ReaderNamed(c.String("reader"))
	if err != nil {
		return nil, err
	}
	if scanner, err := scan.ParseScanner(version.Name); err == nil {
		i.scanner = &scanner
	}
	if i.options, err = ruleOptions(c, ""); err != nil {
		return nil, err
	}
	i.options.Digests = true
	if c.IsSet("reader") {
		i.version = version
		i.options.Readers = append(i.options.Readers, version)
	}
	if i.events, err = parseSeqRange(c.String("events")); err != nil {
		return nil, err
	}
	i.chooseFormat()
	return i, nil
}

func (i *inspector) chooseFormat() {
	i.write = func(in *inspection) error { return writeInspectionText(i.c, in) }
	switch {
	case inspectJSON(i.c):
		i.write = func(in *inspection) error { return writeInspectionJSON(i.c, in) }
		i.options.Readers = append(i.options.Readers, scan.GenerationReaders()...)
	case i.c.String("format") == "html":
		i.options.Digests = false // the page does not show them
		page := report.NewHTML(i.c.App.Writer, report.Options{Lang: shared.Lang(i.c)})
		i.end = page.Close
		i.unread = func(name string, why error) error {
			return page.File(&report.File{Path: name, Problem: problem(why)})
		}
		i.write = func(in *inspection) error {
			return page.File(&report.File{Path: in.path, Result: in.result, Picture: in.picture})
		}
	}
}

// input inspects one input, and reports whether it is no log that could be read.
func (i *inspector) input(path shared.Path) (unreadable bool, err error) {
	if err := path.Unencoded(i.options.Encoding); err != nil {
		return true, err
	}
	switch {
	case path.Database && i.options.Encoding == scan.Auto:
		return i.database(path)
	case i.scanner != nil:
		return false, inspectHistoric(i.c, i.progress, *i.scanner, path.Name)
	}
	in, unreadable, err := i.file(path.Name)
	switch {
	case err != nil:
		return true, err
	case in == nil:
		return unreadable, nil
	}
	return in.unreadable(), i.write(in)
}

// unit is what the records of the log are: lines of a file or rows of a database,
// which are counted alike, the header being the first.
func (in *inspection) unit() string {
	if in.session != nil {
		return "row"
	}
	return "line"
}

// lineIn returns the number of a line for programs, 0 where there are none.
func (in *inspection) lineIn(line int) int {
	if in.session != nil {
		return 0
	}
	return line
}

func (in *inspection) unreadable() bool { return in.result.Reading.Verdict == scan.Unreadable }

// contradiction returns the error of flags that do not go together.
func contradiction(c *cli.Context) error {
	format, reader := c.String("format"), c.String("reader")
	_, notHistoric := scan.ParseScanner(reader)
	switch {
	case c.Bool("json") && c.IsSet("format") && format != "json":
		return shared.Usagef("--json and --format %s contradict each other", format)
	case reader != scan.DefaultReader().Name && (c.IsSet("events") || c.Bool("messages")):
		return shared.Usagef("--events and --messages go with the reader %s only", scan.DefaultReader().Name)
	case format == "html" && notHistoric == nil:
		return shared.Usagef("--format html shows what %s makes of a log, not earlier scanners", scan.DefaultReader().Name)
	case format == "html" && lists(c):
		return shared.Usagef("--format html has no lists: --frames, --turns, --events and --messages go with text and json")
	}
	return nil
}

// file inspects a file. Of a stream that turns out to be a database there is no
// inspection, but whether any session in it could not be read.
func (i *inspector) file(name string) (in *inspection, unreadable bool, err error) {
	c, opt := i.c, i.options
	err = shared.Read(c.Context, name, c.App.Reader, func(src *shared.Source) (err error) {
		src.Track(i.progress)
		if src.Spooled() && opt.Encoding == scan.Auto {
			d, err := shared.DatabaseIn(c.Context, src, opt.MaxLine)
			if err != nil {
				return err
			}
			if d != nil {
				defer d.Close()
				unreadable, err = i.sessions(d, shared.Path{Name: name})
				return err
			}
		}
		in = &inspection{path: name}
		if c.Bool("frames") {
			opt.Frame = func(f scan.FrameInfo) { in.frames = append(in.frames, f) }
		}
		if c.Bool("turns") {
			opt.Turn = func(t rules.TurnInfo) { in.turns = append(in.turns, t) }
		}
		if opt.Path, err = dshPath(name, src); err != nil {
			return err
		}
		opt.Children = new(subagents).of(opt.Path)
		if in.result, err = rules.Check(src, src.Size(), opt); err != nil {
			return err
		}
		in.readers = in.result.Readings
		if i.version != nil {
			in.readBy(i.version)
		}
		if in.sha256, err = digest(src); err != nil {
			return err
		}
		return in.look(c, src, &opt, i.events)
	})
	return in, unreadable, err
}

// readBy replaces the reading by that of the version of dsh that the user named,
// which is the first of the readers. The default one goes without saying for the
// logs that it wrote.
func (in *inspection) readBy(version *scan.ReaderVersion) {
	named := in.readers[0]
	in.readers = in.readers[1:]
	if version != scan.DefaultReader() || named.Reading != in.result.Reading {
		in.result.Reading, in.reader = named.Reading, version.Name
	}
}

// look reads what is asked for beside the result of the check.
func (in *inspection) look(c *cli.Context, src *shared.Source, opt *rules.Options, events seqRange) (err error) {
	texts := c.Bool("show-text")
	if c.IsSet("events") {
		r, err := scan.NewReader(src, src.Size(), scan.Options{Encoding: in.result.Container.Encoding, MaxLine: opt.MaxLine, Salvage: true})
		if err != nil {
			return err
		}
		if in.events, err = listEvents(r, events, texts); err != nil {
			return err
		}
	}
	if c.Bool("messages") {
		if in.messages, err = readMessages(c, src, in.result, opt); err != nil {
			return err
		}
	}
	if !lists(c) && !inspectJSON(c) {
		in.picture, err = picture.Draw(src, src.Size(), in.result, picture.Options{MaxLine: opt.MaxLine, ShowText: texts})
	}
	return err
}

// digest returns the SHA-256 of an input as lower-case hex.
func digest(src *shared.Source) (string, error) {
	h := sha256.New()
	_, err := io.Copy(h, io.NewSectionReader(src, 0, src.Size()))
	return hex.EncodeToString(h.Sum(nil)), err
}

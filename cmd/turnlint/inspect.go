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
		Description: "Verdict, digests, closers and the first broken relation between events, of each FILE on its own.\n" +
			"With --format json, one JSON object a line and file; with --format html, one page with pictures.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "frames", Usage: "list the frames of a zstd log"},
			&cli.BoolFlag{Name: "turns", Usage: "list the turns"},
			shared.Choice("reader", "read like dsh `VERSION`; those of June knew plain logs only", scan.DefaultReader().Name, scan.ReaderNames()...),
			encodingFlag(),
			shared.Choice("format", "print the result as `FORMAT`", "text", "text", "json", "html"),
			maxLineFlag(), showTextFlag(),
			shared.ColorFlag(),
		},
		Action: inspect,
	}
}

// inspection is what is known about one log.
type inspection struct {
	path   string
	sha256 string // of the file, lower-case hex
	result *rules.Result
	pic    *picture.Picture // only for html
	frames []scan.FrameInfo // only if asked for
	turns  []rules.TurnInfo // only if asked for
	reader string           // whose answers these are; "" for that of the log's own generation
	// readers are what one version of each format makes of the log; only in JSON.
	readers []rules.VersionReading
}

func inspect(c *cli.Context) error {
	if !c.Args().Present() {
		return shared.Usagef("want at least one file")
	}
	one, end, err := inspector(c)
	if err != nil {
		return err
	}
	code := exitClean
	for path, err := range shared.Paths(c.Args().Slice()) {
		if ctxErr := c.Context.Err(); ctxErr != nil {
			return ctxErr
		}
		unreadable := err != nil
		if err == nil {
			unreadable, err = one(path.Name)
		}
		if errors.Is(err, context.Canceled) {
			return err
		}
		if err != nil {
			shared.Complain(c, err)
		}
		if unreadable || err != nil {
			code = exitUnread
		}
	}
	if err := end(); err != nil {
		return err
	}
	return shared.Status(code)
}

// inspector returns the function that inspects one file, prints the result and
// reports whether the file is no log that could be read; and the one that ends
// what is printed.
func inspector(c *cli.Context) (one func(name string) (unreadable bool, err error), end func() error, err error) {
	end = func() error { return nil }
	version, err := scan.ReaderNamed(c.String("reader"))
	if err != nil {
		return nil, nil, err
	}
	if scanner, err := scan.ParseScanner(version.Name); err == nil {
		if c.String("format") == "html" {
			err = shared.Usagef("--format html shows what %s makes of a log, not earlier scanners", scan.DefaultReader().Name)
		}
		return func(name string) (bool, error) { return false, inspectHistoric(c, scanner, name) }, end, err
	}
	options, err := ruleOptions(c, "")
	if err != nil {
		return nil, nil, err
	}
	options.Digests = true
	if !c.IsSet("reader") {
		version = nil
	} else {
		options.Readers = append(options.Readers, version)
	}
	write := writeInspectionText
	switch c.String("format") {
	case "json":
		write = writeInspectionJSON
		options.Readers = append(options.Readers, scan.GenerationReaders()...)
	case "html":
		options.Digests = false // the page does not show them
		page := report.NewHTML(c.App.Writer, report.Options{})
		end = page.Close
		write = func(_ *cli.Context, in *inspection) error {
			return page.File(&report.File{Path: in.path, Result: in.result, Picture: in.pic})
		}
	}
	return func(name string) (bool, error) {
		in, err := inspectFile(c, options, version, name)
		if err != nil {
			return true, err
		}
		return in.result.Reading.Verdict == scan.Unreadable, write(c, in)
	}, end, nil
}

// inspectFile inspects one file. A version that is not nil answers in place of the
// reader of the log's own generation.
func inspectFile(c *cli.Context, opt rules.Options, version *scan.ReaderVersion, name string) (in *inspection, err error) {
	err = shared.Read(c.Context, name, c.App.Reader, func(src *shared.Source) (err error) {
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
		opt.Children = subagents{}.of(opt.Path)
		if in.result, err = rules.Check(src, src.Size(), opt); err != nil {
			return err
		}
		in.readers = in.result.Readings
		if version != nil {
			in.readBy(version)
		}
		if c.String("format") == "html" {
			if in.pic, err = drawn(c, src, in.result); err != nil {
				return err
			}
		}
		in.sha256, err = digest(src)
		return err
	})
	return in, err
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

// digest returns the SHA-256 of an input as lower-case hex.
func digest(src *shared.Source) (string, error) {
	h := sha256.New()
	_, err := io.Copy(h, io.NewSectionReader(src, 0, src.Size()))
	return hex.EncodeToString(h.Sum(nil)), err
}

package main

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/report"
)

func filesFromFlags(usage string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "files-from", Usage: usage},
		&cli.BoolFlag{Name: "null", Aliases: []string{"0"}, Usage: "the paths of --files-from end in a NUL byte instead of a line feed"},
	}
}

// listedPaths returns the paths in the file of --files-from, each once and in the
// order of merged reports, so that it does not matter how a list is made and cut.
func listedPaths(c *cli.Context) ([]string, error) {
	name := c.String("files-from")
	if !c.IsSet("files-from") {
		if c.Bool("null") {
			return nil, shared.Usagef("--null needs --files-from")
		}
		return nil, nil
	}
	list, err := readAll(c, name)
	if input, ok := errors.AsType[*shared.InputError](err); ok {
		return nil, shared.UsageHint(input, "--files-from takes a file with one path a line, or - for standard input")
	}
	if err != nil {
		return nil, err
	}
	end := byte('\n')
	if c.Bool("null") {
		end = 0
	} else if bytes.IndexByte(list, 0) >= 0 {
		return nil, shared.UsageHint(errors.New(shared.InputName(name)+": NUL bytes in a list of lines"), "--null reads what find -print0 writes")
	}
	return splitPaths(string(list), end), nil
}

// readAll returns the content of an input.
func readAll(c *cli.Context, name string) (text []byte, err error) {
	err = shared.Read(c.Context, name, c.App.Reader, func(src *shared.Source) (err error) {
		text, err = io.ReadAll(io.NewSectionReader(src, 0, src.Size()))
		return err
	})
	return text, err
}

func splitPaths(list string, end byte) (paths []string) {
	for path := range strings.SplitSeq(list, string(end)) {
		switch path {
		case "":
		case shared.Stdin: // a file of that name: standard input may be the list
			paths = append(paths, "./"+path)
		default:
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, report.ComparePaths)
	return slices.Compact(paths)
}

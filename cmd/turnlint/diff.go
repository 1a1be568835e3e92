package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/diff"
	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/store"
)

func diffCommand() *cli.Command {
	return &cli.Command{
		Name: "diff", Usage: "show which events two logs do not share, to check a repair for example", ArgsUsage: "A B",
		Description: "Every event is kept, dropped, rewritten (the same seq and type with another text) or synthesised: in B only.\n" +
			"Events behind damage count where they can be read. How a log lies in its file is not compared.\n" +
			"Exits with 0 when the events and headers are the same, with 1 when they are not.",
		Flags: []cli.Flag{
			encodingFlag(),
			&cli.BoolFlag{Name: "show-text", Usage: "show the whole events, in which people and models say things"},
			shared.Choice("format", "print the result as `FORMAT`", "text", "text", "json"),
			shared.ColorFlag(), shared.LangFlag(),
		},
		Action: runDiff,
	}
}

func runDiff(c *cli.Context) error {
	if c.NArg() != 2 {
		return shared.Usagef("want two logs")
	}
	a, b := c.Args().Get(0), c.Args().Get(1)
	if a == shared.Stdin && b == shared.Stdin {
		return shared.Usagef("standard input is one log, and diff wants two")
	}
	for _, path := range []string{a, b} {
		if _, _, session := store.SplitSession(path); session || store.IsDatabase(path) {
			return &shared.InputError{
				Path: path, What: "in a database, and diff compares logs", Hint: "turnfix export writes a session as a log",
			}
		}
	}
	var out bytes.Buffer // a log that changes while it is read is read again
	var same bool
	err := shared.Read(c.Context, a, c.App.Reader, func(srcA *shared.Source) error {
		return shared.Read(c.Context, b, c.App.Reader, func(srcB *shared.Source) (err error) {
			out.Reset()
			same, err = compare(c, &out, srcA, srcB)
			return err
		})
	})
	if err != nil {
		return err
	}
	if _, err := out.WriteTo(c.App.Writer); err != nil || same {
		return err
	}
	return shared.Status(exitFindings)
}

// compare writes what two logs do not share, and reports whether that is nothing.
func compare(c *cli.Context, out io.Writer, srcA, srcB *shared.Source) (same bool, err error) {
	encoding, err := scan.ParseEncoding(c.String("encoding"))
	if err != nil {
		return false, err
	}
	var logs [2]diff.Log
	for i, src := range []*shared.Source{srcA, srcB} {
		if logs[i], err = repair.Events(src, src.Size(), encoding); err != nil {
			return false, err
		}
	}
	d, err := diff.Compare(logs[0], logs[1])
	if err != nil {
		return false, err
	}
	for i, events := range []int64{d.Before, d.After} {
		if events == 0 && logs[i].Header() == nil {
			return false, &shared.InputError{Path: c.Args().Get(i), What: "it has no header and no events"}
		}
	}
	if c.String("format") == "json" {
		return d.Same(), writeDiffJSON(c, out, d)
	}
	return d.Same(), writeDiffText(c, out, d)
}

func writeDiffText(c *cli.Context, out io.Writer, d *diff.Diff) error {
	l := shared.Lang(c)
	name := func(i int, events int64) string {
		path := escape.Line(c.Args().Get(i))
		if path == shared.Stdin {
			path = l.Text("standard input")
		}
		return l.Textf("%v: %v", path, l.Count(events, "event"))
	}
	paint := shared.ColorFor(c, c.App.Writer)
	if err := d.Write(colored(out, paint), name(0, d.Before), name(1, d.After), c.Bool("show-text")); err != nil {
		return err
	}
	text := l.Textf("%d kept (%d of them rewritten), %d dropped, %d synthesised", d.Kept, d.Rewritten, d.Dropped, d.Synthesised)
	if d.HeaderChanged {
		text = l.Textf("%v; another header", text)
	}
	_, err := fmt.Fprintln(out, text)
	return err
}

// diffJSON is a diff for programs.
type diffJSON struct {
	SchemaVersion int          `json:"schemaVersion"`
	A             diffLogJSON  `json:"a"`
	B             diffLogJSON  `json:"b"`
	Same          bool         `json:"same"`
	HeaderChanged bool         `json:"headerChanged"`
	Kept          int64        `json:"kept"`
	Dropped       int64        `json:"dropped"`
	Rewritten     int64        `json:"rewritten"`
	Synthesised   int64        `json:"synthesised"`
	Changes       []changeJSON `json:"changes"`
}

type diffLogJSON struct {
	Path   string `json:"path"`
	Events int64  `json:"events"`
}

// changeJSON is an event that is not the same in both logs. Texts are there only
// when they are asked for.
type changeJSON struct {
	Change string          `json:"change"` // dropped, rewritten or synthesised
	Seq    *int64          `json:"seq,omitempty"`
	Type   string          `json:"type"`
	A      json.RawMessage `json:"a,omitempty"`
	B      json.RawMessage `json:"b,omitempty"`
}

func writeDiffJSON(c *cli.Context, out io.Writer, d *diff.Diff) error {
	j := diffJSON{
		SchemaVersion: 1, Same: d.Same(), HeaderChanged: d.HeaderChanged,
		A:    diffLogJSON{escape.UTF8(c.Args().Get(0)), d.Before},
		B:    diffLogJSON{escape.UTF8(c.Args().Get(1)), d.After},
		Kept: d.Kept, Dropped: d.Dropped, Rewritten: d.Rewritten, Synthesised: d.Synthesised,
		Changes: []changeJSON{},
	}
	for change := range d.Changes(c.Bool("show-text")) {
		j.Changes = append(j.Changes, newChangeJSON(change))
	}
	if err := d.Err(); err != nil {
		return err
	}
	return encode(out, j)
}

func newChangeJSON(change diff.Change) changeJSON {
	j, shown := changeJSON{Change: "rewritten"}, change.B
	switch {
	case change.A == nil:
		j.Change = "synthesised"
	case change.B == nil:
		j.Change, shown = "dropped", change.A
	}
	if j.Type = escape.UTF8(shown.Type); shown.Seq != diff.NoSeq {
		j.Seq = &shown.Seq
	}
	if change.A != nil {
		j.A = change.A.Text
	}
	if change.B != nil {
		j.B = change.B.Text
	}
	return j
}

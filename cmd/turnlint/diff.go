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
	"github.com/turnlint/turnlint/scan"
)

func diffCommand() *cli.Command {
	return &cli.Command{
		Name: "diff", Usage: "show which events two logs do not share, to check a repair for example", ArgsUsage: "A B",
		Description: "A and B are each a log, - for standard input, or DATABASE#ID for a session in a database. A database without #ID stands\n" +
			"for the session that the other one is; of two databases, the sessions with the same id are compared, one after the other.\n" +
			"Every event is kept, dropped, rewritten (the same seq and type with another text) or synthesised: in B only.\n" +
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
	encoding, err := scan.ParseEncoding(c.String("encoding"))
	if err != nil {
		return err
	}
	var out bytes.Buffer // a log that changes while it is read is read again
	d := &differ{c: c, out: &out, encoding: encoding}
	err = d.open(a, func(a *compared) error {
		return d.open(b, func(b *compared) error {
			out.Reset()
			d.differ = false
			return d.compare(a, b)
		})
	})
	if err != nil {
		return err
	}
	if _, err := out.WriteTo(c.App.Writer); err != nil || !d.differ {
		return err
	}
	return shared.Status(exitFindings)
}

// differ compares logs, and writes what they do not share.
type differ struct {
	c        *cli.Context
	out      io.Writer
	encoding scan.Encoding
	several  bool // pairs of logs are compared
	differ   bool // some pair is not the same
}

// pair compares two logs.
func (d *differ) pair(a, b *compared) error {
	found, err := diff.Compare(a.log, b.log)
	if err != nil {
		return err
	}
	switch {
	case d.several: // a session may be in one database only
	case found.Before == 0 && a.log.Header() == nil:
		return a.nothing()
	case found.After == 0 && b.log.Header() == nil:
		return b.nothing()
	}
	d.differ = d.differ || !found.Same()
	if d.c.String("format") == "json" {
		return d.json(found, a.name, b.name)
	}
	return d.text(found, a.name, b.name)
}

func (d *differ) text(found *diff.Diff, a, b string) error {
	l := shared.Lang(d.c)
	title := func(name string, events int64) string {
		name = escape.Line(name)
		if name == shared.Stdin {
			name = l.Text("standard input")
		}
		return l.Textf("%v: %v", name, l.Count(events, "event"))
	}
	paint := shared.ColorFor(d.c, d.c.App.Writer)
	if err := found.Write(colored(d.out, paint), title(a, found.Before), title(b, found.After), d.c.Bool("show-text")); err != nil {
		return err
	}
	text := l.Textf("%d kept (%d of them rewritten), %d dropped, %d synthesised", found.Kept, found.Rewritten, found.Dropped, found.Synthesised)
	if found.HeaderChanged {
		text = l.Textf("%v; another header", text)
	}
	if d.several {
		text = l.Textf("%v: %v", escape.Line(b), text)
	}
	_, err := fmt.Fprintln(d.out, text)
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

func (d *differ) json(found *diff.Diff, a, b string) error {
	j := diffJSON{
		SchemaVersion: 1, Same: found.Same(), HeaderChanged: found.HeaderChanged,
		A:    diffLogJSON{escape.UTF8(a), found.Before},
		B:    diffLogJSON{escape.UTF8(b), found.After},
		Kept: found.Kept, Dropped: found.Dropped, Rewritten: found.Rewritten, Synthesised: found.Synthesised,
		Changes: []changeJSON{},
	}
	for change := range found.Changes(d.c.Bool("show-text")) {
		j.Changes = append(j.Changes, newChangeJSON(change))
	}
	if err := found.Err(); err != nil {
		return err
	}
	return encode(d.out, j)
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

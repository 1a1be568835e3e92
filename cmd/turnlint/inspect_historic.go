package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// historic is what an earlier scanner of dsh made of a log.
type historic struct {
	reader    scan.Scanner
	path      string
	sha256    string
	container *scan.Container
	result    scan.ScanResult
	closers   [][]byte
	crash     *session.Refusal // of the search for closers
}

// inspectHistoric prints what an earlier scanner makes of a plain log. Those
// scanners had no verdict of their own, so that only the scan is shown.
func inspectHistoric(c *cli.Context, progress *shared.Progress, scanner scan.Scanner, name string) error {
	h := &historic{reader: scanner, path: name}
	err := shared.Read(c.Context, name, c.App.Reader, func(src *shared.Source) (err error) {
		src.Track(progress)
		if h.sha256, err = digest(src); err != nil {
			return err
		}
		return h.read(src, shared.Size(c, "max-line"))
	})
	if err != nil {
		return err
	}
	if h.container.Encoding != scan.Plain {
		return &shared.InputError{Path: name, What: "the scanner of " + scanner.String() + " reads plain logs only"}
	}
	if inspectJSON(c) {
		return h.writeJSON(c)
	}
	return h.writeText(c)
}

func (h *historic) read(src *shared.Source, maxLine int64) error {
	reader, err := scan.NewReader(src, src.Size(), scan.Options{MaxLine: maxLine})
	if err != nil {
		return err
	}
	scanner := scan.NewHistoric(h.reader, true)
	for r := range reader.Records() {
		scanner.Add(r)
	}
	h.container, h.result = reader.Container(), scanner.Result(src.Size())
	h.closers, h.crash = scanner.Closers()
	return reader.Err()
}

func (h *historic) writeJSON(c *cli.Context) error {
	j := &inspectionJSON{
		Path: escape.UTF8(h.path), Encoding: h.container.Encoding.String(), Bytes: h.container.Size, SHA256: h.sha256,
		Reader: h.reader.String(), Scan: scanMember(&h.result, h.container),
		Closers: rawMessages(h.closers), Invariants: invariants(nil),
	}
	if h.crash != nil {
		j.Load = newRefusal(h.crash)
	}
	return encode(c.App.Writer, j)
}

func (h *historic) writeText(c *cli.Context) error {
	w := newRows(c)
	fmt.Fprintf(w, "%s\n", escape.Line(h.path))
	w.row("reader", w.Textf("dsh of %v", h.reader))
	w.row("sha256", h.sha256)
	w.scan(&h.result)
	if h.crash != nil {
		w.refusal("load", h.crash)
	}
	for _, closer := range h.closers {
		w.row("closer", closerInWords(closer))
	}
	fmt.Fprintln(w)
	return w.Flush()
}

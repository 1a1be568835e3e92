package main

import (
	"fmt"
	"io"
	"time"

	"github.com/tidwall/gjson"
	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/columns"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/sketch"
)

func writeInspectionText(c *cli.Context, in *inspection) error {
	w := newRows(c)
	fmt.Fprintf(w, "%s\n", escape.Line(in.path))
	w.log(in)
	if reading := in.result.Reading; reading.Unread {
		w.row("scan", w.Text("not done: a line is too long to be read, see --max-line"))
	} else {
		w.scan(&reading.Scan)
		w.load(reading)
	}
	if v := in.result.Reading.Violation; v != nil {
		w.row("invariants", w.Textf("event %v: %v", v.Index, escape.Line(v.Text)))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := writeTables(c, in); err != nil {
		return err
	}
	if in.picture != nil {
		opt := sketch.Options{Width: shared.Width(c.App.Writer), Color: shared.ColorFor(c, c.App.Writer), Lang: shared.Lang(c)}
		if err := sketch.Draw(c.App.Writer, in.picture, opt); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(c.App.Writer)
	return err
}

// rows is the table of what is known about one log: a name and a value each.
type rows struct {
	*columns.Table
	*lang.Printer
}

func newRows(c *cli.Context) *rows { return &rows{columns.NewTable(c.App.Writer), shared.Lang(c)} }

func (w *rows) row(name, value string) { fmt.Fprintf(w, "  %s\t%s\n", w.Text(name), value) }

// log writes what the file is, and what the check says of it.
func (w *rows) log(in *inspection) {
	reading, container := in.result.Reading, in.result.Container
	w.row("verdict", w.Textf("%v: %v", w.Text(reading.Verdict.String()), report.VerdictInWords(w.Printer, in.result)))
	if h := reading.Header; h != nil && h.ID != "" {
		w.row("session", w.Textf("%v, created %v", escape.Line(h.ID), timestamp(h.CreatedAt)))
	}
	w.row("encoding", w.encoding(container))
	if in.sha256 != "" {
		w.row("sha256", in.sha256)
	}
	w.row("events", w.Textf("%v in %v, %v", in.result.Events, w.Count(in.result.Turns, "turn"), w.shape(in)))
}

// shape names what the events are like: the rule set of a log of the first
// format, the format of a later one.
func (w *rows) shape(in *inspection) string {
	if in.result.Dialect != "" {
		return w.Textf("dialect %v", in.result.Dialect)
	}
	return w.Textf("format v%v", in.result.Reading.Generation)
}

// timestamp returns a time of a log, in epoch ms.
func timestamp(ms int64) string {
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
}

func (w *rows) encoding(c *scan.Container) string {
	switch c.Encoding {
	case scan.SQLite:
		return w.Textf("sqlite, %v as a log", w.Count(c.Size, "byte"))
	case scan.Plain:
		return w.Textf("raw, %v", w.Count(c.Size, "byte"))
	}
	return w.Textf("zstd, %v in %v, %v of text",
		w.Count(c.Size, "byte"), w.Count(int64(c.Frames), "complete frame"), w.Count(c.TextLen, "byte"))
}

func (w *rows) scan(s *scan.ScanResult) {
	if s.Refusal != nil {
		w.refusal("scan", s.Refusal)
		return
	}
	w.row("scan", w.Textf("%v, sha256 %v", w.Count(s.Events, "event"), s.Digest))
	if s.TornFrom != nil {
		w.row("torn", w.Textf("dsh deletes the rows from seq %v on", *s.TornFrom))
	} else if s.Torn {
		w.row("torn", w.Textf("dsh cuts the file to %v and recovers %v from what it cuts",
			w.Count(s.Committed, "byte"), w.Count(s.Recovered, "event")))
	}
}

func (w *rows) load(r *scan.Reading) {
	switch {
	case r.HeaderRefusal != nil:
		w.refusal("load", r.HeaderRefusal)
	case r.Scan.Refusal != nil:
	case r.Load.Refusal != nil:
		w.refusal("load", r.Load.Refusal)
	default:
		w.row("load", w.Textf("%v, sha256 %v", w.Count(r.Load.Events, "event"), r.Load.Digest))
	}
	for _, closer := range r.Closers {
		w.row("closer", closerInWords(closer))
	}
	if r.Dropped > 0 {
		w.row("dropped", w.Textf("%v on disk that dsh does not read", w.Count(r.Dropped, "complete event")))
	}
}

// closerInWords names a closer without the text that it holds.
func closerInWords(closer []byte) string {
	event := gjson.ParseBytes(closer)
	return fmt.Sprintf("seq %s %s", event.Get("seq").Raw, event.Get("type").String())
}

func (w *rows) refusal(stage string, r *session.Refusal) {
	w.row(stage, fmt.Sprintf("%s: %s", r.Class, escape.Line(r.Text)))
}

func writeTables(c *cli.Context, in *inspection) error {
	l, w := shared.Lang(c), columns.NewRightTable(c.App.Writer)
	if c.Bool("frames") && in.result.Container.Encoding == scan.Zstd {
		writeFrames(w, l, in.frames)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if c.Bool("turns") {
		writeTurns(w, l, in)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if c.IsSet("events") {
		writeEvents(c.App.Writer, l, in)
	}
	if in.messages != nil {
		return in.messages.write(c, in.unit())
	}
	return nil
}

func writeFrames(w io.Writer, l *lang.Printer, frames []scan.FrameInfo) {
	fmt.Fprint(w, "\n  ")
	heads(w, l, "frame", "offset", "bytes", "blocks", "checksum", "text offset", "text bytes", "state", "")
	for i := range frames {
		f := &frames[i]
		checksum := l.Text("no")
		if f.Checksum {
			checksum = l.Text("yes")
		}
		fmt.Fprintf(w, "  %d\t%d\t%d\t%d\t%s\t%d\t%d\t%s\t\n",
			f.Number, f.FileOff, f.Len, f.Blocks, checksum, f.PlainOff, f.PlainLen, l.Text(frameState(f)))
	}
}

func frameState(f *scan.FrameInfo) string {
	switch {
	case f.Err != nil:
		return string(f.Err.Cause)
	case f.Torn:
		return "torn"
	}
	return "complete"
}

func writeTurns(w io.Writer, l *lang.Printer, in *inspection) {
	fmt.Fprint(w, "\n  ")
	heads(w, l, "turn", in.unit(), "seq", "to", "start", "seconds", "events", "steps", "calls", "end", "")
	for i := range in.turns {
		t := &in.turns[i]
		start := timestamp(t.Start)
		if in.result.Projection {
			start = "-"
		}
		fmt.Fprintf(w, "  %s\t%d\t%d\t%d\t%s\t%.1f\t%d\t%d\t%d\t%s\t\n",
			escape.Line(t.Number), t.Line, t.Seq, t.EndSeq, start,
			float64(t.End-t.Start)/1000, t.Events, t.Steps, t.Calls, turnEnd(l, t))
	}
}

func turnEnd(l *lang.Printer, t *rules.TurnInfo) string {
	if t.Open {
		return l.Text("open")
	}
	return escape.Line(t.Reason)
}

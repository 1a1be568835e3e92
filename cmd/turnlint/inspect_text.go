package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/tidwall/gjson"
	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/sketch"
)

func writeInspectionText(c *cli.Context, in *inspection) error {
	w := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', 0)
	reading, container := in.result.Reading, in.result.Container
	fmt.Fprintf(w, "%s\n", escape.Line(in.path))
	row(w, "verdict", "%s: %s", reading.Verdict, report.VerdictInWords(in.result))
	if h := reading.Header; h != nil && h.ID != "" {
		row(w, "session", "%s, created %s", escape.Line(h.ID), timestamp(h.CreatedAt))
	}
	row(w, "encoding", "%s", encodingInWords(container))
	row(w, "sha256", "%s", in.sha256)
	row(w, "events", "%d in %s, %s", in.result.Events, report.Plural(in.result.Turns, "turn"), shapeInWords(in))
	if reading.Unread {
		row(w, "scan", "not done: a line is too long to be read, see --max-line")
	} else {
		writeScan(w, &reading.Scan)
		writeLoad(w, reading)
	}
	if v := reading.Violation; v != nil {
		row(w, "invariants", "event %d: %s", v.Index, escape.Line(v.Text))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := writeTables(c, in); err != nil {
		return err
	}
	if in.picture != nil {
		opt := sketch.Options{Width: shared.Width(c.App.Writer), Color: shared.ColorFor(c, c.App.Writer)}
		if err := sketch.Draw(c.App.Writer, in.picture, opt); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(c.App.Writer)
	return err
}

// shapeInWords names what the events are like: the rule set of a log of the first
// format, the format of a later one.
func shapeInWords(in *inspection) string {
	if in.result.Dialect != "" {
		return "dialect " + in.result.Dialect
	}
	return fmt.Sprintf("format v%d", in.result.Reading.Generation)
}

func row(w io.Writer, name, format string, args ...any) {
	fmt.Fprintf(w, "  %s\t%s\n", name, fmt.Sprintf(format, args...))
}

// timestamp returns a time of a log, in epoch ms.
func timestamp(ms int64) string {
	return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
}

func encodingInWords(c *scan.Container) string {
	if c.Encoding == scan.Plain {
		return fmt.Sprintf("raw, %s", report.Plural(c.Size, "byte"))
	}
	return fmt.Sprintf("zstd, %s in %s, %s of text",
		report.Plural(c.Size, "byte"), report.Plural(c.Frames, "complete frame"), report.Plural(c.TextLen, "byte"))
}

func writeScan(w io.Writer, s *scan.ScanResult) {
	if s.Refusal != nil {
		writeRefusal(w, "scan", s.Refusal)
		return
	}
	row(w, "scan", "%s, sha256 %s", report.Plural(s.Events, "event"), s.Digest)
	if s.Torn {
		row(w, "torn", "dsh cuts the file to %s and recovers %s from what it cuts",
			report.Plural(s.Committed, "byte"), report.Plural(s.Recovered, "event"))
	}
}

func writeLoad(w io.Writer, r *scan.Reading) {
	switch {
	case r.Scan.Refusal != nil:
	case r.Load.Refusal != nil:
		writeRefusal(w, "load", r.Load.Refusal)
	default:
		row(w, "load", "%s, sha256 %s", report.Plural(r.Load.Events, "event"), r.Load.Digest)
	}
	for _, closer := range r.Closers {
		row(w, "closer", "%s", closerInWords(closer))
	}
	if r.Dropped > 0 {
		row(w, "dropped", "%s on disk that dsh does not read", report.Plural(r.Dropped, "complete event"))
	}
}

// closerInWords names a closer without the text that it holds.
func closerInWords(closer []byte) string {
	event := gjson.ParseBytes(closer)
	return fmt.Sprintf("seq %s %s", event.Get("seq").Raw, event.Get("type").String())
}

func writeRefusal(w io.Writer, stage string, r *session.Refusal) {
	row(w, stage, "%s: %s", r.Class, escape.Line(r.Text))
}

func writeTables(c *cli.Context, in *inspection) error {
	w := tabwriter.NewWriter(c.App.Writer, 0, 0, 2, ' ', tabwriter.AlignRight)
	if c.Bool("frames") && in.result.Container.Encoding == scan.Zstd {
		writeFrames(w, in.frames)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if c.Bool("turns") {
		writeTurns(w, in.turns, in.result.Projection)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if c.IsSet("events") {
		writeEvents(c.App.Writer, in.events)
	}
	if in.messages != nil {
		return in.messages.write(c)
	}
	return nil
}

func writeFrames(w io.Writer, frames []scan.FrameInfo) {
	fmt.Fprint(w, "\n  frame\toffset\tbytes\tblocks\tchecksum\ttext offset\ttext bytes\tstate\t\n")
	for i := range frames {
		f := &frames[i]
		checksum := "no"
		if f.Checksum {
			checksum = "yes"
		}
		fmt.Fprintf(w, "  %d\t%d\t%d\t%d\t%s\t%d\t%d\t%s\t\n",
			f.Number, f.FileOff, f.Len, f.Blocks, checksum, f.PlainOff, f.PlainLen, frameState(f))
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

func writeTurns(w io.Writer, turns []rules.TurnInfo, projection bool) {
	fmt.Fprint(w, "\n  turn\tline\tseq\tto\tstart\tseconds\tevents\tsteps\tcalls\tend\t\n")
	for i := range turns {
		t := &turns[i]
		start := timestamp(t.Start)
		if projection {
			start = "-"
		}
		fmt.Fprintf(w, "  %s\t%d\t%d\t%d\t%s\t%.1f\t%d\t%d\t%d\t%s\t\n",
			escape.Line(t.Number), t.Line, t.Seq, t.EndSeq, start,
			float64(t.End-t.Start)/1000, t.Events, t.Steps, t.Calls, turnEnd(t))
	}
}

func turnEnd(t *rules.TurnInfo) string {
	if t.Open {
		return "open"
	}
	return escape.Line(t.Reason)
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/columns"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// seqRange is a range of seqs, both ends included.
type seqRange struct{ first, last int64 }

// parseSeqRange reads 7, 10-20, 10- or -20; "" is no range at all.
func parseSeqRange(text string) (r seqRange, err error) {
	if text == "" {
		return r, nil
	}
	first, last, open := strings.Cut(text, "-")
	if !open {
		last = first
	}
	r = seqRange{0, math.MaxInt64}
	for _, end := range []struct {
		text string
		to   *int64
	}{{first, &r.first}, {last, &r.last}} {
		if end.text == "" {
			continue
		}
		n, err := strconv.ParseUint(end.text, 10, 63)
		if err != nil {
			return r, shared.Usagef("--events %q: want seqs such as 7, 10-20, 10- or -20", text)
		}
		*end.to = int64(n)
	}
	if text == "-" || r.first > r.last {
		return r, shared.Usagef("--events %q: want seqs such as 7, 10-20, 10- or -20", text)
	}
	return r, nil
}

func (r seqRange) has(seq int64) bool { return r.first <= seq && seq <= r.last }

// listedEvent is an event in a list.
type listedEvent struct {
	seq  int64
	line int
	time *int64 // epoch ms, nil for one that is no safe integer
	kind string // its type, as JavaScript prints it
	text []byte // canonical; only if asked for
}

// listEvents returns the events in a range of seqs in the order of the file, those
// behind damage too, and those of packed rows one by one.
func listEvents(r *scan.Reader, seqs seqRange, texts bool) ([]listedEvent, error) {
	all := []listedEvent{}
	for record := range r.Records() {
		if record.Kind == scan.Header && record.Stored == nil {
			record.Reparse(record.Text) // an event may be in its place
		}
		seq, ok := record.Seq()
		switch {
		case !ok || !record.IsEvent():
		case record.Kind == scan.Row:
			all = appendMembers(all, record, seqs, texts)
		case seqs.has(seq):
			all = append(all, newListedEvent(record, &record.Event, seq, texts))
		}
	}
	return all, r.Err()
}

func newListedEvent(r *scan.Record, e *session.Event, seq int64, texts bool) listedEvent {
	listed := listedEvent{seq: seq, line: r.Line, kind: e.Type.JSString()}
	if ms, ok := e.Time.SafeInt(); ok {
		listed.time = &ms
	}
	if texts {
		listed.text = jsjson.AppendCanonical(nil, e.Root)
	}
	return listed
}

// appendMembers adds the events of a packed row.
func appendMembers(all []listedEvent, r *scan.Record, seqs seqRange, texts bool) []listedEvent {
	seq, _ := r.Seq()
	if seq > seqs.last || seq+r.Events() <= seqs.first {
		return all
	}
	var doc jsjson.Doc
	var e session.Event
	for text := range r.Row.Events() {
		if seqs.has(seq) && doc.Parse(text) == nil {
			e.Read(doc.Root)
			all = append(all, newListedEvent(r, &e, seq, texts))
		}
		seq++
	}
	return all
}

func writeEvents(out io.Writer, l *lang.Printer, in *inspection) {
	w := columns.NewTable(out)
	fmt.Fprint(w, "\n  ")
	heads(w, l, "seq", in.unit(), "time", "type")
	for i := range in.events {
		e := &in.events[i]
		when := "-"
		if e.time != nil {
			when = timestamp(*e.time)
		}
		fmt.Fprintf(w, "  %d\t%d\t%s\t%s", e.seq, e.line, when, printable(e.kind))
		if e.text != nil {
			fmt.Fprintf(w, "  %s", escape.Line(string(e.text)))
		}
		fmt.Fprintln(w)
	}
	w.Flush()
}

// eventJSON is an event in a list for programs.
type eventJSON struct {
	Seq   int64           `json:"seq"`
	Line  int             `json:"line,omitempty"` // not of a session in a database
	Time  *int64          `json:"time,omitempty"`
	Type  json.RawMessage `json:"type"`
	Event json.RawMessage `json:"event,omitempty"` // only if asked for
}

func eventTable(in *inspection) []eventJSON {
	if in.events == nil {
		return nil
	}
	table := make([]eventJSON, 0, len(in.events))
	for i := range in.events {
		e := &in.events[i]
		table = append(table, eventJSON{e.seq, in.lineIn(e.line), e.time, jsjson.AppendQuoted(nil, e.kind), bytes.Clone(e.text)})
	}
	return table
}

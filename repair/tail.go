package repair

import (
	"bytes"
	"errors"
	"io"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// tail is what a pass over a log found to keep and to leave.
type tail struct {
	keep   int64 // bytes at the start of the file
	again  []Span
	leaves []Leave
	kept   int64 // events
	// model has read what is kept, and nothing else: it knows the closers.
	model   *scan.Model
	tooLong bool // a line of the tail was not read
}

// dropped returns the complete events that leave.
func (t *tail) dropped() (n int64) {
	for i := range t.leaves {
		n += t.leaves[i].Events
	}
	return n
}

// readTail goes through the log and decides of each line behind the bytes that
// stay. dsh stops at the first defect; with like, so does the pass. Otherwise a
// line is kept when it is a complete event with the next seq, because no other
// event can be the next one of this log: what lies between is no event, or
// repeats or skips some.
func (p *Plan) readTail(src io.ReaderAt, result *rules.Result, like bool) (*tail, error) {
	r, err := scan.NewReader(src, p.Size, scan.Options{Encoding: p.Options.Encoding})
	if err != nil {
		return nil, err
	}
	t := &tail{keep: result.Reading.Scan.Committed, model: scan.NewModel(scan.ModelOptions{})}
	if torn := result.Container.Torn; torn != nil {
		t.leaves = append(t.leaves, Leave{FileOff: torn.FileOff, Len: torn.Len, Reason: "torn frame"})
	}
	for record := range r.Records() {
		behind := record.Torn || p.Options.Encoding == scan.Plain && record.PlainOff >= t.keep
		switch {
		case record.Kind == scan.Header:
			t.model.Add(record)
		case t.accepts(record, like):
			t.kept += record.Events()
			if behind {
				t.addAgain(record)
			}
		default:
			t.leave(record)
		}
	}
	return t, r.Err()
}

// accepts passes the record on to the model and reports whether it is kept.
func (t *tail) accepts(r *scan.Record, like bool) bool {
	if like {
		return t.model.Add(r)
	}
	seq, ok := r.Seq()
	if !ok || seq != t.kept {
		return false
	}
	whole := *r
	whole.Terminated = true // a line that parses is complete: only its LF is missing
	return t.model.Add(&whole)
}

func (t *tail) addAgain(r *scan.Record) {
	span := Span{PlainOff: r.PlainOff, Len: lineLen(r), Events: r.Events()}
	if n := len(t.again) - 1; n >= 0 && t.again[n].end() == span.PlainOff {
		t.again[n].Len += span.Len
		t.again[n].Events += span.Events
		return
	}
	t.again = append(t.again, span)
}

// leave books a line that is not kept. All lines of a torn frame leave with the
// frame.
func (t *tail) leave(r *scan.Record) {
	t.tooLong = t.tooLong || r.Kind == scan.TooLong
	lost := completeEvents(r)
	if r.Torn {
		t.leaves[0].Events += lost
		return
	}
	part := Leave{FileOff: r.FileOff, Len: lineLen(r), Events: lost, Reason: t.reason(r)}
	if n := len(t.leaves) - 1; n >= 0 && t.leaves[n].end() == part.FileOff && t.leaves[n].Reason == part.Reason {
		t.leaves[n].Len += part.Len
		t.leaves[n].Events += part.Events
		return
	}
	t.leaves = append(t.leaves, part)
}

// completeEvents counts the events of a line, also of one that is undecodable
// because a lost LF glued several records together.
func completeEvents(r *scan.Record) (n int64) {
	if r.IsEvent() {
		return r.Events()
	}
	if r.Kind != scan.Undecodable {
		return 0
	}
	var part scan.Record
	for text := r.Text; ; {
		var syntax *jsjson.SyntaxError
		cut := len(text)
		if errors.As(part.Doc.Parse(text), &syntax) {
			cut = syntax.Offset
		}
		if cut == 0 || part.Doc.Parse(text[:cut]) != nil {
			return n
		}
		if asEvent(&part); part.IsEvent() {
			n += part.Events()
		}
		text = text[cut:]
	}
}

// reason says why a line of a plain log leaves it.
func (t *tail) reason(r *scan.Record) string {
	switch {
	case r.IsEvent() && !r.Terminated:
		return "complete event without a line feed"
	case r.IsEvent():
		if seq, _ := r.Seq(); seq == t.kept {
			return "event behind the place where dsh stops reading"
		}
		return "event that does not continue the sequence"
	case completeEvents(r) > 0:
		return "several records in one line"
	case r.Len == 0:
		return "blank line"
	case len(bytes.Trim(r.Text, "\x00")) == 0 && r.Kind != scan.TooLong:
		return "NUL bytes"
	case !r.Terminated:
		return "partial line"
	}
	return "line that is no event"
}

// lineLen returns the bytes of the record's line, with its LF if it has one.
func lineLen(r *scan.Record) int64 {
	if r.Terminated {
		return r.Len + 1
	}
	return r.Len
}

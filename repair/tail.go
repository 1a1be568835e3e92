package repair

import (
	"io"

	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// tail is what dsh's own recovery keeps of a log and leaves (docs/format.md §5.1).
type tail struct {
	keep   int64 // bytes at the start of the file
	again  []Span
	leaves []Leave
	kept   int64 // events

	closers [][]byte // of what is kept, as JSON texts without LF
}

// dropped returns the complete events that leave.
func (t *tail) dropped() (n int64) {
	for i := range t.leaves {
		n += t.leaves[i].Events
	}
	return n
}

// readTail goes through the log and decides of each line behind the bytes that
// stay. dsh stops at the first defect; so does the pass.
func (p *Plan) readTail(src io.ReaderAt, result *rules.Result) (*tail, error) {
	s := p.read(src)
	t := &tail{keep: result.Reading.Scan.Committed}
	if torn := result.Container.Torn; torn != nil {
		t.leaves = append(t.leaves, Leave{FileOff: torn.FileOff, Len: torn.Len, Reason: "torn frame"})
	}
	judge := newJudge(p.Generation, scan.Restore{})
	for record := range s.records() {
		behind := record.Torn || p.Options.Encoding == scan.Plain && record.PlainOff >= t.keep
		switch {
		case !judge.add(record):
			t.leave(record)
		case record.Kind == scan.Header:
		default:
			t.kept += record.Events()
			if behind {
				t.again = appendSpan(t.again, Span{PlainOff: record.PlainOff, Len: lineLen(record), Events: record.Events(), lf: record.Terminated})
			}
		}
	}
	t.closers = judge.end().closers
	return t, s.err
}

// leave books a line that is not kept. All lines of a torn frame leave with the
// frame.
func (t *tail) leave(r *scan.Record) {
	lost := completeEvents(r)
	if r.Torn {
		t.leaves[0].Events += lost
		return
	}
	part := Leave{FileOff: r.FileOff, Len: lineLen(r), Events: lost, Reason: t.reason(r)}
	if n := len(t.leaves) - 1; n >= 0 && t.leaves[n].goesOn(part) && t.leaves[n].Reason == part.Reason {
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
	work := searchWork(r.Text)
	for at := 0; ; {
		from, length := nextRecord(&part, r.Text, at, &work)
		if length == 0 {
			return n
		}
		n += part.Events()
		at = from + length
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
	}
	return junkReason(r.Text, r.Terminated)
}

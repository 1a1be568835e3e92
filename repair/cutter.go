package repair

import (
	"bytes"

	"github.com/turnlint/turnlint/scan"
)

// maxJoined and maxJoinedLen bound the lines, and their bytes, that are taken for
// one record with line feeds in a string.
const (
	maxJoined    = 256
	maxJoinedLen = 4 << 20
)

// cutter cuts lines into pieces.
type cutter struct {
	yield      func(*piece) bool
	generation int64 // of the header
	hasHeader  bool
	held       []scan.Record // lines that may be the start of a record that goes on
	part       scan.Record   // a record out of a line
	piece      piece
}

// line takes the next line. It returns false when no more pieces are wanted.
func (c *cutter) line(r *scan.Record) bool {
	if len(c.held) > 0 {
		joined := c.join(r)
		switch {
		case joined != nil:
			return c.emitJoined(r, joined)
		case r.Kind == scan.Undecodable && len(c.held) < maxJoined && c.part.Len < maxJoinedLen && endsInside(&c.part):
			c.hold(r)
			return true
		case !c.flush():
			return false
		}
	}
	if !c.hasHeader && c.takeHeader(r) {
		return c.emitHeader(r)
	}
	if r.Kind == scan.Header { // an event in its place
		r.Kind = scan.Event
		r.Reread(r.Text)
	}
	switch {
	case isLostHeader(r):
		return c.emit(r, 0, lineLen(r), "header that dsh does not take", false)
	case r.IsEvent():
		return c.emit(r, 0, lineLen(r), "", r.Terminated)
	case r.Kind == scan.TooLong:
		return c.emit(r, 0, lineLen(r), "line that is too long", false)
	case r.Kind == scan.Undecodable && r.Terminated && r.Len < maxJoinedLen && endsInside(r):
		c.hold(r)
		return true
	}
	return c.fragments(r, 0)
}

// endsInside reports whether the text breaks off inside a JSON text.
func endsInside(r *scan.Record) bool {
	return r.Syntax != nil && r.Syntax.Offset >= len(r.Text) && len(r.Text) > 0
}

func (c *cutter) hold(r *scan.Record) {
	c.held = append(c.held, scan.Record{
		Place: r.Place, Kind: r.Kind, Text: bytes.Clone(r.Text),
		Terminated: r.Terminated, LastFrame: r.LastFrame, Torn: r.Torn,
	})
}

// join returns the event that the held lines make with r, when the line feeds
// between them belong into a string of it; else nil.
func (c *cutter) join(r *scan.Record) []byte {
	if r.IsEvent() || r.Len > maxJoinedLen || r.AfterGap {
		c.part.Syntax = nil
		return nil
	}
	var text []byte
	for i := range c.held {
		text = append(append(text, c.held[i].Text...), `\n`...)
	}
	text = append(text, r.Text...)
	c.part.Reparse(text)
	if !c.part.IsEvent() {
		return nil
	}
	return text
}

func (c *cutter) emitJoined(r *scan.Record, text []byte) bool {
	first := &c.held[0]
	c.part.Place, c.part.LastFrame, c.part.Torn = first.Place, r.LastFrame, r.Torn
	c.part.Reparse(text)
	c.held = c.held[:0]
	c.piece = piece{record: &c.part, span: Span{
		PlainOff: first.PlainOff, Len: r.PlainOff + lineLen(r) - first.PlainOff, Events: 1, Escape: true,
	}}
	return c.yield(&c.piece)
}

// flush cuts the held lines one by one.
func (c *cutter) flush() bool {
	held := c.held
	c.held = nil
	for i := range held {
		if !c.fragments(&held[i], 0) {
			return false
		}
	}
	return true
}

// takeHeader reports whether the line starts with the header of a log, and leaves
// its text in c.part.
func (c *cutter) takeHeader(r *scan.Record) bool {
	start := padding(r.Text)
	c.part.Place, c.part.LastFrame = r.Place, r.LastFrame
	c.part.Reparse(r.Text[start:])
	if c.part.Syntax != nil {
		c.part.Reparse(r.Text[start : start+c.part.Syntax.Offset])
	}
	if c.part.Kind != scan.Event || !c.part.Event.Type.EqualText("session") {
		return false
	}
	_, refusal := parseHeader(c.part.Text, c.generation)
	return refusal == nil
}

// isLostHeader reports whether a line is a header that the log cannot use: a second
// one, or one with an error.
func isLostHeader(r *scan.Record) bool {
	return r.Kind == scan.Event && r.Event.Type.EqualText("session") && !r.Event.Seq.Exists()
}

func (c *cutter) emitHeader(r *scan.Record) bool {
	c.hasHeader = true
	text := c.part.Text
	start := bytes.Index(r.Text, text)
	if start > 0 && !c.emit(r, 0, int64(start), "padding", false) {
		return false
	}
	end := start + len(text)
	whole := end == len(r.Text)
	length := int64(len(text))
	if whole {
		length = lineLen(r) - int64(start)
	}
	c.part.Kind = scan.Header
	c.piece = piece{
		record: &c.part, span: Span{PlainOff: r.PlainOff + int64(start), Len: length},
		header: true, clean: start == 0 && whole && r.Terminated,
	}
	return c.yield(&c.piece) && (whole || c.fragments(r, end))
}

// emit yields the bytes [from, to) of a line as one piece: a record when why is "".
func (c *cutter) emit(r *scan.Record, from, to int64, why string, clean bool) bool {
	if from == to {
		return true
	}
	c.piece = piece{record: r, span: Span{PlainOff: r.PlainOff + from, Len: to - from}, junk: why, clean: clean}
	if why == "" {
		c.piece.span.Events = r.Events()
		r.Terminated = true
	}
	return c.yield(&c.piece)
}

// fragments cuts the rest of a line, from an offset in it, into the records that
// it holds and the bytes around them. A record that breaks off is none: what
// follows it may be.
func (c *cutter) fragments(r *scan.Record, from int) bool {
	text, end := r.Text, lineLen(r)
	for work := searchWork(text); ; {
		at, n := nextRecord(&c.part, text, from, &work)
		if n == 0 {
			return c.emit(r, int64(from), end, junkReason(text[from:], r.Terminated), false)
		}
		if !c.emit(r, int64(from), int64(at), junkReason(text[from:at], true), false) {
			return false
		}
		from = at + n
		c.part.Place, c.part.LastFrame, c.part.Torn = r.Place, r.LastFrame, r.Torn
		to := int64(from)
		if len(bytes.Trim(text[from:], " \t\r")) == 0 { // the LF is the record's
			to, from = end, len(text)
		}
		c.piece = piece{record: &c.part, span: Span{PlainOff: r.PlainOff + int64(at), Len: to - int64(at), Events: c.part.Events()}}
		if !c.yield(&c.piece) {
			return false
		}
		if to == end {
			return true
		}
	}
}

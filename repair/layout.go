package repair

import (
	"bytes"
	"io"
	"slices"

	"github.com/turnlint/turnlint/scan"
)

// layout puts a repaired log together: what is copied, what is written again and
// what leaves.
type layout struct {
	*salvage
	plain  bool         // the repaired log is a plain one
	keep   map[int]pick // by row; with the header's row, whose pick is empty
	parts  []Part
	leaves []Leave
}

// lay makes p write the rows of a chain, in the encoding to.
func (p *Plan) lay(l *salvage, c chain, to scan.Encoding) {
	y := &layout{salvage: l, plain: to == scan.Plain, keep: make(map[int]pick, len(c)+1)}
	for _, pick := range c {
		y.keep[pick.row] = pick
	}
	if l.header >= 0 && l.newHeader == "" {
		y.keep[l.header] = pick{row: l.header}
	}
	if l.encoding == scan.Zstd && !y.plain {
		y.reframe()
	} else {
		y.rewrite()
	}
	y.leaveRows()
	p.Parts, p.Leaves, p.Keep = y.parts, y.leaves, 0
	if l.newHeader == "" && len(p.Parts) > 0 && p.Parts[0].Copy != nil && p.Parts[0].Copy.FileOff == 0 {
		p.Keep = p.Parts[0].Copy.Len
		p.Parts = p.Parts[1:]
	}
}

// span returns what is kept of a row.
func (y *layout) span(i int) Span {
	s, r, pick := y.rows[i].span, &y.rows[i], y.keep[i]
	s.lf = r.clean
	if s.Spliced > 0 {
		s.Spliced = int64(pick.count)
		return s
	}
	if pick.count < r.count() {
		s.First, s.Count, s.Events, s.lf = pick.first, pick.count, int64(pick.count), false
	}
	return s
}

// whole reports whether a row stays exactly as it is.
func (y *layout) whole(i int) bool {
	pick, kept := y.keep[i]
	return kept && y.rows[i].clean && pick.count == y.rows[i].count()
}

// rewrite lays out a log without frames to copy: a plain log keeps its bytes up to
// the first change, and its lines behind the events of a parent. One that gets another
// encoding is written again, the header in a frame of its own.
func (y *layout) rewrite() {
	i, same, plain := 0, int64(0), y.encoding == scan.Plain && y.plain
	if plain {
		for ; i < len(y.rows) && y.whole(i); i++ {
			same = y.rows[i].span.end()
		}
		y.copy(0, same)
	}
	for ; i < len(y.rows); i++ {
		if plain && y.parent != nil && y.whole(i) {
			y.copy(y.rows[i].span.PlainOff, y.rows[i].span.Len)
		} else if _, kept := y.keep[i]; kept {
			y.write(i)
		}
	}
}

// reframe lays out a zstd log. A frame is copied when it is intact and each of
// its lines stays as it is; the others' lines are written again.
func (y *layout) reframe() {
	clean := y.cleanFrames()
	next := 0 // row
	for k, f := range y.frames {
		if clean[k] {
			y.copy(f.FileOff, f.Len)
		}
		for ; next < len(y.rows) && y.rows[next].frame <= f.Number; next++ {
			if _, kept := y.keep[next]; kept && (!clean[k] || y.rows[next].span.Spliced > 0) {
				y.write(next)
			}
		}
	}
	y.leaveFrames(clean)
}

// cleanFrames tells of each frame whether it is copied.
func (y *layout) cleanFrames() []bool {
	clean := make([]bool, len(y.frames))
	for k := range y.frames {
		clean[k] = !y.frames[k].Torn && y.frames[k].Err == nil
	}
	for i := range y.rows {
		if r := &y.rows[i]; !y.whole(i) && r.span.Spliced == 0 { // those stand behind the frame
			for number := r.frame; number <= r.lastFrame; number++ {
				clean[number-1] = false
			}
		}
	}
	y.cleanHeader(clean)
	// A line that spans frames is copied with all of them or with none.
	for again := true; again; {
		again = false
		for i := range y.rows {
			first, last := y.rows[i].frame-1, y.rows[i].lastFrame-1
			if first == last || !slices.Contains(clean[first:last+1], false) || !slices.Contains(clean[first:last+1], true) {
				continue
			}
			again = true
			for k := first; k <= last; k++ {
				clean[k] = false
			}
		}
	}
	return clean
}

// cleanHeader makes sure that the header alone is in the first frame.
func (y *layout) cleanHeader(clean []bool) {
	if y.header < 0 {
		return
	}
	h := &y.rows[y.header]
	for k := range h.frame - 1 {
		clean[k] = false
	}
	if f := &y.frames[h.frame-1]; f.PlainOff != h.span.PlainOff || f.PlainLen != h.span.Len {
		clean[h.frame-1] = false
	}
}

// copy adds bytes of the file.
func (y *layout) copy(off, n int64) {
	if n == 0 {
		return
	}
	if k := len(y.parts) - 1; k >= 0 && y.parts[k].Copy != nil && y.parts[k].Copy.end() == off {
		y.parts[k].Copy.Len += n
		return
	}
	y.parts = append(y.parts, Part{Copy: &Range{off, n}})
}

// write adds a row to the frame that is being written, or to a new one.
func (y *layout) write(i int) {
	k := len(y.parts) - 1
	if k < 0 || y.parts[k].Copy != nil || y.header >= 0 && i > y.header && y.parts[k].header {
		y.parts = append(y.parts, Part{header: i == y.header})
		k++
	}
	y.parts[k].Lines = appendSpan(y.parts[k].Lines, y.span(i))
}

// appendSpan adds a span, to the last one where both are whole lines.
func appendSpan(spans []Span, s Span) []Span {
	if n := len(spans) - 1; n >= 0 && spans[n].end() == s.PlainOff && spans[n].lf && s.lf {
		spans[n].Len += s.Len
		spans[n].Events += s.Events
		return spans
	}
	return append(spans, s)
}

// leaveFrames books the bytes of the file that are in no frame, and the frames
// that cannot be copied because they are damaged.
func (y *layout) leaveFrames(clean []bool) {
	end := int64(0)
	for k := range y.frames {
		f := &y.frames[k]
		y.leaveForeign(end, f.FileOff)
		end = f.FileOff + f.Len
		switch {
		case f.Torn:
			y.leaves = append(y.leaves, Leave{FileOff: f.FileOff, Len: f.Len, Events: y.lost(f.Number), Reason: "torn frame"})
		case f.Err != nil:
			y.leaves = append(y.leaves, Leave{FileOff: f.FileOff, Len: f.Len, Reason: "frame that does not decode"})
		}
	}
	y.leaveForeign(end, y.size)
}

// leaveForeign books bytes between frames.
func (y *layout) leaveForeign(from, to int64) {
	if from < to {
		y.leaves = append(y.leaves, Leave{FileOff: from, Len: to - from, Reason: foreignReason(y.src, from, to)})
	}
}

var magic = []byte("\x28\xB5\x2F\xFD") // of a frame, RFC 8878 §3.1.1

func foreignReason(src io.ReaderAt, from, to int64) string {
	var head [64]byte
	n, _ := src.ReadAt(head[:min(to-from, int64(len(head)))], from)
	switch text := head[:n]; {
	case len(bytes.Trim(text, "\x00")) == 0:
		return "NUL bytes"
	case bytes.HasPrefix(text, magic[:min(n, len(magic))]):
		return "torn frame"
	}
	return "bytes that are no frame"
}

// lost counts the events of a torn frame that leave with it.
func (y *layout) lost(frame int) (n int64) {
	for i := range y.rows {
		if r := &y.rows[i]; r.lastFrame == frame && !r.span.made() {
			n += int64(r.count() - y.keep[i].count)
		}
	}
	return n
}

// leaveRows books the text that leaves: lines that are no event, and events that
// are not kept. Text of damaged frames has left with them.
func (y *layout) leaveRows() {
	for i := range y.rows {
		r := &y.rows[i]
		pick, kept := y.keep[i]
		if kept && pick.count == r.count() || y.left(r) || r.span.made() || r.header {
			continue
		}
		leave := Leave{FileOff: r.fileOff, Len: r.span.Len, Events: int64(r.count() - pick.count), Reason: y.reason(r)}
		if r.frame > 0 {
			leave.Text = &Span{PlainOff: r.span.PlainOff, Len: r.span.Len}
		}
		y.leave(leave)
	}
}

// left reports whether a row lies in a frame that leaves as a whole.
func (y *layout) left(r *row) bool {
	if r.frame == 0 {
		return false
	}
	f := &y.frames[r.lastFrame-1]
	return f.Torn || f.Err != nil
}

func (y *layout) reason(r *row) string {
	switch {
	case r.junk != "":
		return r.junk
	case r.weight == synthetic:
		return "event of a recovery that another writer overtook"
	}
	return "event that does not continue the sequence"
}

// leave adds a leave, to the last one where it goes on.
func (y *layout) leave(l Leave) {
	if n := len(y.leaves) - 1; n >= 0 && y.leaves[n].Reason == l.Reason && y.leaves[n].goesOn(l) {
		last := &y.leaves[n]
		last.Len += l.Len
		last.Events += l.Events
		if last.Text != nil {
			last.Text.Len += l.Text.Len
		}
		return
	}
	y.leaves = append(y.leaves, l)
}

package picture

import (
	"bytes"
	"fmt"
	"io"
	"sort"

	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// State is the state of the bytes of a part.
type State uint8

// The states. Where several hold, the last of them counts.
const (
	Good    State = iota
	Header        // the header, alone in its frame or line
	Faulty        // sound bytes with an event that is wrong where it stands
	Torn          // what a crash left of a frame or of lines
	Damaged       // a frame that does not decode, or a line that is no record
	Hidden        // frames that decode, behind damage that dsh does not pass
	Foreign       // no part of a log: bytes that are no frame, a line with NUL bytes or a byte order mark
	NumStates
)

var stateNames = [NumStates]string{"good", "header", "faulty", "torn", "damaged", "hidden", "foreign"}

// String returns the name of the state in lower case.
func (s State) String() string { return stateNames[s] }

// Part is a run of bytes of the file in one state: a frame of a zstd log, or
// neighbouring lines of a plain one. Of very many frames neighbours are one part.
type Part struct {
	State State
	Cause string // why the state is not good; "" where it says so itself
	// First and Last are the numbers of the frames or lines, from 1. Frames that dsh
	// does not reach are counted on. They are 0 for bytes that are neither.
	First, Last       int
	FileOff, Len      int64 // bytes of the file
	PlainOff, TextLen int64 // bytes of decoded text, as far as it decodes
	Events            int64 // that start in it
}

// parts cuts the file into parts.
type parts struct {
	src       io.ReaderAt
	size      int64
	container *scan.Container
	list      bounded[Part]
	marks     map[int]*rules.Finding // errors, by line
	foreign   bool                   // the file is no log
	cut       int64                  // file offset behind which dsh cuts a plain log

	behind int64 // file offset behind the last part
	plain  int64 // and the text offset
	frames int   // frames so far
	open   Part  // state, cause and events of the frame that is being read
	hidden int64 // events in hidden frames
}

func newParts(src io.ReaderAt, size int64, result *rules.Result) *parts {
	p := &parts{src: src, size: size, container: result.Container, marks: make(map[int]*rules.Finding), cut: size}
	p.list = bounded[Part]{limit: maxParts, alike: sameState, join: joinParts}
	for i := range result.Findings {
		f := &result.Findings[i]
		p.foreign = p.foreign || f.Rule == rules.NotALog
		if f.Class == rules.Damaged && f.Severity == rules.Error && f.Place.Line > 0 && p.marks[f.Place.Line] == nil {
			p.marks[f.Place.Line] = f
		}
	}
	if s := &result.Reading.Scan; p.container.Encoding == scan.Plain && s.Refusal == nil && s.Torn {
		p.cut = s.Committed
	}
	return p
}

func sameState(a, b *Part) bool { return a.State == b.State }

// joinParts keeps the worse state of the two.
func joinParts(a, b *Part) {
	if b.State > a.State {
		a.State, a.Cause = b.State, b.Cause
	}
	if a.First == 0 {
		a.First = b.First
	}
	if b.Last > 0 {
		a.Last = b.Last
	}
	a.Len = b.FileOff + b.Len - a.FileOff
	a.TextLen += b.TextLen
	a.Events += b.Events
}

// add adds a part behind the others.
func (p *parts) add(part Part) {
	if p.foreign {
		part.State = Foreign
	}
	p.behind, p.plain = part.FileOff+part.Len, part.PlainOff+part.TextLen
	if last := p.list.last(); last != nil && p.container.Encoding == scan.Plain && last.State == part.State && last.Cause == part.Cause {
		joinParts(last, &part)
		return
	}
	p.list.add(part)
}

// record takes the next line.
func (p *parts) record(r *scan.Record) {
	state, cause := p.judge(r)
	if p.container.Encoding == scan.Plain {
		p.add(Part{
			State: state, Cause: cause, First: r.Line, Last: r.Line, FileOff: r.FileOff, Len: lineLen(r),
			PlainOff: r.PlainOff, TextLen: lineLen(r), Events: r.Events(),
		})
		return
	}
	part := &p.open
	if last := p.list.last(); r.Frame <= p.frames && last != nil {
		part = last // the line goes on into the next frame
	}
	if r.Kind != scan.Header {
		part.Events += r.Events()
	}
	if state > Header && state > part.State {
		part.State, part.Cause = state, cause
	}
}

// judge returns the state of a line.
func (p *parts) judge(r *scan.Record) (state State, cause string) {
	if r.Kind == scan.Header {
		state = Header
	}
	if r.FileOff >= p.cut {
		state = Torn
	}
	f := p.marks[r.Line]
	if f == nil || f.Place.PlainOff != r.PlainOff {
		return state, ""
	}
	found := Damaged
	switch {
	case f.Rule == rules.NulRun || f.Rule == rules.ByteOrderMark:
		found = Foreign
	case r.Kind == scan.Event || r.Kind == scan.Row || r.Kind == scan.Header && r.Syntax == nil:
		found = Faulty
	}
	if found < state {
		return state, ""
	}
	if r.Frame == 0 {
		return found, f.Rule.Name
	}
	return found, fmt.Sprintf("line %d: %s", r.Line, f.Rule.Name)
}

// frame takes a frame that has been read.
func (p *parts) frame(f scan.FrameInfo) {
	p.gap(f.FileOff)
	p.frames = f.Number
	part := p.open
	p.open = Part{}
	if state, cause := p.frameState(&f); state > part.State {
		part.State, part.Cause = state, cause
	}
	part.First, part.Last = f.Number, f.Number
	part.FileOff, part.Len = f.FileOff, f.Len
	part.PlainOff, part.TextLen = f.PlainOff, f.PlainLen
	if part.State == Hidden {
		p.hidden += part.Events
	}
	p.add(part)
}

func (p *parts) frameState(f *scan.FrameInfo) (State, string) {
	switch {
	case f.Torn:
		return p.cutState(f.FileOff, f.FileOff+f.Len)
	case f.Err != nil:
		return Damaged, string(f.Err.Cause)
	case f.Number > p.container.Frames || f.FileOff > p.reach(): // those are the ones that dsh reaches
		return Hidden, ""
	case f.FileOff == 0 && p.container.HeaderFrame:
		return Header, ""
	}
	return Good, ""
}

// reach returns the file offset up to which dsh walks the frames.
func (p *parts) reach() int64 {
	switch c := p.container; {
	case c.Fault != nil:
		return c.Fault.FileOff
	case c.Torn != nil:
		return c.Torn.FileOff
	}
	return p.size
}

// cutState returns the state of a frame without end: torn, if that is what a
// crash leaves, which is at the end of the file and hides nothing.
func (p *parts) cutState(from, to int64) (State, string) {
	c := p.container
	switch {
	case c.Torn == nil || c.Torn.FileOff != from:
		return Damaged, "it breaks off"
	case c.Hidden.Found:
		return Damaged, "its sizes are wrong: it claims the bytes of frames behind it"
	case to == p.size:
		return Torn, ""
	}
	return Damaged, "it breaks off"
}

// gap adds the bytes up to a file offset, in which no frame could be read.
func (p *parts) gap(to int64) {
	from := p.behind
	if from >= to {
		return
	}
	part := Part{State: Foreign, Cause: "no frame", FileOff: from, Len: to - from, PlainOff: p.plain}
	var head [len(magic)]byte
	n, _ := p.src.ReadAt(head[:min(int64(len(head)), to-from)], from)
	if bytes.HasPrefix([]byte(magic), head[:n]) {
		part.State, part.Cause = p.cutState(from, to)
	}
	p.add(part)
}

// magic starts every frame (RFC 8878 §3.1.1).
const magic = "\x28\xB5\x2F\xFD"

// end returns the parts of the whole file.
func (p *parts) end() []Part {
	if p.container.Encoding == scan.Zstd {
		p.gap(p.size)
	}
	return p.list.items
}

// FileAt returns about where in the file a byte of the decoded text lies: exactly in
// a plain log, and in a zstd log as if all of a frame were compressed alike.
func (p *Picture) FileAt(plainOff int64) int64 {
	part := p.partOf(plainOff)
	if part == nil {
		return p.Size
	}
	return part.fileAt(plainOff)
}

// FileEnd returns about where in the file the text before a text offset ends.
func (p *Picture) FileEnd(plainOff int64) int64 {
	part := p.partOf(plainOff - 1)
	if part == nil {
		return p.Size
	}
	return part.fileAt(plainOff)
}

// partOf returns the part that holds a byte of the decoded text, or nil.
func (p *Picture) partOf(plainOff int64) *Part {
	i := sort.Search(len(p.Parts), func(i int) bool { return p.Parts[i].PlainOff+p.Parts[i].TextLen > plainOff })
	if i == len(p.Parts) {
		return nil
	}
	return &p.Parts[i]
}

func (p *Part) fileAt(plainOff int64) int64 {
	share := float64(max(0, plainOff-p.PlainOff)) / float64(p.TextLen)
	return p.FileOff + int64(share*float64(p.Len))
}

// lineLen returns the bytes of the record's line, with its LF if it has one.
func lineLen(r *scan.Record) int64 {
	if r.Terminated {
		return r.Len + 1
	}
	return r.Len
}

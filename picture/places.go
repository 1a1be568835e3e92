package picture

import (
	"bytes"
	"cmp"
	"io"
	"slices"

	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// Place is a damaged place and the bytes around it.
type Place struct {
	// Rule and At are those of the finding about it.
	Rule *rules.Rule
	At   scan.Place
	Dump
	// Flip is the bit that turned over there; nil where none was found.
	Flip *scan.Flip
}

// The bytes around a damaged place that are shown.
const (
	bytesBefore = 32
	bytesBehind = 96
)

// places gathers the bytes around damaged places.
type places struct {
	all      []Place
	byLine   map[int][]int // indexes of places on lines
	more     int
	encoding scan.Encoding
	size     int64
	showText bool
	previous []byte // the end of the last line, LF included
}

// choose picks the findings to show the places of: the worst ones.
func (p *places) choose(src io.ReaderAt, size int64, result *rules.Result, showText bool) error {
	p.byLine, p.encoding, p.size, p.showText = make(map[int][]int), result.Container.Encoding, size, showText
	var found []*rules.Finding
	for i := range result.Findings {
		if f := &result.Findings[i]; f.Class == rules.Damaged && f.Severity >= rules.Warning && located(f) {
			found = append(found, f)
		}
	}
	slices.SortStableFunc(found, func(a, b *rules.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	p.more = max(0, len(found)-maxPlaces)
	found = found[:len(found)-p.more]
	slices.SortStableFunc(found, func(a, b *rules.Finding) int { return cmp.Compare(a.Place.FileOff, b.Place.FileOff) })
	for i, f := range found {
		p.all = append(p.all, Place{Rule: f.Rule, At: f.Place})
		if f.Place.Line > 0 {
			p.byLine[f.Place.Line] = append(p.byLine[f.Place.Line], i)
		}
	}
	return p.flips(src, result.Container)
}

// located reports whether a finding is about bytes of the file. That a turn is open
// shows nowhere.
func located(f *rules.Finding) bool {
	if f.Rule == rules.OpenTurn {
		return false
	}
	return f.Place.Line > 0 || f.Place.Frame > 0 || f.Place.FileOff > 0 || f.Rule == rules.NotALog
}

// flips finds the bits that spoil the structure of a zstd log.
func (p *places) flips(src io.ReaderAt, c *scan.Container) error {
	if c.Fault == nil && !c.Hidden.Found {
		return nil
	}
	flips, err := scan.FindFlips(src, p.size)
	for i := range flips {
		for j := range p.all {
			if at := &p.all[j]; at.At.Line == 0 && at.At.FileOff <= flips[i].FileOff && at.Flip == nil {
				at.Flip = &flips[i]
				break
			}
		}
	}
	return err
}

// record takes the next line, and keeps what is to be shown of it.
func (p *places) record(r *scan.Record) {
	for _, i := range p.byLine[r.Line] {
		if place := &p.all[i]; place.At.PlainOff == r.PlainOff {
			place.Dump = p.line(r)
		}
	}
	p.previous = append(p.previous[:0], r.Text[max(0, len(r.Text)-bytesBefore+1):]...)
	if r.Terminated {
		p.previous = append(p.previous, '\n')
	}
}

// line returns the bytes around what is wrong in a line: where it is no JSON any
// more, or its start.
func (p *places) line(r *scan.Record) Dump {
	focus := 0
	if r.Syntax != nil {
		focus = min(r.Syntax.Offset, len(r.Text))
	}
	from := max(0, focus-bytesBefore)
	to := min(len(r.Text), focus+bytesBehind)
	d := Dump{Space: Text, Off: r.PlainOff + int64(from), From: r.PlainOff + int64(focus), To: r.PlainOff + int64(to)}
	if from == 0 {
		d.Bytes = slices.Clone(p.previous)
		d.Off = r.PlainOff - int64(len(d.Bytes))
	}
	d.Bytes = append(d.Bytes, r.Text[from:to]...)
	if to == len(r.Text) && r.Terminated {
		d.Bytes = append(d.Bytes, '\n')
	}
	if r.Syntax != nil {
		d.To = d.From + int64(sameBytes(r.Text[focus:to]))
	}
	return d
}

// sameBytes returns how many bytes at the start of text are alike.
func sameBytes(text []byte) int {
	n := 0
	for n < len(text) && text[n] == text[0] {
		n++
	}
	return n
}

// end completes the places with bytes of the file, and returns them.
func (p *places) end(src io.ReaderAt) ([]Place, error) {
	for i := range p.all {
		place := &p.all[i]
		if place.Bytes == nil {
			if err := p.file(src, place); err != nil {
				return nil, err
			}
		}
		if !p.showText {
			place.hide(place.Space == Text || p.encoding == scan.Plain)
		}
	}
	return p.all, nil
}

// file reads the bytes around a place of the file.
func (p *places) file(src io.ReaderAt, place *Place) error {
	d := &place.Dump
	d.From = place.At.FileOff
	d.To = d.From + 1
	if place.Flip != nil {
		d.From = place.Flip.FileOff
		d.To = d.From + 1
	}
	d.Off = max(0, d.From-bytesBefore)
	d.Bytes = make([]byte, max(0, min(p.size, d.From+bytesBehind)-d.Off))
	_, err := io.ReadFull(io.NewSectionReader(src, d.Off, p.size-d.Off), d.Bytes)
	d.structure = place.Flip != nil
	if bytes.HasPrefix(d.Bytes[d.From-d.Off:], []byte(magic)) {
		d.To, d.structure = d.From+int64(len(magic)), true
	}
	return err
}

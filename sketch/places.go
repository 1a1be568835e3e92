package sketch

import (
	"fmt"
	"strings"

	"github.com/turnlint/turnlint/picture"
)

// places writes the bytes around each damaged place as hex and as text.
func (d *drawing) places() {
	if len(d.p.Places) == 0 {
		return
	}
	d.title("damaged places: %v", len(d.p.Places)+d.p.MorePlaces)
	hides := false
	for i := range d.p.Places {
		d.place(i+1, &d.p.Places[i])
		hides = hides || d.p.Places[i].Hides()
	}
	if d.p.MorePlaces > 0 {
		d.say("%v more not shown", d.p.MorePlaces)
	}
	if hides {
		d.say("·· is what the log says; --show-text shows it")
	}
}

func (d *drawing) place(number int, p *picture.Place) {
	rule := fmt.Sprintf("[%s %s]", p.Rule.ID, p.Rule.Name)
	d.twoParts(fmt.Sprintf("  %d. %s ", number, d.Text(p.Rule.Summary)), d.Textf("%v at %v", rule, d.where(p)))
	if p.Flip != nil {
		found := p.Bytes[p.Flip.FileOff-p.Off]
		d.indented("     ", d.Textf("one bit turned over: byte %v is %v and was %v",
			p.Flip.FileOff, fmt.Sprintf("%02x", found), fmt.Sprintf("%02x", found^p.Flip.Mask)))
	}
	for row := range p.Rows() {
		d.dumpRow(&row)
	}
}

func (d *drawing) where(p *picture.Place) string {
	where := d.Textf("byte %v of the file", p.From)
	if p.Space == picture.Text {
		where = d.Textf("byte %v of the text", p.From)
	}
	switch at := p.At; {
	case at.Line > 0:
		return d.Textf("line %v, %v", at.Line, where)
	case at.Frame > 0:
		return d.Textf("frame %v, %v", at.Frame, where)
	}
	return where
}

// wideDump is the width that a row of 16 bytes needs.
const wideDump = 5 + 10 + 16*3 + 2 + 16

// dumpRow writes a row of a dump, as two lines where the terminal is narrow.
func (d *drawing) dumpRow(r *picture.Row) {
	columns := 16
	if d.width < wideDump {
		columns = 8
	}
	for cells, off := r.Cells, r.Off; len(cells) > 0; {
		// The first row of a dump starts in the middle, under the offsets of the others.
		skip := int(off % int64(columns))
		n := min(len(cells), columns-skip)
		d.printf("     %s %s  %s\n", d.paint.faint.Sprintf("%08x", off), d.hex(cells[:n], skip, columns), strings.Repeat(" ", skip)+d.glyphs(cells[:n]))
		cells, off = cells[n:], off+int64(n)
	}
}

// hex writes bytes, each behind a blank, or behind > where it is in question.
func (d *drawing) hex(cells []picture.Cell, skip, columns int) string {
	var b strings.Builder
	b.WriteString(strings.Repeat("   ", skip))
	for _, c := range cells {
		text := fmt.Sprintf("%02x", c.Byte)
		if c.Hidden {
			text = "··"
		}
		if c.Marked {
			b.WriteString(d.paint.marked.Sprint(">" + text))
			continue
		}
		b.WriteString(" " + text)
	}
	b.WriteString(strings.Repeat("   ", columns-skip-len(cells)))
	return b.String()
}

func (d *drawing) glyphs(cells []picture.Cell) string {
	var b strings.Builder
	for _, c := range cells {
		text := c.Glyph
		if c.Hidden {
			text = "·"
		}
		if c.Marked {
			text = d.paint.marked.Sprint(text)
		}
		b.WriteString(text)
	}
	return b.String()
}

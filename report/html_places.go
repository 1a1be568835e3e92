package report

import (
	"fmt"
	"strings"

	"github.com/turnlint/turnlint/picture"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// placesView is the bytes around the damaged places of a log.
type placesView struct {
	ID, Note string
	List     []placeView
	More     string
	keys     []placeKey // of List
}

// placeKey tells the finding that a place is of.
type placeKey struct {
	rule *rules.Rule
	at   scan.Place
}

type placeView struct {
	ID, Title, Where, Flip string
	Label                  string // for those who do not see it
	Finding                string // id of its row in the table
	Rows                   []dumpRow
}

// dumpRow is 16 bytes as hex and as text.
type dumpRow struct {
	Off       string
	Hex, Text []dumpRun
}

// dumpRun is neighbours that look alike.
type dumpRun struct {
	Text string
	look
}

// look is how a byte is shown.
type look struct{ Marked, Hidden, Control bool }

func newPlacesView(id string, f *File) *placesView {
	v := &placesView{ID: id + "-places"}
	p := f.Picture
	if p == nil {
		return v
	}
	v.Note = "The bytes around each place, the ones in question marked. An underlined letter is a control character: J is ^J, the line feed, and @ is ^@, NUL. Bytes that are no text are \uFFFD."
	for i := range p.Places {
		place := &p.Places[i]
		v.keys = append(v.keys, placeKey{place.Rule, place.At})
		v.List = append(v.List, newPlaceView(fmt.Sprintf("%s-place-%d", id, i+1), i+1, place))
		if place.Hides() && !strings.Contains(v.Note, "--show-text") {
			v.Note += " What the log says is left out, as ·; --show-text shows it."
		}
	}
	if p.MorePlaces > 0 {
		v.More = counted(p.MorePlaces, "further place") + " not shown"
	}
	return v
}

func newPlaceView(id string, number int, p *picture.Place) placeView {
	v := placeView{ID: id, Title: fmt.Sprintf("Place %d: %s", number, p.Rule.Summary), Where: dumpWhere(p)}
	v.Label = fmt.Sprintf("Hex dump of place %d", number)
	if p.Flip != nil {
		i := p.Flip.FileOff - p.Off
		v.Flip = fmt.Sprintf("Byte %d is %02x. It was %02x before one bit of it turned over: with that, the checksum of the frame is right.",
			p.Flip.FileOff, p.Bytes[i], p.Bytes[i]^p.Flip.Mask)
	}
	for row := range p.Rows() {
		v.Rows = append(v.Rows, newDumpRow(&row))
	}
	return v
}

func dumpWhere(p *picture.Place) string {
	var parts []string
	if p.At.Line > 0 {
		parts = append(parts, "line "+number(p.At.Line))
	}
	if p.At.Frame > 0 {
		parts = append(parts, "frame "+number(p.At.Frame))
	}
	space := "of the file"
	if p.Space == picture.Text {
		space = "of the decoded text"
	}
	return strings.Join(append(parts, fmt.Sprintf("from byte %s %s", number(p.From), space)), ", ")
}

// rowLen is the bytes in a full row of a dump.
const rowLen = 16

func newDumpRow(r *picture.Row) dumpRow {
	row := dumpRow{Off: fmt.Sprintf("%10d", r.Off)}
	pad := int(r.Off % rowLen)
	row.Hex = appendRun(row.Hex, strings.Repeat("   ", pad), look{})
	row.Text = appendRun(row.Text, strings.Repeat(" ", pad), look{})
	for i := range r.Cells {
		c := &r.Cells[i]
		like := look{Marked: c.Marked, Hidden: c.Hidden}
		row.Hex = appendRun(row.Hex, hexOf(c), like)
		row.Hex = appendRun(row.Hex, " ", look{})
		glyph := c.Glyph
		if c.Hidden {
			glyph = "·"
		} else if c.Byte < ' ' || c.Byte == 0x7F {
			glyph, like.Control = string(rune(c.Byte^0x40)), true // as ^J and ^@ name them; few fonts have pictures of them
		}
		row.Text = appendRun(row.Text, glyph, like)
	}
	if rest := rowLen - pad - len(r.Cells); rest > 0 {
		row.Hex = appendRun(row.Hex, strings.Repeat("   ", rest), look{})
	}
	return row
}

func hexOf(c *picture.Cell) string {
	if c.Hidden {
		return "··"
	}
	return fmt.Sprintf("%02x", c.Byte)
}

// appendRun adds text to neighbours with the same look.
func appendRun(runs []dumpRun, text string, like look) []dumpRun {
	if text == "" {
		return runs
	}
	if last := len(runs) - 1; last >= 0 && runs[last].look == like {
		runs[last].Text += text
		return runs
	}
	return append(runs, dumpRun{text, like})
}

// link leads from a finding to the bytes around its place, and back.
func (v *placesView) link(row *findingView, f *rules.Finding) {
	for i, key := range v.keys {
		if key.rule == f.Rule && key.at == f.Place {
			row.Place, row.Number = v.List[i].ID, i+1
			row.ID = v.List[i].ID + "-finding"
			v.List[i].Finding = row.ID
			v.List[i].Title = fmt.Sprintf("Place %d: %s", i+1, shown(f.Message))
			return
		}
	}
}

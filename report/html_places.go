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

func (pg *page) newPlacesView(id string, f *File) *placesView {
	v := &placesView{ID: id + "-places"}
	p := f.Picture
	if p == nil {
		return v
	}
	v.Note = pg.Text("The bytes around each place, the ones in question marked. An underlined letter is a control character: J is ^J, the line feed, and @ is ^@, NUL. Bytes that are no text are \uFFFD.")
	hides := false
	for i := range p.Places {
		place := &p.Places[i]
		v.keys = append(v.keys, placeKey{place.Rule, place.At})
		v.List = append(v.List, pg.newPlaceView(fmt.Sprintf("%s-place-%d", id, i+1), i+1, place))
		hides = hides || place.Hides()
	}
	if hides {
		v.Note = pg.Textf("%v What the log says is left out, as ·; --show-text shows it.", v.Note)
	}
	if p.MorePlaces > 0 {
		v.More = pg.Textf("%v not shown", pg.counted(int64(p.MorePlaces), "further place"))
	}
	return v
}

func (pg *page) newPlaceView(id string, number int, p *picture.Place) placeView {
	v := placeView{ID: id, Title: pg.Textf("Place %v: %v", number, pg.Text(p.Rule.Summary)), Where: pg.dumpWhere(p)}
	v.Label = pg.Textf("Hex dump of place %v", number)
	if p.Flip != nil {
		i := p.Flip.FileOff - p.Off
		v.Flip = pg.Textf("Byte %v is %v. It was %v before one bit of it turned over: with that, the checksum of the frame is right.",
			p.Flip.FileOff, hexByte(p.Bytes[i]), hexByte(p.Bytes[i]^p.Flip.Mask))
	}
	for row := range p.Rows() {
		v.Rows = append(v.Rows, newDumpRow(&row))
	}
	return v
}

func (pg *page) dumpWhere(p *picture.Place) string {
	var parts []string
	if p.At.Line > 0 {
		parts = append(parts, pg.Textf("line %v", number(p.At.Line)))
	}
	if p.At.Frame > 0 {
		parts = append(parts, pg.Textf("frame %v", number(p.At.Frame)))
	}
	from := pg.Textf("from byte %v of the file", number(p.From))
	if p.Space == picture.Text {
		from = pg.Textf("from byte %v of the decoded text", number(p.From))
	}
	return strings.Join(append(parts, from), pg.Text(", "))
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
	return hexByte(c.Byte)
}

func hexByte(b byte) string { return fmt.Sprintf("%02x", b) }

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
func (pg *page) link(v *placesView, row *findingView, f *rules.Finding) {
	for i, key := range v.keys {
		if key.rule == f.Rule && key.at == f.Place {
			row.Place, row.Number = v.List[i].ID, i+1
			row.ID = v.List[i].ID + "-finding"
			v.List[i].Finding = row.ID
			v.List[i].Title = pg.Textf("Place %v: %v", i+1, shown(pg.Text(f.Message)))
			return
		}
	}
}

package report

import (
	"strings"

	"github.com/turnlint/turnlint/picture"
	"github.com/turnlint/turnlint/scan"
)

// mapView is the map of a file: its frames or lines to scale, the turns in them,
// and how far dsh reads.
type mapView struct {
	ID, Note, Desc, Unit string
	Top, Height          px // of the drawing
	Bars, Turns          []bar
	Pins                 []pin
	Dsh                  *dshView
	Ticks                []tick
	Legend               []legendItem
}

// pin is the mark of a damaged place.
type pin struct {
	X      px
	Number int
}

// dshView is how far dsh reads, in a drawing.
type dshView struct {
	X0, X, X1          px
	Reads, Stops, Rest string
	Anchor             string
}

// X0 is the left end of the axis, X1 the right one.
func (*mapView) X0() px { return chartLeft }

// X1 is the right end of the axis.
func (*mapView) X1() px { return chartRight }

// stateWords names the states of bytes.
var stateWords = [picture.NumStates]legendItem{
	picture.Good:    {"part s-good", "sound", ""},
	picture.Header:  {"part s-header", "header", "names the session"},
	picture.Faulty:  {"part s-faulty", "wrong events", "in bytes that are sound"},
	picture.Torn:    {"part s-torn", "torn", "what a crash left of the last write"},
	picture.Damaged: {"part s-damaged", "damaged", "does not decode"},
	picture.Hidden:  {"part s-hidden", "hidden", "sound, but dsh does not get there"},
	picture.Foreign: {"part s-foreign", "foreign", "no part of a log"},
}

func (pg *page) newMapView(id string, p *picture.Picture) *mapView {
	if p.Size == 0 {
		return nil
	}
	file := scale{0, float64(p.Size)}
	v := &mapView{ID: id + "-map", Height: 192, Unit: pg.Text("frames"), Note: pg.Text("The bytes of the file from left to right, to scale: its frames, the turns whose text they hold, and how far dsh reads.")}
	if p.Encoding == scan.Plain {
		v.Unit, v.Note = pg.Text("lines"), pg.Text("The bytes of the file from left to right, to scale: its lines, the turns in them, and how far dsh reads.")
	}
	v.Bars = pg.mapBars(p, file)
	v.Turns = pg.mapTurns(p, file)
	v.Pins = mapPins(p, file)
	v.Dsh = pg.newDshView(p, file)
	v.Desc = pg.mapText(p)
	for _, at := range wholeTicks(0, float64(p.Size), 8) {
		x := file.at(at)
		v.Ticks = append(v.Ticks, tick{X: x, Label: number(int64(at)), Anchor: anchorAt(x)})
	}
	v.Ticks = thin(v.Ticks)
	v.Legend = pg.stateLegend(p)
	if p.Stop == nil && len(v.Pins) == 0 { // nothing stands above the boxes
		v.Top = 42
		v.Height -= v.Top
	}
	return v
}

func (pg *page) stateLegend(p *picture.Picture) (items []legendItem) {
	var seen [picture.NumStates]bool
	for i := range p.Parts {
		seen[p.Parts[i].State] = true
	}
	for state, words := range stateWords {
		if seen[state] {
			items = append(items, pg.legend(words))
		}
	}
	return items
}

// legend returns an item in the language of the page.
func (pg *page) legend(item legendItem) legendItem {
	return legendItem{item.Class, pg.Text(item.Name), pg.Text(item.Meaning)}
}

// mapBars returns a box for each part. Neighbours in the same state that are too
// narrow to be told apart are one box, and what is not sound is never too narrow
// to be seen.
func (pg *page) mapBars(p *picture.Picture, file scale) (bars []bar) {
	const narrow = 4
	for i := range p.Parts {
		part := &p.Parts[i]
		b := bar{
			X: file.at(float64(part.FileOff)), Class: stateWords[part.State].Class[len("part "):],
			Label: unitsOf(part), Tip: pg.partText(p, part), states: 1,
		}
		b.W = file.at(float64(part.FileOff+part.Len)) - b.X
		if part.First == 0 {
			b.Label = ""
		}
		if last := len(bars) - 1; last >= 0 && bars[last].Class == b.Class && (b.W < narrow || bars[last].W < narrow) {
			bars[last].W = b.X + b.W - bars[last].X
			bars[last].states++
			bars[last].Label, bars[last].Tip = "", pg.Textf("%v parts: %v", bars[last].states, pg.Text(stateWords[part.State].Name))
			continue
		}
		if part.State > picture.Header {
			b.W = max(b.W, 3)
		}
		bars = append(bars, b)
	}
	for i := range bars {
		bars[i].fit()
	}
	return bars
}

// partText says in words what a part is.
func (pg *page) partText(p *picture.Picture, part *picture.Part) string {
	name := pg.withCause(pg.Text(stateWords[part.State].Name), part)
	if part.First > 0 {
		name = pg.Textf("%v: %v", pg.unitText(p, part), name)
	}
	return pg.Textf("%v, bytes %v to %v, %v", name, number(part.FileOff), number(part.FileOff+part.Len), pg.counted(part.Events, "event"))
}

// withCause adds to a name of a part why it is in its state.
func (pg *page) withCause(name string, part *picture.Part) string {
	if part.Cause == "" {
		return name
	}
	return pg.Textf("%v (%v)", name, part.CauseInWords(pg.Printer))
}

// unitText names the frames or lines of a part.
func (pg *page) unitText(p *picture.Picture, part *picture.Part) string {
	several := part.Last > part.First
	switch {
	case p.Encoding == scan.Plain && several:
		return pg.Textf("lines %v", unitsOf(part))
	case p.Encoding == scan.Plain:
		return pg.Textf("line %v", unitsOf(part))
	case several:
		return pg.Textf("frames %v", unitsOf(part))
	}
	return pg.Textf("frame %v", unitsOf(part))
}

// mapText says in words what the map shows.
func (pg *page) mapText(p *picture.Picture) string {
	const most = 12
	var all []string
	for i := range p.Parts {
		if i == most {
			all = append(all, pg.counted(int64(len(p.Parts)-most), "further part"))
			break
		}
		all = append(all, pg.partText(p, &p.Parts[i]))
	}
	text := pg.Textf("The file has %v. %v.", pg.counted(p.Size, "byte"), strings.Join(all, pg.Text("; ")))
	if p.Stop != nil {
		text = pg.Textf("%v %v", text, pg.stopStory(p))
	}
	return text
}

// mapTurns returns a box for each turn, and one for each place at which events are
// missing.
func (pg *page) mapTurns(p *picture.Picture, file scale) (bars []bar) {
	end := file.at(0)
	if len(p.Parts) > 0 && p.Parts[0].State == picture.Header {
		end = file.at(float64(p.Parts[0].Len))
	}
	for i := range p.Turns {
		t := &p.Turns[i]
		b := bar{X: file.at(float64(p.FileAt(t.PlainOff))), Class: turnClass(t), Label: turnName(t), Tip: pg.turnText(t)}
		b.W = max(1.5, file.at(float64(p.FileEnd(t.PlainEnd)))-b.X)
		if t.Before > 0 && b.X > end+3 {
			bars = append(bars, pg.missingBar(t.Before, end, b.X))
		}
		end = b.X + b.W
		b.fit()
		bars = append(bars, b)
	}
	return bars
}

// missingBar stands for events that are missing between two places of a drawing.
func (pg *page) missingBar(events int64, from, to px) bar {
	b := bar{X: from + 1.5, W: to - from - 3, Class: "t-missing", Label: pg.Textf("%v missing", pg.counted(events, "event"))}
	b.Tip = b.Label
	if b.fit(); b.Label == "" {
		b.Label = pg.Textf("%v missing", number(events))
		b.fit()
	}
	return b
}

// mapPins marks the damaged places, but none that would hide another one.
func mapPins(p *picture.Picture, file scale) (pins []pin) {
	for i := range p.Places {
		x := file.at(float64(placeOffset(p, &p.Places[i])))
		if n := len(pins); n == 0 || x-pins[n-1].X >= 20 {
			pins = append(pins, pin{x, i + 1})
		}
	}
	return pins
}

// placeOffset returns where in the file a damaged place is.
func placeOffset(p *picture.Picture, place *picture.Place) int64 {
	if place.Space == picture.Text {
		return p.FileAt(place.From)
	}
	return place.From
}

func (pg *page) newDshView(p *picture.Picture, file scale) *dshView {
	v := &dshView{X0: chartLeft, X: chartRight, X1: chartRight, Reads: pg.Text("reads all of it")}
	s := p.Stop
	if s == nil {
		return v
	}
	at := s.FileOff
	if s.Line > 0 && s.Frame > 0 {
		at = stopOffset(p)
	}
	v.X = file.at(float64(at))
	v.Anchor = sideAt(v.X)
	v.Reads = pg.Textf("reads %v", pg.counted(s.FileOff, "byte"))
	if v.X == chartLeft {
		v.Reads = ""
	}
	if s.Refuses {
		v.Stops, v.Rest = pg.Text("dsh stops here and refuses the log"), pg.Text("not read")
		return v
	}
	v.Stops, v.Rest = pg.Text("dsh cuts the file here"), pg.Text("cut off: nothing complete")
	switch {
	case s.Dropped > 0:
		v.Rest = pg.Textf("dropped: %v", pg.counted(s.Dropped, "complete event"))
	case s.Recovered > 0:
		v.Rest = pg.Textf("cut off, but for %v", pg.counted(s.Recovered, "event"))
	}
	return v
}

// stopOffset returns where in the file the line lies at which dsh stops.
func stopOffset(p *picture.Picture) int64 {
	for i := range p.Places {
		if place := &p.Places[i]; place.At.Line == p.Stop.Line {
			return max(p.Stop.FileOff, p.FileAt(place.At.PlainOff))
		}
	}
	return p.Stop.FileOff
}

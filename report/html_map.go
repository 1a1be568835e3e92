package report

import (
	"fmt"
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

func newMapView(id string, p *picture.Picture) *mapView {
	if p.Size == 0 {
		return nil
	}
	file := scale{0, float64(p.Size)}
	v := &mapView{ID: id + "-map", Height: 192, Unit: "frames", Note: "The bytes of the file from left to right, to scale: its frames, the turns whose text they hold, and how far dsh reads."}
	if p.Encoding == scan.Plain {
		v.Unit, v.Note = "lines", "The bytes of the file from left to right, to scale: its lines, the turns in them, and how far dsh reads."
	}
	v.Bars = mapBars(p, file)
	v.Turns = mapTurns(p, file)
	v.Pins = mapPins(p, file)
	v.Dsh = newDshView(p, file)
	v.Desc = mapText(p)
	for _, at := range wholeTicks(0, float64(p.Size), 8) {
		x := file.at(at)
		v.Ticks = append(v.Ticks, tick{X: x, Label: number(int64(at)), Anchor: anchorAt(x)})
	}
	v.Ticks = thin(v.Ticks)
	v.Legend = stateLegend(p)
	if p.Stop == nil && len(v.Pins) == 0 { // nothing stands above the boxes
		v.Top = 42
		v.Height -= v.Top
	}
	return v
}

func stateLegend(p *picture.Picture) (items []legendItem) {
	var seen [picture.NumStates]bool
	for i := range p.Parts {
		seen[p.Parts[i].State] = true
	}
	for state, words := range stateWords {
		if seen[state] {
			items = append(items, words)
		}
	}
	return items
}

// mapBars returns a box for each part. Neighbours in the same state that are too
// narrow to be told apart are one box, and what is not sound is never too narrow
// to be seen.
func mapBars(p *picture.Picture, file scale) (bars []bar) {
	const narrow = 4
	for i := range p.Parts {
		part := &p.Parts[i]
		b := bar{
			X: file.at(float64(part.FileOff)), Class: stateWords[part.State].Class[len("part "):],
			Label: unitsOf(part), Tip: partText(p, part), states: 1,
		}
		b.W = file.at(float64(part.FileOff+part.Len)) - b.X
		if part.First == 0 {
			b.Label = ""
		}
		if last := len(bars) - 1; last >= 0 && bars[last].Class == b.Class && (b.W < narrow || bars[last].W < narrow) {
			bars[last].W = b.X + b.W - bars[last].X
			bars[last].states++
			bars[last].Label, bars[last].Tip = "", fmt.Sprintf("%d parts: %s", bars[last].states, stateWords[part.State].Name)
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
func partText(p *picture.Picture, part *picture.Part) string {
	name := stateWords[part.State].Name
	if part.Cause != "" {
		name += " (" + part.Cause + ")"
	}
	if part.First > 0 {
		name = unitText(p, part) + ": " + name
	}
	return fmt.Sprintf("%s, bytes %s to %s, %s", name, number(part.FileOff), number(part.FileOff+part.Len), counted(part.Events, "event"))
}

// unitText names the frames or lines of a part.
func unitText(p *picture.Picture, part *picture.Part) string {
	unit := "frame"
	if p.Encoding == scan.Plain {
		unit = "line"
	}
	if part.Last > part.First {
		unit += "s"
	}
	return unit + " " + unitsOf(part)
}

// mapText says in words what the map shows.
func mapText(p *picture.Picture) string {
	const most = 12
	var all []string
	for i := range p.Parts {
		if i == most {
			all = append(all, counted(len(p.Parts)-most, "further part"))
			break
		}
		all = append(all, partText(p, &p.Parts[i]))
	}
	text := fmt.Sprintf("The file has %s. %s.", counted(p.Size, "byte"), strings.Join(all, "; "))
	if p.Stop != nil {
		text += " " + stopStory(p)
	}
	return text
}

// mapTurns returns a box for each turn, and one for each place at which events are
// missing.
func mapTurns(p *picture.Picture, file scale) (bars []bar) {
	end := file.at(0)
	if len(p.Parts) > 0 && p.Parts[0].State == picture.Header {
		end = file.at(float64(p.Parts[0].Len))
	}
	for i := range p.Turns {
		t := &p.Turns[i]
		b := bar{X: file.at(float64(p.FileAt(t.PlainOff))), Class: turnClass(t), Label: turnName(t), Tip: turnText(t)}
		b.W = max(1.5, file.at(float64(p.FileEnd(t.PlainEnd)))-b.X)
		if t.Before > 0 && b.X > end+3 {
			bars = append(bars, missingBar(t.Before, end, b.X))
		}
		end = b.X + b.W
		b.fit()
		bars = append(bars, b)
	}
	return bars
}

// missingBar stands for events that are missing between two places of a drawing.
func missingBar(events int64, from, to px) bar {
	b := bar{X: from + 1.5, W: to - from - 3, Class: "t-missing", Label: counted(events, "event") + " missing"}
	b.Tip = b.Label
	if b.fit(); b.Label == "" {
		b.Label = number(events) + " missing"
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

func newDshView(p *picture.Picture, file scale) *dshView {
	v := &dshView{X0: chartLeft, X: chartRight, X1: chartRight, Reads: "reads all of it"}
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
	v.Reads = "reads " + counted(s.FileOff, "byte")
	if v.X == chartLeft {
		v.Reads = ""
	}
	if s.Refuses {
		v.Stops, v.Rest = "dsh stops here and refuses the log", "not read"
		return v
	}
	v.Stops, v.Rest = "dsh cuts the file here", "cut off: nothing complete"
	switch {
	case s.Dropped > 0:
		v.Rest = "dropped: " + counted(s.Dropped, "complete event")
	case s.Recovered > 0:
		v.Rest = "cut off, but for " + counted(s.Recovered, "event")
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

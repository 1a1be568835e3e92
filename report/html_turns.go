package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/turnlint/turnlint/picture"
	"github.com/turnlint/turnlint/rules"
)

// turnsView is the timeline of the turns and their table.
type turnsView struct {
	Unit              string // what its records are called: line or row
	ID, Note, Caption string
	Chart             *timeView
	Branches, Said    bool // whether there are columns for them
	Columns           int
	Rows              []turnRow
	Closers           string
	More              string
}

type turnRow struct {
	Missing, Branch, Turn, Start, After, Took, Pause, Seqs, Line, End, Said string
	Steps, Calls, Events                                                    string
}

func (pg *page) newTurnsView(id string, r *rules.Result, p *picture.Picture) *turnsView {
	if len(p.Turns) == 0 {
		return nil
	}
	v := &turnsView{
		ID: id + "-turns", Unit: pg.Text(p.Unit()), Branches: len(p.Branches) > 1, Said: p.TextShown, Columns: 11,
		Note:    pg.Text("What the session did, and when. Longer times without any turn are cut short in the drawing."),
		Caption: pg.Text("The turns in the order of the file"),
	}
	if v.Branches {
		v.Columns++
	}
	if v.Said {
		v.Columns++
	}
	for i := range p.Turns {
		v.Rows = append(v.Rows, pg.newTurnRow(&p.Turns[i], r.Projection, i == 0))
	}
	v.Closers = p.ClosersInWords(pg.Printer)
	if n := turnCount(p); int64(len(p.Turns)) < n {
		v.More = pg.Textf("There are %v; neighbours are shown together. ", pg.counted(n, "turn"))
	}
	if p.Loose > 0 {
		v.More += pg.Textf("%v on disk in no turn that can be read.", pg.counted(p.Loose, "event"))
	}
	if !r.Projection {
		v.Chart = pg.newTimeView(v.ID, p)
	}
	return v
}

func (pg *page) newTurnRow(t *picture.Turn, projection, first bool) turnRow {
	row := turnRow{
		Branch: picture.BranchName(t.Branch), Turn: turnName(t), Start: timeText(t.Start), After: pg.durationText(t.Idle),
		Took: pg.durationText(t.End - t.Start), Pause: pg.durationText(t.Pause), Seqs: fmt.Sprintf("%d–%d", t.Seq, t.EndSeq), Line: number(t.Line), End: t.EndInWords(pg.Printer),
		Steps: number(t.Steps), Calls: number(t.Calls), Events: number(t.Events), Said: shown(t.Said),
	}
	if first {
		row.After = ""
	}
	if projection {
		row.Start, row.After = "–", ""
	}
	if t.Before > 0 {
		row.Missing = pg.Textf("%v missing before this turn", pg.counted(t.Before, "event"))
	}
	if t.Missing > 0 {
		row.End = pg.Textf("%v; %v missing in it", row.End, pg.counted(t.Missing, "event"))
	}
	return row
}

// turnName returns the number of a turn, or the first and last one of several.
func turnName(t *picture.Turn) string {
	if t.Turns == 1 {
		return shown(t.Number)
	}
	return shown(t.Number) + "–" + shown(t.LastNumber)
}

// closings explains the ways in which turns end.
var closings = [...]legendItem{
	picture.Ended:       {Class: "turn t-ended"},
	picture.Interrupted: {Class: "turn t-interrupted", Meaning: "closed by a recovery"},
	picture.Open:        {Class: "turn t-open", Meaning: "has no end"},
	picture.Lost:        {Class: "turn t-lost", Meaning: "bytes are missing"},
}

func turnClass(t *picture.Turn) string { return closings[t.Closing].Class[len("turn "):] }

// turnText says in words what a turn is.
func (pg *page) turnText(t *picture.Turn) string {
	what := pg.Textf("turn %v", turnName(t))
	if t.Turns > 1 {
		what = pg.Textf("%v: %v", pg.counted(int64(t.Turns), "turn"), turnName(t))
	}
	return pg.Textf("%v, %v, %v, %v", what, t.EndInWords(pg.Printer), pg.counted(t.Events, "event"), pg.durationText(t.End-t.Start))
}

// timeView is the timeline: the turns over time, with a row for each branch. Time
// in which nothing happens is cut short.
type timeView struct {
	ID, Desc string
	Height   px
	AxisY    px
	Breaks   []breakView
	Lanes    []laneName
	Bars     []bar
	Ticks    []tick
	Legend   []legendItem
}

// X0 is the left end of the axis.
func (*timeView) X0() px { return chartLeft }

// X1 is the right end of the axis.
func (*timeView) X1() px { return chartRight }

// breakView is time that is cut short.
type breakView struct {
	X, W, H px
	Label   string
}

// Mid is where the label stands.
func (b breakView) Mid() px { return b.X + b.W/2 }

type laneName struct {
	TextY px
	Name  string
}

const (
	laneHeight = px(34)
	lanesTop   = px(22) // below the labels of the breaks
	breakWidth = 58.0
	maxBreaks  = 6 // of time in one drawing
	maxLanes   = 8
)

func (pg *page) newTimeView(id string, p *picture.Picture) *timeView {
	clock := newClock(p.Turns)
	if clock == nil {
		return nil
	}
	lanes := min(len(p.Branches), maxLanes)
	v := &timeView{ID: id, AxisY: lanesTop + px(max(1, lanes))*laneHeight + 4}
	v.Height = v.AxisY + 26
	var seen [len(closings)]bool
	for i := range p.Turns {
		t := &p.Turns[i]
		lane := min(max(t.Branch, 0), maxLanes-1)
		b := bar{X: clock.at(t.Start), Y: lanesTop + px(lane)*laneHeight + 2, Class: turnClass(t), Label: turnName(t), Tip: pg.turnText(t)}
		b.W = max(2, clock.at(t.End)-b.X)
		b.X = min(b.X, chartRight-b.W)
		b.fit()
		seen[t.Closing] = true
		v.Bars = append(v.Bars, b)
	}
	if lanes > 1 {
		for i := range lanes {
			v.Lanes = append(v.Lanes, laneName{lanesTop + px(i)*laneHeight + 19, picture.BranchName(i)})
		}
	}
	for closing, item := range closings {
		if seen[closing] {
			item.Name = picture.Closing(closing).String()
			v.Legend = append(v.Legend, pg.legend(item))
		}
	}
	if len(v.Legend) == 1 && seen[picture.Ended] {
		v.Legend = nil // all are alike
	}
	pg.drawClock(v, clock)
	v.Desc = pg.timeDesc(p)
	return v
}

func (pg *page) timeDesc(p *picture.Picture) string {
	start, end := p.Turns[0].Start, p.Turns[0].End
	for i := range p.Turns {
		start, end = min(start, p.Turns[i].Start), max(end, p.Turns[i].End)
	}
	return pg.Textf("%v from %v to %v. The table below has the same in words.", pg.counted(int64(len(p.Turns)), "turn"), timeText(start), timeText(end))
}

// clock maps times to a drawing, with idle time cut short.
type clock struct {
	busy  []span
	scale float64 // units for each ms of busy time
}

// span is a time in which something happened, at an offset in the drawing.
type span struct {
	from, to int64
	x        px
}

// newClock returns nil for turns without any duration worth drawing.
func newClock(turns []picture.Turn) *clock {
	var all []span
	for i := range turns {
		t := &turns[i]
		if t.Start < -maxDate || t.Start > maxDate || t.End < -maxDate || t.End > maxDate {
			return nil
		}
		all = append(all, span{from: min(t.Start, t.End), to: max(t.Start, t.End)})
	}
	slices.SortFunc(all, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	c := &clock{busy: joined(all)}
	total := int64(0)
	for _, s := range c.busy {
		total += s.to - s.from
	}
	room := float64(chartRight-chartLeft) - breakWidth*float64(len(c.busy)-1)
	c.scale = room / float64(max(1, total))
	x := chartLeft
	for i := range c.busy {
		s := &c.busy[i]
		s.x = x
		x += px(float64(s.to-s.from)*c.scale) + breakWidth
	}
	return c
}

// joined joins spans up to the longest pauses between them.
func joined(all []span) []span {
	var pauses []int64
	busy, end := int64(0), all[0].from
	for _, s := range all {
		if s.from > end {
			pauses = append(pauses, s.from-end)
		}
		busy += max(0, s.to-max(end, s.from))
		end = max(end, s.to)
	}
	slices.SortFunc(pauses, func(a, b int64) int { return cmp.Compare(b, a) })
	limit := busy / 4 // a pause that is shorter than this is drawn as it is
	if len(pauses) > maxBreaks {
		limit = max(limit, pauses[maxBreaks])
	}
	spans := []span{all[0]}
	for _, s := range all[1:] {
		if last := &spans[len(spans)-1]; s.from-last.to <= limit {
			last.to = max(last.to, s.to)
			continue
		}
		spans = append(spans, s)
	}
	return spans
}

func (c *clock) at(ms int64) px {
	for i := range c.busy {
		if s := &c.busy[i]; ms <= s.to {
			return s.x + px(float64(max(0, ms-s.from))*c.scale)
		}
	}
	return chartRight
}

// drawClock adds the axis and the breaks to a timeline.
func (pg *page) drawClock(v *timeView, c *clock) {
	for i := range c.busy {
		s := &c.busy[i]
		end := c.at(s.to)
		if i > 0 {
			pause := s.from - c.busy[i-1].to
			v.Breaks = append(v.Breaks, breakView{X: s.x - breakWidth + 4, W: breakWidth - 8, H: v.AxisY - 4, Label: pg.shortDuration(pause)})
		}
		v.Ticks = append(v.Ticks, tick{X: s.x, Y: v.AxisY, Label: timeText(s.from)})
		if i == len(c.busy)-1 && end > s.x {
			v.Ticks = append(v.Ticks, tick{X: end, Y: v.AxisY, Label: timeText(s.to)})
		}
	}
	for i := range v.Ticks {
		v.Ticks[i].Anchor = "start"
		if v.Ticks[i].X > chartRight-140 {
			v.Ticks[i].Anchor = "end"
		}
	}
	v.Ticks = thin(v.Ticks)
}

// shortDuration returns a span of time in its greatest unit.
func (pg *page) shortDuration(ms int64) string {
	const second, minute, hour, day = 1000, 60_000, 3_600_000, 86_400_000
	switch {
	case ms < second:
		return pg.Textf("%v ms", ms)
	case ms < minute:
		return pg.Textf("%v s", ms/second)
	case ms < hour:
		return pg.Textf("%v min", ms/minute)
	case ms < day:
		return pg.Textf("%v h", ms/hour)
	}
	return pg.Textf("%v d", number(ms/day))
}

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

func newTurnsView(id string, r *rules.Result, p *picture.Picture) *turnsView {
	if len(p.Turns) == 0 {
		return nil
	}
	v := &turnsView{
		ID: id + "-turns", Branches: len(p.Branches) > 1, Said: p.TextShown, Columns: 11,
		Note:    "What the session did, and when. Longer times without any turn are cut short in the drawing.",
		Caption: "The turns in the order of the file",
	}
	if v.Branches {
		v.Columns++
	}
	if v.Said {
		v.Columns++
	}
	for i := range p.Turns {
		v.Rows = append(v.Rows, newTurnRow(&p.Turns[i], r.Projection, i == 0))
	}
	if n := len(p.Closers); n > 0 {
		v.Closers = fmt.Sprintf("dsh would add %s to close this turn, from seq %d on", counted(n, "event"), p.Closers[0].Seq)
	}
	if n := turnCount(p); int64(len(p.Turns)) < n {
		v.More = fmt.Sprintf("There are %s; neighbours are shown together. ", counted(n, "turn"))
	}
	if p.Loose > 0 {
		v.More += counted(p.Loose, "event") + " on disk in no turn that can be read."
	}
	if !r.Projection {
		v.Chart = newTimeView(v.ID, p)
	}
	return v
}

func newTurnRow(t *picture.Turn, projection, first bool) turnRow {
	row := turnRow{
		Branch: picture.BranchName(t.Branch), Turn: turnName(t), Start: timeText(t.Start), After: durationText(t.Idle),
		Took: durationText(t.End - t.Start), Pause: durationText(t.Pause), Seqs: fmt.Sprintf("%d–%d", t.Seq, t.EndSeq), Line: number(t.Line), End: turnEnd(t),
		Steps: number(t.Steps), Calls: number(t.Calls), Events: number(t.Events), Said: shown(t.Said),
	}
	if first {
		row.After = ""
	}
	if projection {
		row.Start, row.After = "–", ""
	}
	if t.Before > 0 {
		row.Missing = counted(t.Before, "event") + " missing before this turn"
	}
	if t.Missing > 0 {
		row.End += fmt.Sprintf("; %s missing in it", counted(t.Missing, "event"))
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

// turnEnd says how a turn ends.
func turnEnd(t *picture.Turn) string {
	word := closingWords[t.Closing].Name
	switch {
	case t.Closing == picture.Ended:
		word = shown(t.Reason)
	case t.Turns > 1:
		word = "some " + word
	}
	return word
}

// closingWords names the ways in which turns end.
var closingWords = [...]legendItem{
	picture.Ended:       {"turn t-ended", "ended", ""},
	picture.Interrupted: {"turn t-interrupted", "interrupted", "closed by a recovery"},
	picture.Open:        {"turn t-open", "open", "has no end"},
	picture.Lost:        {"turn t-lost", "end lost", "bytes are missing"},
}

func turnClass(t *picture.Turn) string { return closingWords[t.Closing].Class[len("turn "):] }

// turnText says in words what a turn is.
func turnText(t *picture.Turn) string {
	what := "turn "
	if t.Turns > 1 {
		what = counted(t.Turns, "turn") + ": "
	}
	return fmt.Sprintf("%s%s, %s, %s, %s", what, turnName(t), turnEnd(t), counted(t.Events, "event"), durationText(t.End-t.Start))
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

func newTimeView(id string, p *picture.Picture) *timeView {
	clock := newClock(p.Turns)
	if clock == nil {
		return nil
	}
	lanes := min(len(p.Branches), maxLanes)
	v := &timeView{ID: id, AxisY: lanesTop + px(max(1, lanes))*laneHeight + 4}
	v.Height = v.AxisY + 26
	var seen [len(closingWords)]bool
	for i := range p.Turns {
		t := &p.Turns[i]
		lane := min(max(t.Branch, 0), maxLanes-1)
		b := bar{X: clock.at(t.Start), Y: lanesTop + px(lane)*laneHeight + 2, Class: turnClass(t), Label: turnName(t), Tip: turnText(t)}
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
	for closing, words := range closingWords {
		if seen[closing] {
			v.Legend = append(v.Legend, words)
		}
	}
	if len(v.Legend) == 1 && seen[picture.Ended] {
		v.Legend = nil // all are alike
	}
	clock.draw(v)
	v.Desc = timeDesc(p)
	return v
}

func timeDesc(p *picture.Picture) string {
	start, end := p.Turns[0].Start, p.Turns[0].End
	for i := range p.Turns {
		start, end = min(start, p.Turns[i].Start), max(end, p.Turns[i].End)
	}
	return fmt.Sprintf("%s from %s to %s. The table below has the same in words.", counted(len(p.Turns), "turn"), timeText(start), timeText(end))
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

// draw adds the axis and the breaks to a timeline.
func (c *clock) draw(v *timeView) {
	for i := range c.busy {
		s := &c.busy[i]
		end := c.at(s.to)
		if i > 0 {
			pause := s.from - c.busy[i-1].to
			v.Breaks = append(v.Breaks, breakView{X: s.x - breakWidth + 4, W: breakWidth - 8, H: v.AxisY - 4, Label: shortDuration(pause)})
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
func shortDuration(ms int64) string {
	const second, minute, hour, day = 1000, 60_000, 3_600_000, 86_400_000
	switch {
	case ms < second:
		return fmt.Sprintf("%d ms", ms)
	case ms < minute:
		return fmt.Sprintf("%d s", ms/second)
	case ms < hour:
		return fmt.Sprintf("%d min", ms/minute)
	case ms < day:
		return fmt.Sprintf("%d h", ms/hour)
	}
	return number(ms/day) + " d"
}

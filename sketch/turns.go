package sketch

import (
	"fmt"
	"slices"
	"time"

	"github.com/turnlint/turnlint/internal/columns"
	"github.com/turnlint/turnlint/picture"
)

// maxTurnRows is the number of rows on turns.
const maxTurnRows = 40

// turnColumn is a column of the table of turns.
type turnColumn struct {
	head string
	cell func(*drawing, *picture.Turn) string
	// spare says how soon the column goes where there is no room, 1 first; 0 never.
	spare int
}

var turnColumns = []turnColumn{
	{"branch", func(_ *drawing, t *picture.Turn) string { return picture.BranchName(t.Branch) }, 7},
	{"turn", func(_ *drawing, t *picture.Turn) string { return turnNumber(t) }, 0},
	{"line", func(_ *drawing, t *picture.Turn) string { return fmt.Sprint(t.Line) }, 3},
	{"seq", func(_ *drawing, t *picture.Turn) string { return span(t.Seq, t.EndSeq) }, 0},
	{"start", func(_ *drawing, t *picture.Turn) string { return clock(t.Start) }, 6},
	{"lasted", func(d *drawing, t *picture.Turn) string { return d.duration(t.End - t.Start) }, 5},
	{"after", func(d *drawing, t *picture.Turn) string { return d.duration(t.Idle) }, 4},
	{"events", func(_ *drawing, t *picture.Turn) string { return fmt.Sprint(t.Events) }, 0},
	{"steps", func(_ *drawing, t *picture.Turn) string { return fmt.Sprint(t.Steps) }, 2},
	{"calls", func(_ *drawing, t *picture.Turn) string { return fmt.Sprint(t.Calls) }, 1},
	{"end", (*drawing).turnEnd, 0},
}

func (d *drawing) turns() {
	total := 0
	for i := range d.p.Turns {
		total += d.p.Turns[i].Turns
	}
	d.title("turns: %v", total)
	d.table(d.turnRows())
	if closers := d.p.ClosersInWords(d.Printer); closers != "" {
		d.indented("  ", closers)
	}
	if d.p.Loose > 0 {
		d.say("%v outside of these turns", d.Count(d.p.Loose, "event"))
	}
}

// turnRows returns the table of turns, with the columns that there is room for beside
// the end of a turn that went well.
func (d *drawing) turnRows() [][]string {
	chosen := slices.DeleteFunc(slices.Clone(turnColumns), func(c turnColumn) bool {
		return c.head == "branch" && len(d.p.Branches) < 2
	})
	for i := range chosen {
		if chosen[i].head == "line" {
			chosen[i].head = d.p.Unit()
		}
	}
	for spare := 1; ; spare++ {
		rows := d.turnTable(chosen)
		if spare > len(turnColumns) || tableWidth(rows) <= d.width {
			all := func(int) string { return d.Text("… all of them: --turns") }
			return append(rows[:1:1], elided(rows[1:], maxTurnRows, all)...)
		}
		chosen = slices.DeleteFunc(chosen, func(c turnColumn) bool { return c.spare == spare })
	}
}

func (d *drawing) turnTable(chosen []turnColumn) [][]string {
	turns := d.p.Turns
	rows := make([][]string, len(turns)+1)
	for _, c := range chosen {
		rows[0] = append(rows[0], d.Text(c.head))
		for i := range turns {
			rows[i+1] = append(rows[i+1], c.cell(d, &turns[i]))
		}
	}
	return rows
}

// endWidth is the room that is left for the end of a turn, which may be a long story.
const endWidth = len("completed")

// tableWidth returns the width of a table of turns.
func tableWidth(rows [][]string) int {
	width := 2 + endWidth
	for column := range len(rows[0]) - 1 {
		widest := 0
		for _, row := range rows {
			widest = max(widest, columns.Width(row[column]))
		}
		width += widest + 2
	}
	return width
}

func turnNumber(t *picture.Turn) string {
	if t.Turns > 1 {
		return line(t.Number) + "-" + line(t.LastNumber)
	}
	return line(t.Number)
}

// turnEnd says how a turn ends, what is missing, and what was said in it.
func (d *drawing) turnEnd(t *picture.Turn) string {
	end := t.EndInWords(d.Printer)
	if t.Before > 0 {
		end = d.Textf("%v; %v missing before it", end, d.Count(t.Before, "event"))
	}
	if t.Missing > 0 {
		end = d.Textf("%v; %v missing in it", end, d.Count(t.Missing, "event"))
	}
	if t.Said != "" {
		end = d.Textf("%v: %v", end, line(t.Said))
	}
	return end
}

// clock returns a time in epoch ms, to the second.
func clock(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05") }

// duration returns ms in the unit that fits.
func (d *drawing) duration(ms int64) string {
	span := time.Duration(ms) * time.Millisecond
	switch abs := max(span, -span); {
	case abs < time.Minute:
		return d.Textf("%vs", fmt.Sprintf("%.1f", span.Seconds()))
	case abs < time.Hour:
		return d.Textf("%vmin", fmt.Sprintf("%.1f", span.Minutes()))
	case abs < 48*time.Hour:
		return d.Textf("%vh", fmt.Sprintf("%.1f", span.Hours()))
	}
	return d.Textf("%vd", fmt.Sprintf("%.0f", span.Hours()/24))
}

package sketch

import (
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/picture"
)

// maxTurnRows is the number of rows on turns.
const maxTurnRows = 40

// turnColumn is a column of the table of turns.
type turnColumn struct {
	head string
	cell func(*picture.Turn) string
	// spare says how soon the column goes where there is no room, 1 first; 0 never.
	spare int
}

var turnColumns = []turnColumn{
	{"branch", func(t *picture.Turn) string { return picture.BranchName(t.Branch) }, 7},
	{"turn", turnNumber, 0},
	{"line", func(t *picture.Turn) string { return fmt.Sprint(t.Line) }, 3},
	{"seq", func(t *picture.Turn) string { return span(t.Seq, t.EndSeq) }, 0},
	{"start", func(t *picture.Turn) string { return clock(t.Start) }, 6},
	{"lasted", func(t *picture.Turn) string { return duration(t.End - t.Start) }, 5},
	{"after", func(t *picture.Turn) string { return duration(t.Idle) }, 4},
	{"events", func(t *picture.Turn) string { return fmt.Sprint(t.Events) }, 0},
	{"steps", func(t *picture.Turn) string { return fmt.Sprint(t.Steps) }, 2},
	{"calls", func(t *picture.Turn) string { return fmt.Sprint(t.Calls) }, 1},
	{"end", turnEnd, 0},
}

func (d *drawing) turns() {
	total := 0
	for i := range d.p.Turns {
		total += d.p.Turns[i].Turns
	}
	d.title("turns: %d", total)
	d.table(d.turnRows())
	if n := len(d.p.Closers); n > 0 {
		d.say("dsh would add %s from seq %d on to close the last turn", words.Count(int64(n), "event"), d.p.Closers[0].Seq)
	}
	if d.p.Loose > 0 {
		d.say("%s outside of these turns", words.Count(d.p.Loose, "event"))
	}
}

// turnRows returns the table of turns, with the columns that there is room for beside
// the end of a turn that went well.
func (d *drawing) turnRows() [][]string {
	columns := slices.DeleteFunc(slices.Clone(turnColumns), func(c turnColumn) bool {
		return c.head == "branch" && len(d.p.Branches) < 2
	})
	for spare := 1; ; spare++ {
		rows := turnTable(d.p.Turns, columns)
		if spare > len(turnColumns) || tableWidth(rows) <= d.width {
			all := func(int) string { return "… all of them: --turns" }
			return append(rows[:1:1], elided(rows[1:], maxTurnRows, all)...)
		}
		columns = slices.DeleteFunc(columns, func(c turnColumn) bool { return c.spare == spare })
	}
}

func turnTable(turns []picture.Turn, columns []turnColumn) [][]string {
	rows := make([][]string, len(turns)+1)
	for _, c := range columns {
		rows[0] = append(rows[0], c.head)
		for i := range turns {
			rows[i+1] = append(rows[i+1], c.cell(&turns[i]))
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
			widest = max(widest, utf8.RuneCountInString(row[column]))
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

// closingWords say how turns end that do not end with a turn/end of the session.
var closingWords = [...]string{
	picture.Ended:       "ended",
	picture.Interrupted: "closed by a recovery",
	picture.Open:        "open",
	picture.Lost:        "open, where bytes are missing",
}

// turnEnd says how a turn ends, what is missing, and what was said in it.
func turnEnd(t *picture.Turn) string {
	end := closingWords[t.Closing]
	if t.Closing == picture.Ended && t.Reason != "" {
		end = line(t.Reason)
	}
	if t.Before > 0 {
		end += fmt.Sprintf("; %s missing before it", words.Count(t.Before, "event"))
	}
	if t.Missing > 0 {
		end += fmt.Sprintf("; %s missing in it", words.Count(t.Missing, "event"))
	}
	if t.Said != "" {
		end += ": " + line(t.Said)
	}
	return end
}

// clock returns a time in epoch ms, to the second.
func clock(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05") }

// duration returns ms in the unit that fits.
func duration(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	switch abs := max(d, -d); {
	case abs < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case abs < time.Hour:
		return fmt.Sprintf("%.1fmin", d.Minutes())
	case abs < 48*time.Hour:
		return fmt.Sprintf("%.1fh", d.Hours())
	}
	return fmt.Sprintf("%.0fd", d.Hours()/24)
}

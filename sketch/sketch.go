// Package sketch draws the picture of a log for terminals, in plain characters.
package sketch

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/fatih/color"

	"github.com/turnlint/turnlint/internal/columns"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/picture"
)

// Options of a sketch.
type Options struct {
	Width int           // columns of the terminal
	Color bool          // with ANSI colours
	Lang  *lang.Printer // the language; nil is English
}

// MinWidth is the least width that is drawn for. A narrower terminal breaks lines.
const MinWidth = 50

// Draw writes what there is to see of a log: the map of its file or rows, its turns, its
// branches where there are several, and the bytes around damaged places. What stands
// in the log is escaped.
func Draw(w io.Writer, p *picture.Picture, opt Options) error {
	d := &drawing{Printer: opt.Lang, out: bufio.NewWriter(w), p: p, width: max(MinWidth, opt.Width), paint: newPalette(opt.Color)}
	if p.Size > 0 {
		d.fileMap()
	}
	if len(p.Rows) > 0 {
		d.rowMap()
	}
	if len(p.Turns) > 0 {
		d.turns()
	}
	if forked(p) {
		d.forks()
	}
	d.places()
	return d.out.Flush()
}

// drawing is one sketch.
type drawing struct {
	*lang.Printer
	out   *bufio.Writer
	p     *picture.Picture
	width int
	paint palette
}

func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(d.out, format, args...) }

func (d *drawing) title(format string, args ...any) {
	d.printf("\n  %s\n", d.paint.bold.Sprint(d.Textf(format, args...)))
}

// say writes a sentence, on more lines where there is no room.
func (d *drawing) say(format string, args ...any) { d.indented("  ", d.Textf(format, args...)) }

// indented writes a text behind some blanks; further lines are indented more.
func (d *drawing) indented(blanks, text string) {
	const further = "      "
	for i, line := range columns.Wrap(text, d.width-len(blanks), d.width-len(further)) {
		if i > 0 {
			blanks = further
		}
		d.printf("%s\n", d.fit(blanks+line))
	}
}

// fit cuts a line of escaped text to the width.
func (d *drawing) fit(line string) string { return columns.Cut(line, d.width) }

// palette holds the colours of a sketch.
type palette struct {
	bold, faint, marked *color.Color
	states              [picture.NumStates]*color.Color
}

func newPalette(on bool) palette {
	c := func(attributes ...color.Attribute) *color.Color {
		c := color.New(attributes...)
		if on {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
		return c
	}
	p := palette{bold: c(color.Bold), faint: c(color.Faint), marked: c(color.FgRed, color.Bold)}
	for state, attribute := range stateColors {
		p.states[state] = c(attribute)
	}
	return p
}

var stateColors = [picture.NumStates]color.Attribute{
	picture.Good: color.FgGreen, picture.Header: color.FgCyan, picture.Faulty: color.FgMagenta, picture.Torn: color.FgYellow,
	picture.Damaged: color.FgRed, picture.Hidden: color.FgBlue, picture.Foreign: color.FgRed,
}

// span returns numbers from first to last.
func span[N int | int64](first, last N) string {
	if first == last {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d-%d", first, last)
}

// table writes rows of cells in columns, which are right-aligned but for the last.
func (d *drawing) table(rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if len(row) == 1 {
				continue // words in place of rows
			}
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columns.Width(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		line.WriteString("  ")
		last := len(row) - 1
		for i, cell := range row[:last] {
			line.WriteString(columns.Right(cell, widths[i]) + "  ")
		}
		d.twoParts(line.String(), row[last])
	}
}

// twoParts writes a line, whose second part has a line of its own where there is no
// room for both.
func (d *drawing) twoParts(first, second string) {
	if columns.Width(first+second) > d.width {
		d.printf("%s\n", d.fit(strings.TrimRight(first, " ")))
		first = "      "
	}
	d.printf("%s\n", d.fit(first+second))
}

// elided returns the rows that there is room for: the first and the last ones, with
// a row of the given text in place of the others.
func elided(rows [][]string, limit int, what func(left int) string) [][]string {
	if len(rows) <= limit {
		return rows
	}
	half := limit / 2
	short := append([][]string{}, rows[:half]...)
	short = append(short, []string{what(len(rows) - 2*half)})
	return append(short, rows[len(rows)-half:]...)
}

func line(s string) string { return escape.Line(s) }

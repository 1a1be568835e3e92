package columns

import (
	"bytes"
	"io"
	"strings"
)

// gap is the blanks between two columns.
const gap = 2

// Table aligns the cells of lines, as [text/tabwriter] does: a tab ends a cell, and cells in
// lines below each other are one column. What follows the last tab of a line belongs to no column.
type Table struct {
	out   io.Writer
	align func(text string, width int) string
	text  bytes.Buffer
}

// NewTable returns a Table whose cells stand at the left of their columns. It writes to out when
// it is flushed.
func NewTable(out io.Writer) *Table { return &Table{out: out, align: Left} }

// NewRightTable returns a Table whose cells stand at the right of their columns.
func NewRightTable(out io.Writer) *Table { return &Table{out: out, align: Right} }

// Write implements [io.Writer]. It does not fail.
func (t *Table) Write(text []byte) (int, error) { return t.text.Write(text) }

// Flush writes the lines so far. Those that follow are another table.
func (t *Table) Flush() error {
	var rows [][]string
	for line := range strings.Lines(t.text.String()) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	ended := bytes.HasSuffix(t.text.Bytes(), []byte("\n"))
	t.text.Reset()
	for column := 0; t.alignColumn(rows, column); column++ {
	}
	var out bytes.Buffer
	for i, row := range rows {
		out.WriteString(strings.Join(row, ""))
		if ended || i < len(rows)-1 {
			out.WriteByte('\n')
		}
	}
	_, err := out.WriteTo(t.out)
	return err
}

// alignColumn pads the cells of a column, and reports whether there are any.
func (t *Table) alignColumn(rows [][]string, column int) (any bool) {
	for i := 0; i < len(rows); {
		end, width := i, 0
		for ; end < len(rows) && column < len(rows[end])-1; end++ {
			width = max(width, Width(rows[end][column]))
		}
		for _, row := range rows[i:end] {
			row[column] = t.align(row[column], width+gap)
		}
		any = any || end > i
		i = max(end, i+1)
	}
	return any
}

package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/turnlint/turnlint/internal/columns"
	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/repair"
)

// The widths of the columns of a map.
const offsetWidth, statusWidth = 14, 8

// writeMap prints a damage map: one line a range, in the order of the file, with
// comments before them as in the map files of ddrescue.
func writeMap(out io.Writer, l *lang.Printer, m *repair.Map) error {
	name := printable(m.Name)
	if name == "" {
		name = l.Text("standard input")
	}
	fmt.Fprintf(out, "# %s\n", l.Textf("damage map of %v, made by turnfix", name))
	fmt.Fprintf(out, "# %s\n", l.Textf("%v, %v, sha256 %v", l.Count(m.Size, "byte"), m.Encoding, m.SHA256))
	writeFound(out, l, m.Verdict, m.Findings)
	unit := "frames"
	if m.Encoding == "raw" {
		unit = "lines"
	}
	fmt.Fprintf(out, "#%s %s  %s %s\n", columns.Right(l.Text("offset"), offsetWidth-len("#")), columns.Right(l.Text("length"), offsetWidth),
		columns.Left(l.Text("status"), statusWidth), l.Text(unit))
	for _, r := range m.Ranges {
		status := columns.Left(l.Text(r.Status.String()), statusWidth)
		if _, err := fmt.Fprintf(out, "%*d %*d  %s %s\n", offsetWidth, r.FileOff, offsetWidth, r.Len, status, numbersText(r)); err != nil {
			return err
		}
	}
	return nil
}

// writeFound writes what was found in all of a log.
func writeFound(out io.Writer, l *lang.Printer, verdict string, findings map[string]int) {
	var rules []string
	for _, id := range slices.Sorted(maps.Keys(findings)) {
		rules = append(rules, fmt.Sprintf("%d × %s", findings[id], id))
	}
	found := strings.Join(rules, ", ")
	if found == "" {
		found = l.Text("none")
	}
	fmt.Fprintf(out, "# %s\n", l.Textf("verdict %v; findings: %v", l.Text(verdict), found))
}

// writeRowMap prints a damage map of a session in a database: one line for rows next to
// each other in one state, by seq.
func writeRowMap(out io.Writer, l *lang.Printer, m *repair.RowMap) error {
	fmt.Fprintf(out, "# %s\n", l.Textf("damage map of %v, made by turnfix", printable(m.Name)))
	fmt.Fprintf(out, "# %s\n", l.Textf("%v, %v, sha256 %v", l.Count(m.Rows, "row"), m.Encoding, m.SHA256))
	writeFound(out, l, m.Verdict, m.Findings)
	fmt.Fprintf(out, "#%s %s  %s %s\n", columns.Right(l.Text("seq"), offsetWidth-len("#")), columns.Right(l.Text("to"), offsetWidth),
		columns.Left(l.Text("status"), statusWidth), l.Text("rows"))
	for _, r := range m.Ranges {
		status := columns.Left(l.Text(r.Status.String()), statusWidth)
		if _, err := fmt.Fprintf(out, "%*d %*d  %s %d\n", offsetWidth, r.First, offsetWidth, r.Last, status, r.Rows); err != nil {
			return err
		}
	}
	return nil
}

func numbersText(r repair.MapRange) string {
	switch {
	case r.First == 0:
		return "-"
	case r.First == r.Last:
		return fmt.Sprint(r.First)
	}
	return fmt.Sprintf("%d-%d", r.First, r.Last)
}

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/repair"
)

// writeMap prints a damage map: one line a range, in the order of the file, with
// comments before them as in the map files of ddrescue.
func writeMap(out io.Writer, m *repair.Map) error {
	var rules []string
	for _, id := range m.Rules() {
		rules = append(rules, fmt.Sprintf("%d × %s", m.Findings[id], id))
	}
	name := m.Name
	if name == "" {
		name = "standard input"
	}
	fmt.Fprintf(out, "# damage map of %s, made by turnfix\n", printable(name))
	fmt.Fprintf(out, "# %s, %s, sha256 %s\n", words.Count(m.Size, "byte"), m.Encoding, m.SHA256)
	fmt.Fprintf(out, "# verdict %s; findings: %s\n", m.Verdict, orNone(strings.Join(rules, ", ")))
	unit := "frames"
	if m.Encoding == "raw" {
		unit = "lines"
	}
	fmt.Fprintf(out, "#%13s %14s  %-8s %s\n", "offset", "length", "status", unit)
	for _, r := range m.Ranges {
		if _, err := fmt.Fprintf(out, "%14d %14d  %-8s %s\n", r.FileOff, r.Len, r.Status, numbersText(r)); err != nil {
			return err
		}
	}
	return nil
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
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

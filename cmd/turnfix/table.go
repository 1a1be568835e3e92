package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/turnlint/turnlint/internal/columns"
	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/repair"
)

// summary is the row of a log in the table at the end of plan.
type summary struct {
	path, verdict, action string
	level                 repair.Level
	kept, closers         int64
	leaves                int64
	unit                  string // of what leaves: bytes, or rows of a database
}

func summaryOf(name string, p *repair.Plan) summary {
	s := summary{
		path: name, verdict: p.Verdict, action: string(p.Action), level: p.Level,
		kept: p.Ledger.Kept, closers: int64(len(p.Closers)),
	}
	if p.Rows != nil {
		s.leaves, s.unit = p.Rows.Removed, "row"
		return s
	}
	s.unit = "byte"
	for i := range p.Leaves {
		s.leaves += p.Leaves[i].Len
	}
	return s
}

// summaryOfMove is the row of a log that gets another place.
func summaryOfMove(m *repair.Move) summary {
	action := string(m.Kind)
	if m.Action == repair.Refuse {
		action = string(m.Action)
	}
	return summary{path: m.Path(), action: action, level: m.Level}
}

// table prints what becomes of several inputs, a row for each.
func (t *textWriter) table(rows []summary) {
	if t.quiet || len(rows) < 2 {
		return
	}
	fmt.Fprintln(t.w)
	w := columns.NewTable(t.w)
	fmt.Fprintln(w, headings(t.lang, "verdict", "action", "level", "kept", "closers", "leaves", "log"))
	for _, r := range rows {
		numbers := "-\t-\t-"
		if r.action == string(repair.Nothing) || r.action == string(repair.Repair) {
			numbers = fmt.Sprintf("%d\t%d\t%s", r.kept, r.closers, t.lang.Count(r.leaves, r.unit))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", cmp.Or(t.lang.Text(r.verdict), "-"), t.lang.Text(r.action),
			cmp.Or(t.lang.Text(string(r.level)), "-"), numbers, printable(r.path))
	}
	w.Flush()
}

// headings returns the line above a table.
func headings(l *lang.Printer, names ...string) string {
	for i, name := range names {
		names[i] = l.Word(name, "turnfix")
	}
	return strings.Join(names, "\t")
}

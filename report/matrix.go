package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnlint/turnlint/internal/columns"
	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/lang"
)

// matrix is a table of files and versions of dsh: the verdict of each version
// about each file. There is one when the user names several versions.
type matrix struct {
	versions []string
	rows     []matrixRow
}

type matrixRow struct {
	path     string
	verdicts []string
}

func (m *matrix) add(f *File) {
	if len(f.Readings) < 2 || f.Result == nil || f.Aside.Excluded != "" {
		return
	}
	row := matrixRow{path: f.Path}
	if m.versions == nil {
		for _, r := range f.Readings {
			m.versions = append(m.versions, r.Version.Name)
		}
	}
	for _, r := range f.Readings {
		row.verdicts = append(row.verdicts, r.Verdict.String())
	}
	m.rows = append(m.rows, row)
}

// write writes the table, if there is one.
func (m *matrix) write(w io.Writer, l *lang.Printer) bool {
	if len(m.rows) == 0 {
		return false
	}
	table := columns.NewTable(w)
	fmt.Fprintln(table, "dsh\t"+strings.Join(m.versions, "\t"))
	for _, row := range m.rows {
		fmt.Fprint(table, escape.Line(row.path))
		for _, verdict := range row.verdicts {
			fmt.Fprint(table, "\t", l.Text(verdict))
		}
		fmt.Fprintln(table)
	}
	table.Flush() // to a buffer, whose first error shows when that is flushed
	return true
}

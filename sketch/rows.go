package sketch

import (
	"strings"

	"github.com/turnlint/turnlint/picture"
)

// rowMap draws the rows of a session in a database to scale, one column for equally
// many, and lists what they are.
func (d *drawing) rowMap() {
	rows := d.p.Rows
	first, behind := rows[0].First, rows[len(rows)-1].Last+1
	d.title("rows: %v, to scale", d.Count(int64(behind-first), "row"))
	n := d.width - 4
	states := make([]picture.State, n)
	for _, run := range rows {
		from, to := (run.First-first)*n/(behind-first), (run.Last+1-first)*n/(behind-first)
		for i := from; i < max(to, from+1); i++ {
			states[i] = max(states[i], run.State)
		}
	}
	var strip strings.Builder
	for _, state := range states {
		strip.WriteString(d.paint.states[state].Sprint(string(stateMarks[state])))
	}
	d.printf("  [%s]\n", strip.String())
	var list [][]string
	for i := range rows {
		list = append(list, d.rowRun(&rows[i]))
	}
	d.table(elided(list, maxRuns, func(left int) string { return d.Textf("… %v more", left) }))
}

func (d *drawing) rowRun(run *picture.RowRun) []string {
	part := run.Part()
	return []string{d.Textf("row %v", span(run.First, run.Last)), d.Textf("seq %v", span(run.FirstSeq, run.LastSeq)), d.partWords(part)}
}

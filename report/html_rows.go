package report

import (
	"fmt"

	"github.com/turnlint/turnlint/picture"
)

// rowsView is the table of the rows of a session in a database.
type rowsView struct {
	Rows []rowRunRow
	More string
}

type rowRunRow struct{ Units, Seqs, Events, State, Cause string }

func (pg *page) newRowsView(p *picture.Picture) *rowsView {
	if len(p.Rows) == 0 {
		return nil
	}
	v := &rowsView{}
	for i := range p.Rows {
		if i >= maxTableRows {
			v.More = pg.Textf("%v not shown", pg.counted(int64(len(p.Rows)-i), "further row"))
			break
		}
		run := &p.Rows[i]
		part := run.Part()
		seqs := fmt.Sprint(run.FirstSeq)
		if run.Last > run.First {
			seqs = fmt.Sprintf("%d–%d", run.FirstSeq, run.LastSeq)
		}
		v.Rows = append(v.Rows, rowRunRow{
			Units: unitsOf(part), Seqs: seqs, Events: number(run.Events),
			State: pg.Text(stateWords[run.State].Name), Cause: part.CauseInWords(pg.Printer),
		})
	}
	return v
}

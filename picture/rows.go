package picture

import (
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// RowRun is neighbouring rows of a session in a database that are in one state.
type RowRun struct {
	State             State
	Cause             string // why the state is not good; "" where it says so itself
	First, Last       int    // numbers of the rows, the header being the first
	FirstSeq, LastSeq int64  // columns seq of the first row and of the last one
	Events            int64
}

// Part returns what the run has in common with a part of a file.
func (r *RowRun) Part() *Part {
	return &Part{State: r.State, Cause: r.Cause, First: r.First, Last: r.Last, Events: r.Events}
}

// rowRuns cuts a session into runs of rows.
type rowRuns struct {
	list     bounded[RowRun]
	marks    map[int]*rules.Finding // errors, by row
	tornFrom *int64                 // seq from which dsh deletes rows, nil where it deletes none
}

func newRowRuns(result *rules.Result) *rowRuns {
	r := &rowRuns{marks: make(map[int]*rules.Finding)}
	r.list = bounded[RowRun]{limit: maxParts, alike: func(a, b *RowRun) bool { return a.State == b.State }, join: joinRows}
	for i := range result.Findings {
		f := &result.Findings[i]
		if f.Class == rules.Damaged && f.Severity == rules.Error && r.marks[f.Place.Line] == nil {
			r.marks[f.Place.Line] = f
		}
	}
	if s := &result.Reading.Scan; s.Refusal == nil {
		r.tornFrom = s.TornFrom
	}
	return r
}

// joinRows keeps the worse state of the two.
func joinRows(a, b *RowRun) {
	if b.State > a.State {
		a.State, a.Cause = b.State, b.Cause
	}
	a.Last, a.LastSeq = b.Last, b.LastSeq
	a.Events += b.Events
}

// take takes the next row of events.
func (r *rowRuns) take(record *scan.Record) {
	run := RowRun{First: record.Line, Last: record.Line, FirstSeq: record.Key, LastSeq: record.Key, Events: record.Events()}
	run.State, run.Cause = r.judge(record)
	if last := r.list.last(); last != nil && last.State == run.State && last.Cause == run.Cause {
		joinRows(last, &run)
		return
	}
	r.list.add(run)
}

func (r *rowRuns) judge(record *scan.Record) (State, string) {
	f := r.marks[record.Line]
	switch {
	case f != nil && !record.IsEvent():
		return Damaged, f.Rule.Name
	case r.tornFrom != nil && record.Key >= *r.tornFrom:
		return Torn, ""
	case f != nil:
		return Faulty, f.Rule.Name
	}
	return Good, ""
}

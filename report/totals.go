package report

import (
	"strings"

	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/scan"
)

// totals sums up a report.
type totals struct {
	files       int
	projections int // which count under no verdict
	verdicts    [scan.Unreadable + 1]int
	counts      Counts
	unlisted    int // sessions directories that dsh cannot list
}

func (t *totals) add(f *File) {
	t.files++
	if f.Result == nil {
		t.verdicts[scan.Unreadable]++
		return
	}
	if f.Result.Projection {
		t.projections++
	} else {
		t.verdicts[f.Result.Reading.Verdict]++
	}
	t.counts = t.counts.plus(f.Counts())
}

func (t *totals) addStore(s *Store) {
	if !s.Lists {
		t.unlisted++
	}
	t.counts = t.counts.plus(s.Counts())
}

// verdictTotals are the words of the totals, with a number of logs.
var verdictTotals = [...]string{
	scan.Opens:        "%d open",
	scan.Recovers:     "%d repaired on load",
	scan.Loses:        "%d would lose events",
	scan.Incompatible: "%d incompatible",
	scan.Damaged:      "%d damaged",
	scan.Unreadable:   "%d not readable",
}

// text returns one line such as "3 logs: 1 open, 2 damaged; 4 errors, 0 warnings, 0 notes".
func (t *totals) text(l *lang.Printer) string {
	var verdicts []string
	for v, n := range t.verdicts {
		if n > 0 {
			verdicts = append(verdicts, l.Textf(verdictTotals[v], n))
		}
	}
	if t.projections > 0 {
		verdicts = append(verdicts, l.Count(int64(t.projections), "projection"))
	}
	line := l.Count(int64(t.files), "log")
	if len(verdicts) > 0 {
		line = l.Textf("%v: %v", line, strings.Join(verdicts, l.Text(", ")))
	}
	if t.unlisted > 0 {
		line = l.Textf("%v; %v that dsh cannot list", line, l.Count(int64(t.unlisted), "store"))
	}
	return l.Textf("%v; %v", line, t.counts.text(l))
}

// text returns "1 error, 2 warnings, 3 notes".
func (c Counts) text(l *lang.Printer) string {
	return l.Textf("%v, %v, %v", l.Count(int64(c.Errors), "error"), l.Count(int64(c.Warnings), "warning"), l.Count(int64(c.Notes), "note"))
}

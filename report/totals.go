package report

import (
	"fmt"
	"strings"

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

// verdictTotals are the words of the totals, after a number of logs.
var verdictTotals = [...]string{
	scan.Opens:        "open",
	scan.Recovers:     "repaired on load",
	scan.Loses:        "would lose events",
	scan.Incompatible: "incompatible",
	scan.Damaged:      "damaged",
	scan.Unreadable:   "not readable",
}

// String returns one line such as "3 logs: 1 opens, 2 damaged; 4 errors".
func (t *totals) String() string {
	var verdicts []string
	for v, n := range t.verdicts {
		if n > 0 {
			verdicts = append(verdicts, fmt.Sprintf("%d %s", n, verdictTotals[v]))
		}
	}
	if t.projections > 0 {
		verdicts = append(verdicts, Plural(t.projections, "projection"))
	}
	line := Plural(t.files, "log")
	if len(verdicts) > 0 {
		line += ": " + strings.Join(verdicts, ", ")
	}
	if t.unlisted > 0 {
		line += "; " + Plural(t.unlisted, "store") + " that dsh cannot list"
	}
	return fmt.Sprintf("%s; %s, %s, %s", line, Plural(t.counts.Errors, "error"),
		Plural(t.counts.Warnings, "warning"), Plural(t.counts.Notes, "note"))
}

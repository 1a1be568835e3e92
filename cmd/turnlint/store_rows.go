package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/report"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/store"
)

// storeRow is a session in the list.
type storeRow struct {
	*store.Summary
	events, turns int64 // -1 where they are not known
	// verdict is nil where headers and tails tell nothing against the log.
	verdict *scan.Verdict
	message string // what dsh says
	problem string // why the log could not be read
	hides   string // name of an earlier log that dsh does not look at, though it would take it
	faulty  bool   // the log has a finding that is an error
}

// newRow goes by what a summary says.
func newRow(s *store.Summary) *storeRow {
	r := &storeRow{Summary: s, events: -1, turns: s.Tail.Turns}
	if s.Tail.Known {
		r.events = s.Tail.Events
	}
	refusal := cmp.Or(s.Listing.Blocks, s.Listing.Skipped)
	switch {
	case s.Listing.Err != nil:
		r.setProblem(problem(shared.Unreadable(s.Winner().Path, s.Listing.Err)))
	case refusal != nil:
		r.setRefusal(refusal)
	}
	return r
}

// setRefusal notes why dsh does not take the header.
func (r *storeRow) setRefusal(refusal *session.Refusal) {
	verdict := scan.Damaged
	switch {
	case r.Size() == 0:
		verdict = scan.Unreadable
	case r.Listing.Misnamed, refusal.Class == session.ClassUnsupported:
		verdict = scan.Incompatible
	}
	r.verdict, r.message = &verdict, refusal.Text
	dir := store.Dir{Logs: r.Logs}
	for _, earlier := range dir.Predecessors(r.Winner()) {
		if l := earlier.Listing(); l.Header != nil && l.Blocks == nil {
			r.hides = earlier.Name()
		}
	}
}

// setResult takes the result of a full check.
func (r *storeRow) setResult(result *rules.Result) {
	r.events, r.turns, r.message, r.hides = result.Events, result.Turns, "", ""
	r.verdict = &result.Reading.Verdict
	if refusal := result.Reading.Refusal(); refusal != nil {
		r.message = refusal.Text
	}
	r.faulty = report.Count(result.Findings).AtLeast(rules.Error) > 0
	for i := range result.Findings {
		if result.Findings[i].Rule == rules.HiddenPredecessor {
			r.hides = filepath.Base(result.Findings[i].Others[0].Path)
		}
	}
}

func (r *storeRow) setProblem(what string) {
	verdict := scan.Unreadable
	r.verdict, r.problem = &verdict, what
}

func (r *storeRow) exitCode() int {
	switch {
	case r.verdict != nil && *r.verdict == scan.Unreadable:
		return exitUnread
	case r.faulty, r.verdict != nil && *r.verdict >= scan.Loses:
		return exitFindings
	}
	return exitClean
}

// sortColumns are what the list can be ordered by. Of names and generations the
// lowest comes first, of numbers and times the highest, of verdicts the worst.
var sortColumns = []struct {
	name    string
	compare func(a, b *storeRow) int
}{
	{"project", func(a, b *storeRow) int { return cmp.Compare(a.Project(), b.Project()) }},
	{"session", func(a, b *storeRow) int { return cmp.Compare(a.Session(), b.Session()) }},
	{"generations", func(a, b *storeRow) int { return cmp.Compare(a.Winner().Generation, b.Winner().Generation) }},
	{"size", func(a, b *storeRow) int { return cmp.Compare(b.Size(), a.Size()) }},
	{"events", func(a, b *storeRow) int { return cmp.Compare(b.events, a.events) }},
	{"turns", func(a, b *storeRow) int { return cmp.Compare(b.turns, a.turns) }},
	{"activity", func(a, b *storeRow) int { return cmp.Compare(b.Tail.Time, a.Tail.Time) }},
	{"verdict", func(a, b *storeRow) int { return cmp.Compare(b.rank(), a.rank()) }},
}

func columnNames() (names []string) {
	for _, column := range sortColumns {
		names = append(names, column.name)
	}
	return names
}

// sortRows orders the rows, which come by project and session, by a column.
func sortRows(rows []*storeRow, by string) {
	for _, column := range sortColumns {
		if column.name == by {
			slices.SortStableFunc(rows, column.compare)
		}
	}
}

// rank orders verdicts from the best to the worst; an unknown one is as good as
// any.
func (r *storeRow) rank() int {
	if r.verdict == nil {
		return -1
	}
	return int(*r.verdict)
}

// generations lists the format versions of the logs, the lowest first; the last
// one is what dsh chooses.
func (r *storeRow) generations() string {
	var words []string
	for _, log := range r.Logs {
		if word := fmt.Sprintf("v%d", log.Generation); !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

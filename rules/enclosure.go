package rules

import (
	"fmt"

	"github.com/turnlint/turnlint/scan"
)

// maxWaiting bounds the runs of loose events that wait for their dialect.
// Further ones count as consequences of the last.
const maxWaiting = 256

// loose is an event outside any turn.
type loose struct {
	place scan.Place
	seq   *int64
	name  string // its type
	turn  *int64 // that it names
	ended bool   // that turn, which was there
	frame int    // in which it ends
}

// looseRun is the events between two turns: if they should have been inside
// one, that has one cause. Which of them count depends on the rule set.
type looseRun struct {
	interval
	first [numDialects]loose // that breaks the rule set
	count [numDialects]int
	// idle is the first user message of a time in which dsh itself writes none
	// outside a turn, although it accepts them.
	idle      loose
	idleCount int
}

// add takes an event whose most permissive forbidding rule set is given.
func (r *looseRun) add(event loose, strictness Dialect, floor bound) {
	r.floor = floor
	for d := Strict; d <= strictness; d++ {
		if r.count[d] == 0 {
			r.first[d] = event
		}
		r.count[d]++
	}
	if strictness == Strict && floor.date >= reactSince {
		if r.idleCount == 0 {
			r.idle = event
		}
		r.idleCount++
	}
}

// finding judges the run under its rule set. ok is false when that allows it.
func (r *looseRun) finding(forced Dialect) (f Finding, frame int, ok bool) {
	dialect, by := r.dialect()
	why := fmt.Sprintf(", as nothing dates it before %s", openSince)
	switch {
	case forced != AutoDialect:
		dialect, why = forced, " (asked for)"
	case by.by != nil && (dialect != Open || by.date >= openSince):
		why = fmt.Sprintf(", by the %s in line %d", by.by.what, by.line)
	}
	if n := r.count[dialect]; n > 0 {
		first := &r.first[dialect]
		return Finding{
			Place: first.place, Seq: first.seq, Turn: first.turn, Severity: Error, Dialect: dialect.String(), Consequences: n - 1,
			Message: fmt.Sprintf("%s outside any turn%s; rule set %q%s", first.name, first.lacks(), dialect, why),
		}, first.frame, true
	}
	if r.idleCount == 0 {
		return Finding{}, 0, false
	}
	return Finding{
		Place: r.idle.place, Seq: r.idle.seq, Severity: Warning, Dialect: dialect.String(), Consequences: r.idleCount - 1,
		Message: fmt.Sprintf("%s outside any turn; rule set %q allows it%s, but dsh has not written it so since %s",
			r.idle.name, dialect, why, reactSince),
	}, r.idle.frame, true
}

// settled reports whether no later ceiling can change the rule set of the run.
func (r *looseRun) settled() bool {
	dialect, _ := r.dialect()
	return r.floor.date >= openSince || dialect == Strict && !r.mixed() && r.floor.date < ctxSince
}

// merge adds the events of a later run as consequences.
func (r *looseRun) merge(later *looseRun) {
	for d := range r.count {
		if r.count[d] == 0 {
			r.first[d] = later.first[d]
		}
		r.count[d] += later.count[d]
	}
}

// lacks says why the turn that an event names is not open.
func (l *loose) lacks() string {
	switch {
	case l.turn == nil:
		return ""
	case l.ended:
		return fmt.Sprintf(": turn %d has ended", *l.turn)
	}
	return fmt.Sprintf(": turn %d has no turn/start", *l.turn)
}

package rules

import (
	"fmt"

	"github.com/turnlint/turnlint/session"
)

// Dialect is one of the rule sets that writers of dsh kept for the place of an
// event relative to turns (docs/format.md §6.1).
type Dialect uint8

// The dialects, from the most demanding to the most permissive. AutoDialect asks
// for detection by the evidence in the log.
const (
	AutoDialect Dialect = iota
	Strict              // every event lies inside a turn
	Ctx                 // but a user/message need not
	Open                // nor any event that is not of the core
	numDialects
)

var dialectNames = [...]string{AutoDialect: "auto", Strict: "strict", Ctx: "ctx", Open: "open"}

// String returns auto, strict, ctx or open.
func (d Dialect) String() string { return dialectNames[d] }

// ParseDialect is the inverse of [Dialect.String].
func ParseDialect(name string) (Dialect, error) {
	for d, n := range dialectNames {
		if n == name {
			return Dialect(d), nil
		}
	}
	return AutoDialect, fmt.Errorf("unknown dialect %q: want auto, strict, ctx or open", name)
}

// bound is one end of the time in which an event was written.
type bound struct {
	date string // "" for no bound
	by   *signal
	line int
}

// interval is the time in which an event was written, as far as the signals
// around it tell (docs/format.md §6.2).
type interval struct{ floor, ceiling bound }

// mixed reports whether the signals contradict each other.
func (i *interval) mixed() bool {
	return i.ceiling.date != "" && i.floor.date > i.ceiling.date
}

// dialect returns the most permissive rule set in force during the interval, and
// the bound that decides it. In a mixed log that is the floor.
func (i *interval) dialect() (Dialect, bound) {
	if i.mixed() {
		switch {
		case i.floor.date >= openSince:
			return Open, i.floor
		case i.floor.date >= ctxSince:
			return Ctx, i.floor
		}
		return Strict, i.floor
	}
	switch date := i.ceiling.date; {
	case date == "" || date > openSince:
		return Open, i.floor
	case date > ctxSince:
		return Ctx, i.ceiling
	}
	return Strict, i.ceiling
}

// lower takes a ceiling that comes later in the log and reports whether it
// changes anything.
func (i *interval) lower(c bound) bool {
	if i.ceiling.date != "" && i.ceiling.date <= c.date {
		return false
	}
	i.ceiling = c
	return true
}

// dialects finds the rule set of each place in a log. A ceiling can come long
// after the events that it dates, so runs of loose events wait for it.
type dialects struct {
	forced Dialect
	line   int   // of the event that gives signals now
	floor  bound // the latest so far
	turn   interval
	// run is the events since the last turn ended, nil while there is none.
	run *looseRun
	// waiting are the runs that a later ceiling could judge otherwise, oldest
	// first. Their ceilings do not decrease, since those of a run hold for all
	// earlier ones.
	waiting []*looseRun
	// clash is the signal of the current event that contradicts the floor.
	clash *signal
	last  *signal
}

// see takes a signal of the current event.
func (d *dialects) see(s *signal) {
	if s == d.last && s.ceiling == "" {
		return // as each packed row gives it
	}
	d.last = s
	if s.floor > d.floor.date {
		d.floor = bound{s.floor, s, d.line}
	}
	if s.ceiling == "" {
		return
	}
	c := bound{s.ceiling, s, d.line}
	if s.ceiling < d.floor.date && d.clash == nil {
		d.clash = s
	}
	d.turn.lower(c)
	if d.run != nil {
		d.run.lower(c)
	}
	for i := len(d.waiting) - 1; i >= 0 && d.waiting[i].lower(c); i-- {
	}
}

// dropFrame forgets the runs that began in the last frame read.
func (d *dialects) dropFrame(number int) {
	d.run = nil
	for n := len(d.waiting); n > 0 && d.waiting[n-1].first[Strict].frame == number; n-- {
		d.waiting = d.waiting[:n-1]
	}
}

// startTurn begins the interval of a turn.
func (d *dialects) startTurn() { d.turn = interval{floor: d.floor} }

// current returns the rule set of the last turn.
func (d *dialects) current() Dialect {
	if d.forced != AutoDialect {
		return d.forced
	}
	dialect, _ := d.turn.dialect()
	return dialect
}

// strictness returns the most permissive rule set that still wants the event
// inside a turn (docs/format.md §6.1).
func strictness(e *session.Event) Dialect {
	switch e.Kind {
	case session.UserMessage:
		return Strict
	case session.TurnEnd, session.StepStart, session.StepEnd,
		session.AssistantChunk, session.AssistantMessage, session.ToolCall, session.ToolResult,
		session.TodoWrite, session.RequestHeader, session.RequestContext,
		session.HookInvoked, session.HookResult, session.ApprovalAsked, session.ApprovalDecided,
		session.CodeDispatchStart, session.CodeDispatch, session.LLMRetry:
		return Open
	case session.CompactionStart, session.CompactionEnd:
		if _, numbered := e.Turn().SafeInt(); numbered {
			return Open
		}
	case session.Unknown:
		if e.Type.EqualText("steering/message") {
			return Open
		}
	}
	return Ctx
}

package rules

import (
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// trait is what an event tells about its writer when its seq occurs twice.
type trait uint8

const (
	plainTrait     trait = 1 << iota // anything else
	messageTrait                     // what a user, a model or a tool said
	deltaTrait                       // a piece of streamed output
	seedTrait                        // session/end-seed, which a resume adds
	resultTrait                      // a closer in place of a tool's result
	stepEndTrait                     // may be a closer
	interruptTrait                   // turn/end of a closer
)

// closerTraits are those of the events that dsh's recovery adds to a log
// (docs/format.md §4.4), and of the marker that a resume puts behind them.
const closerTraits = resultTrait | stepEndTrait | interruptTrait | seedTrait

// traitOf returns the trait of an event, or of a row for nil.
func traitOf(e *session.Event) trait {
	if e == nil {
		return deltaTrait
	}
	switch e.Kind {
	case session.AssistantChunk:
		return deltaTrait
	case session.EndSeed:
		return seedTrait
	case session.StepEnd:
		return stepEndTrait
	case session.TurnEnd:
		if e.Field("reason").Get("kind").EqualText("interrupted") {
			return interruptTrait
		}
	case session.ToolResult:
		if synthetic(e) {
			return resultTrait
		}
		return messageTrait
	case session.UserMessage, session.AssistantMessage:
		return messageTrait
	}
	return plainTrait
}

// synthetic reports whether a tool/result is the closer of some build of dsh
// (docs/format.md §4.4).
func synthetic(e *session.Event) bool {
	switch code := e.Field("error").Get("code"); {
	case code.EqualText("interrupted"), code.EqualText(session.CodeNotStarted), code.EqualText("TOOL_OUTCOME_UNKNOWN"):
		return true
	}
	return e.Message().ID.HasPrefix(session.CloserIDPrefix)
}

// branch is what is known of the events with some seqs, of one of the two
// writers that used them.
type branch struct {
	place    scan.Place // of the first record
	first    int64      // seq of the first event there
	events   int64
	messages int64
	traits   trait
}

// add takes a record of the branch, of which so many events belong to it.
func (b *branch) add(place scan.Place, seq, events int64, t trait) {
	if b.traits == 0 {
		b.place, b.first = place, seq
	}
	b.events += events
	b.traits |= t
	if t == messageTrait {
		b.messages++
	}
}

// only reports whether the branch is known and has no other traits than these.
func (b *branch) only(traits trait) bool { return b.traits != 0 && b.traits&^traits == 0 }

// closes reports whether the branch is a recovery by dsh, which ends a turn.
func (b *branch) closes() bool { return b.only(closerTraits) && b.traits&interruptTrait != 0 }

// branch returns what the last records say of the events [from, to): where the
// log has some twice already, the later ones. Nothing is known of them if any is
// out of reach.
func (c *recent) branch(from, to int64) branch {
	var b branch
	for i := len(c.lines) - 1; i >= 0 && to > from; i-- {
		l := &c.lines[i]
		start, end := max(from, l.seq), min(to, l.seq+l.count)
		if l.stale || start >= end {
			continue
		}
		if end < to {
			return branch{}
		}
		b.add(l.place, start, end-start, l.trait)
		b.place, b.first, to = l.place, start, start
	}
	if to > from {
		return branch{}
	}
	return b
}

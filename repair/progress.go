package repair

import (
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// stance is where in turns and steps an event says that it stands.
type stance struct {
	kind       session.Type // Unknown for an event that may stand anywhere
	turn, step int64        // 0 for none
}

// stanceOf returns the stance of an event or row. What the rest of a turn may hold
// too, such as notes of plugins and messages of the user, has none.
func stanceOf(r *scan.Record) stance {
	if r.Kind == scan.Row {
		return stance{session.AssistantChunk, numberFrom1(r.Row.Turn), numberFrom1(r.Row.Step)}
	}
	e := &r.Event
	switch e.Kind {
	case session.ToolResult:
		if !e.Surface.EqualText("append") { // it repeats the turn and step of another one
			return stance{}
		}
	case session.TurnStart, session.TurnEnd, session.StepStart, session.StepEnd,
		session.AssistantChunk, session.AssistantMessage, session.ToolCall:
	default:
		return stance{}
	}
	return stance{e.Kind, numberFrom1(e.Turn()), numberFrom1(e.Step())}
}

func numberFrom1(v jsjson.Value) int64 {
	n, _ := v.SafeInt()
	return max(n, 0)
}

// progress is how far a history has come: the state machine of docs/format.md §6.3
// without its calls, and the seqs at which its state came about.
type progress struct {
	turn, step         int64 // the open ones, 0 for none
	nextTurn, nextStep int64

	// Seqs of the last events of these types, -1 for none.
	turnStart, turnEnd, stepStart, stepEnd int64
}

func newProgress() progress {
	return progress{nextTurn: 1, nextStep: 1, turnStart: -1, turnEnd: -1, stepStart: -1, stepEnd: -1}
}

// fits reports whether an event with a stance may come next.
func (p *progress) fits(s stance) bool {
	switch s.kind {
	case session.TurnStart:
		return p.turn == 0 && s.turn == p.nextTurn
	case session.TurnEnd:
		return s.turn > 0 && s.turn == p.turn && p.step == 0
	case session.StepStart:
		return s.turn > 0 && s.turn == p.turn && p.step == 0 && s.step == p.nextStep
	}
	return s.turn > 0 && s.turn == p.turn && s.step > 0 && s.step == p.step
}

// since returns the seq of the event without which one with a stance would not fit.
func (p *progress) since(s stance) int64 {
	switch s.kind {
	case session.TurnStart:
		return p.turnEnd
	case session.TurnEnd:
		return p.turnStart
	case session.StepStart:
		return max(p.turnStart, p.stepEnd)
	}
	return p.stepStart
}

// take goes on to an event, whether it fits or not.
func (p *progress) take(s stance, seq int64) {
	switch s.kind {
	case session.TurnStart:
		p.turn, p.step, p.nextTurn, p.nextStep, p.turnStart = s.turn, 0, s.turn, 1, seq
	case session.TurnEnd:
		p.turn, p.step, p.nextTurn, p.turnEnd = 0, 0, s.turn+1, seq
	case session.StepStart:
		p.turn, p.step, p.nextStep, p.stepStart = s.turn, s.step, s.step, seq
	case session.StepEnd:
		p.step, p.nextStep, p.stepEnd = 0, s.step+1, seq
	}
}

package session

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// Breach is the kind of a broken relation between the events of a log.
type Breach uint8

// The relations of docs/format.md §6.3.
const (
	TurnNested      Breach = iota + 1 // turn/start while a turn is open
	TurnNumber                        // turn/start with another number than the next one
	TurnEndMismatch                   // turn/end that names no open turn
	TurnEndInStep                     // turn/end while a step is open
	StepOutside                       // step/start that names no open turn
	StepNested                        // step/start while a step is open
	StepNumber                        // step/start with another number than the next one
	Misplaced                         // event that names another turn or step than the open one
	ReplaceOutside                    // tool/result replacement outside any turn
	ResultUnpaired                    // tool/result without a pending tool/call
	Unenclosed                        // core event outside any turn
	Unreadable                        // event on which dsh's own check crashes
)

// Violation is one broken relation, with the message of dsh's invariant check.
type Violation struct {
	Breach Breach
	Text   string
}

// Turns is the state machine of turns, steps and calls (docs/format.md §6.3).
// dsh stops at the first violation; Turns adopts the numbers of the offending
// event and goes on, so that one lost event does not look like many.
//
// Numbers are JavaScript values, where null means "none open" and an absent
// value equals nothing.
type Turns struct {
	turn, step         jsjson.Value // open ones; null or the zero Value means none
	turnText, stepText []byte       // the bytes of those
	nextTurn, nextStep float64
	pending            pendingCalls // of the step
}

// NewTurns returns the machine before the first event.
func NewTurns() *Turns {
	return &Turns{turn: none, step: none, nextTurn: 1, nextStep: 1}
}

var none = jsjson.NewValue(jsjson.Null, []byte("null"))

// TurnOpen reports whether a turn is open before the next event.
func (t *Turns) TurnOpen() bool { return t.turn.Kind != jsjson.Null }

// StepOpen reports whether a step is open before the next event.
func (t *Turns) StepOpen() bool { return t.step.Kind != jsjson.Null }

// Turn returns the number of the open turn, null when there is none. It is
// valid until the next event.
func (t *Turns) Turn() jsjson.Value { return t.turn }

// Step returns the number of the open step, null when there is none. It is valid
// until the next event.
func (t *Turns) Step() jsjson.Value { return t.step }

// Event takes the next event in log order and returns the first relation that
// it breaks, or nil.
func (t *Turns) Event(e *Event) *Violation {
	if reads := readsData(e); reads != "" {
		if crash := cannotRead(e.Data, reads); crash != "" {
			return &Violation{Unreadable, crash}
		}
	}
	switch e.Kind {
	case TurnStart:
		return t.turnStart(e.Turn())
	case TurnEnd:
		return t.turnEnd(e.Turn())
	case StepStart:
		return t.stepStart(e.Turn(), e.Step())
	case StepEnd:
		v := t.inStep(e.Kind, e.Turn(), e.Step())
		t.endStep()
		return v
	case AssistantChunk, AssistantMessage:
		return t.inStep(e.Kind, e.Turn(), e.Step())
	case ToolCall:
		v := t.inStep(e.Kind, e.Turn(), e.Step())
		if id := e.Field("callId"); canEqual(id) {
			t.pending.add(id, none)
		}
		return v
	case ToolResult:
		return t.toolResult(e)
	case TodoWrite, RequestHeader, RequestContext:
		if !t.TurnOpen() {
			return &Violation{Unenclosed, e.Kind.String() +
				" appended outside any open turn (core execution events must be turn-enclosed)"}
		}
	}
	return nil
}

// Chunks takes a packed row, whose members all name the same turn and step.
func (t *Turns) Chunks(row *Chunks) *Violation {
	return t.inStep(AssistantChunk, row.Turn, row.Step)
}

// readsData returns the member of data that dsh's check reads first, or "".
func readsData(e *Event) string {
	switch e.Kind {
	case TurnStart, TurnEnd, StepStart, StepEnd, AssistantChunk, AssistantMessage, ToolCall:
		return "turn"
	case ToolResult:
		if e.Surface.EqualText("append") {
			return "turn"
		}
	}
	return ""
}

func (t *Turns) turnStart(turn jsjson.Value) *Violation {
	var v *Violation
	switch {
	case t.TurnOpen():
		v = violation(TurnNested, "turn/start %s while turn %s is still open", turn, t.turn)
	case turn.Kind != jsjson.Number || turn.Float() != t.nextTurn:
		v = &Violation{TurnNumber, fmt.Sprintf("turn/start expected turn %s, got %s",
			jsjson.AppendNumber(nil, t.nextTurn), turn.JSString())}
	}
	t.pending.forget()
	if turn.Kind == jsjson.Number {
		t.nextTurn = turn.Float()
	}
	t.turn, t.step, t.nextStep = keep(&t.turnText, turn), none, 1
	return v
}

func (t *Turns) turnEnd(turn jsjson.Value) *Violation {
	var v *Violation
	switch {
	case !jsjson.StrictEqual(turn, t.turn):
		v = violation(TurnEndMismatch, "turn/end %s does not match open turn %s", turn, t.turn)
		if !t.TurnOpen() && turn.Kind == jsjson.Number {
			t.nextTurn = turn.Float()
		}
	case t.StepOpen():
		v = violation(TurnEndInStep, "turn/end %s while step %s is still open", turn, t.step)
	}
	t.pending.forget()
	t.turn, t.step = none, none
	t.nextTurn++
	return v
}

func (t *Turns) stepStart(turn, step jsjson.Value) *Violation {
	var v *Violation
	switch {
	case !jsjson.StrictEqual(turn, t.turn):
		v = violation(StepOutside, "step/start in turn %s but open turn is %s", turn, t.turn)
		t.turn = keep(&t.turnText, turn)
		if turn.Kind == jsjson.Number {
			t.nextTurn = turn.Float()
		}
	case t.StepOpen():
		v = violation(StepNested, "step/start %s while step %s is still open", step, t.step)
	case step.Kind != jsjson.Number || step.Float() != t.nextStep:
		v = &Violation{StepNumber, fmt.Sprintf("step/start expected step %s in turn %s, got %s",
			jsjson.AppendNumber(nil, t.nextStep), turn.JSString(), step.JSString())}
	}
	if v != nil && step.Kind == jsjson.Number {
		t.nextStep = step.Float()
	}
	t.pending.forget()
	t.step = keep(&t.stepText, step)
	return v
}

func (t *Turns) endStep() {
	t.pending.forget()
	t.step = none
	t.nextStep++
}

// inStep checks that an event names the open turn and the open step.
func (t *Turns) inStep(kind Type, turn, step jsjson.Value) *Violation {
	if jsjson.StrictEqual(turn, t.turn) && jsjson.StrictEqual(step, t.step) {
		return nil
	}
	return &Violation{Misplaced, fmt.Sprintf("%s names turn %s/step %s but open is turn %s/step %s",
		kind, turn.JSString(), step.JSString(), t.turn.JSString(), t.step.JSString())}
}

func (t *Turns) toolResult(e *Event) *Violation {
	if !e.Surface.EqualText("append") {
		if !t.TurnOpen() {
			return &Violation{ReplaceOutside, "tool/result surface replacement appended outside any open turn"}
		}
		return nil
	}
	if v := t.inStep(e.Kind, e.Turn(), e.Step()); v != nil {
		return v
	}
	if crash := cannotReadResult(e); crash != "" {
		return &Violation{Unreadable, crash}
	}
	id := e.Message().CallID
	if call := t.pending.find(id); call != nil {
		t.pending.settle(call)
		return nil
	}
	if e.Message().Block.Get("isError").Kind == jsjson.True &&
		e.Field("error").Get("code").EqualText(CodeNotStarted) {
		return nil
	}
	return &Violation{ResultUnpaired, "tool/result for " + id.JSString() + " with no prior tool/call in this step"}
}

// cannotReadResult returns V8's text where reading the call of a result crashes.
func cannotReadResult(e *Event) string {
	if crash := cannotRead(e.Message().Value, "source"); crash != "" {
		return crash
	}
	if crash := cannotRead(e.Message().Source, "callId"); crash != "" {
		return crash
	}
	content := e.Message().Content
	if crash := cannotRead(content, "0"); crash != "" {
		return crash
	}
	if content.NonEmptyString() {
		return ""
	}
	return cannotRead(e.Message().Block, "isError")
}

func violation(kind Breach, format string, a, b jsjson.Value) *Violation {
	return &Violation{kind, fmt.Sprintf(format, a.JSString(), b.JSString())}
}

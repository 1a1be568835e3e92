package rules

import (
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// turns follows the turns, steps and calls of a log for the rules.
type turns struct {
	// adrift says that events may be missing, so that relations are judged again
	// only behind the next start or end of a turn.
	adrift bool

	ended func(TurnInfo) // gets every turn, nil for nobody

	info     TurnInfo     // of the last turn, without its texts
	number   jsjson.Value // of its turn/start
	digits   []byte       // its text
	place    scan.Place   // of its turn/start
	previous scan.Place   // of the turn/start before it
	count    int64        // turn/start events
	newest   int64        // number of the last turn, as far as it is an integer
	highest  int64        // number of a turn before the last one
	calls    calls
	plugins  plugins
}

// open reports whether a turn is open whose start was seen.
func (t *turns) open() bool { return t.info.Open }

// name returns the number of the last turn as JavaScript prints it.
func (t *turns) name() string { return t.number.JSString() }

// drift notes that events may be missing.
func (t *turns) drift() {
	t.adrift = true
	t.calls.forget()
	t.plugins.drift()
}

// event takes an event in log order, after the model did.
func (t *turns) event(r *scan.Record, e *session.Event) {
	seq, _ := r.Seq()
	time, _ := e.Millis()
	if e.Kind == session.TurnStart {
		t.end()
		t.start(r, e.Turn(), seq, time)
	}
	if !t.info.Open {
		return
	}
	t.info.Events++
	t.info.EndSeq, t.info.End = seq, time
	switch e.Kind {
	case session.StepStart:
		t.info.Steps++
	case session.ToolCall:
		t.info.Calls++
	case session.TurnEnd:
		t.info.Open = false
		t.hand(e.Field("reason").Get("kind"))
	}
}

func (t *turns) start(r *scan.Record, number jsjson.Value, seq, time int64) {
	t.count++
	t.previous, t.place = t.place, r.Place
	t.digits = append(t.digits[:0], number.Raw()...)
	t.number = jsjson.NewValue(number.Kind, t.digits)
	t.highest = max(t.highest, t.newest)
	if n, ok := number.SafeInt(); ok {
		t.newest = n
	}
	t.info = TurnInfo{Line: r.Line, Seq: seq, Start: time, Open: true}
}

// row takes a packed row.
func (t *turns) row(row *session.Chunks) {
	if t.info.Open {
		t.info.Events += int64(row.Count)
		t.info.EndSeq, t.info.End = row.Seq0+int64(row.Count)-1, row.LastTime
	}
}

// end hands over the turn that is still open, if any.
func (t *turns) end() {
	if t.info.Open {
		t.hand(jsjson.Value{})
	}
}

// hand passes the last turn on to who wants to know of turns.
func (t *turns) hand(reason jsjson.Value) {
	if t.ended != nil {
		done := t.info
		done.Number, done.Reason = t.name(), reason.Text()
		t.ended(done)
	}
}

// endsStep reports whether an event of the kind leaves the open step.
func endsStep(kind session.Type) bool {
	switch kind {
	case session.TurnStart, session.TurnEnd, session.StepStart, session.StepEnd:
		return true
	}
	return false
}

package picture

import (
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// Closing is how a turn ends in the log. Of several turns the worst one counts.
type Closing uint8

// The ways in which turns end.
const (
	Ended       Closing = iota // with its turn/end
	Interrupted                // with the turn/end of a recovery, which is no event of the session
	Open                       // without one
	Lost                       // without one, where bytes of the log are missing
)

// Turn is a turn on disk. Of very many turns neighbours are one Turn, which then
// sums them up.
type Turn struct {
	Turns              int    // how many
	Number, LastNumber string // data.turn of the first and the last turn/start, as JavaScript prints it; cut where it is very long
	Branch             int    // index of its branch; -1 for none that is listed
	Line               int    // of its turn/start
	Seq, EndSeq        int64  // of its turn/start and its last event
	PlainOff, PlainEnd int64  // of its first line and behind its last line, in the decoded text; see [Picture.FileAt]
	Start, End         int64  // times of these events, epoch ms
	Idle               int64  // ms between the event before it and its start; negative where the clock ran back
	Pause              int64  // the longest ms between two of its events
	Before             int64  // events that are missing before it
	Missing            int64  // events that are missing in it
	Steps, Calls       int64
	Events             int64 // turn/start and turn/end included
	Closing            Closing
	Reason             string // kind of the reason in its turn/end; "" for none
	Said               string // what its first user message says, cut; only where text is shown
}

// The longest texts that are kept of a turn, in characters.
const (
	maxNumber = 40
	maxSaid   = 160
)

// turns follows the turns of a log.
type turns struct {
	list     bounded[Turn]
	branches *branches
	showText bool

	cur     *Turn // the open one, nil between turns
	open    Turn  // backs cur
	missing int64 // events before the next turn/start
	loose   int64 // events outside turns
	last    int64 // time of the last event
	any     bool  // there was one
}

func newTurns(showText bool, b *branches) *turns {
	t := &turns{showText: showText, branches: b}
	t.list = bounded[Turn]{limit: maxTurns, alike: sameBranch, join: joinTurns}
	return t
}

func sameBranch(a, b *Turn) bool { return a.Branch == b.Branch && b.Before == 0 }

func joinTurns(a, b *Turn) {
	a.Turns += b.Turns
	a.LastNumber = b.LastNumber
	a.EndSeq, a.PlainEnd, a.End = b.EndSeq, b.PlainEnd, b.End
	a.Pause = max(a.Pause, b.Idle, b.Pause)
	a.Missing += b.Before + b.Missing
	a.Steps += b.Steps
	a.Calls += b.Calls
	a.Events += b.Events
	if b.Closing > a.Closing {
		a.Closing, a.Reason = b.Closing, b.Reason
	}
}

// take takes an event or row, before which so many are missing.
func (t *turns) take(r *scan.Record, missing int64) {
	start, end := times(r)
	if t.cur != nil && r.AfterGap {
		t.cur.Closing = Lost
	}
	if r.Kind == scan.Event && r.Event.Kind == session.TurnStart {
		t.close(Open)
		t.begin(r, missing, start)
	} else if t.cur == nil {
		t.missing = max(0, t.missing+missing)
	} else {
		t.cur.Missing = max(0, t.cur.Missing+missing)
		t.cur.Pause = max(t.cur.Pause, start-t.last)
	}
	t.last, t.any = end, true
	if t.cur == nil {
		t.loose += r.Events()
		return
	}
	t.cur.Events += r.Events()
	t.cur.End, t.cur.PlainEnd = end, r.PlainOff+lineLen(r)
	if seq, ok := r.Seq(); ok {
		t.cur.EndSeq = seq + r.Events() - 1
	}
	if r.Kind == scan.Event {
		t.event(&r.Event)
	}
}

func (t *turns) begin(r *scan.Record, missing, start int64) {
	seq, _ := r.Seq()
	number := cut(r.Event.Turn().JSString(), maxNumber)
	t.open = Turn{
		Turns: 1, Number: number, LastNumber: number, Branch: t.branches.index(), Line: r.Line, Seq: seq, PlainOff: r.PlainOff,
		Start: start, Before: max(0, t.missing+missing),
	}
	t.cur, t.missing = &t.open, 0
	if t.any {
		t.cur.Idle = start - t.last
	}
}

func (t *turns) event(e *session.Event) {
	switch e.Kind {
	case session.StepStart:
		t.cur.Steps++
	case session.ToolCall:
		t.cur.Calls++
	case session.UserMessage:
		if t.showText && t.cur.Said == "" {
			t.cur.Said = said(e)
		}
	case session.TurnEnd:
		t.cur.Reason = cut(e.Field("reason").Get("kind").Text(), maxNumber)
		t.cur.Closing = Ended
		if t.cur.Reason == "interrupted" {
			t.cur.Closing = Interrupted
		}
		t.list.add(*t.cur)
		t.cur = nil
	}
}

// said returns what a message says, in short.
func said(e *session.Event) string {
	var b strings.Builder
	for block := range e.MessageField("content").Elements() {
		if b.WriteString(block.Get("text").Text()); b.Len() > maxSaid*4 {
			break
		}
	}
	return cut(b.String(), maxSaid)
}

// close ends the open turn, which has no turn/end.
func (t *turns) close(how Closing) {
	if t.cur == nil {
		return
	}
	t.cur.Closing = max(t.cur.Closing, how)
	t.list.add(*t.cur)
	t.cur = nil
}

func (t *turns) end() []Turn {
	t.close(Open)
	return t.list.items
}

// cut returns the first max characters of a text from a log, as valid UTF-8 that
// does not keep the text in memory.
func cut(wtf8 string, max int) string {
	n := 0
	for i := range wtf8 {
		if n == max {
			return strings.Clone(jsjson.ToValidUTF8(wtf8[:i])) + "…"
		}
		n++
	}
	return jsjson.ToValidUTF8(wtf8)
}

package repair

import (
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// judge is dsh's reader of a generation over the records of one history, with what
// dsh itself does not check or does not do.
type judge interface {
	// add takes the next record and reports whether dsh accepts it.
	add(r *scan.Record) bool
	// end takes the end of the history and completes the judgement.
	end() *judgement
}

// judgement is what becomes of a history.
type judgement struct {
	reading    *scan.Reading // with its closers
	closers    [][]byte      // JSON texts without LF
	violations int64         // broken relations
	accepted   int64         // events before the first that a reader from v2 on refuses
	inbox      string        // why the inbox cannot be replayed, "" when it can
	refusal    string        // why dsh does not open it, "" when it does
}

// newJudge returns the judge for logs of a generation. One for histories that were
// put together refuses every event that dsh would leave out; one for a log as it is
// does as dsh does.
func newJudge(generation int64, how scan.Restore) judge {
	if generation < firstNative {
		return &firstJudge{
			model: scan.NewModel(scan.ModelOptions{Digests: true, Generation: generation}),
			turns: session.NewTurns(), inbox: make(inbox),
		}
	}
	return newNativeJudge(generation, how)
}

// firstJudge judges logs of v0 and v1.
type firstJudge struct {
	judgement
	model *scan.Model
	turns *session.Turns
	inbox inbox
}

func (j *firstJudge) add(r *scan.Record) bool {
	accepted := j.model.Add(r)
	if r.Kind == scan.Header {
		return accepted
	}
	var broken *session.Violation
	if r.Kind == scan.Row {
		broken = j.turns.Chunks(&r.Row)
	} else if normal := j.model.Normal(); normal != nil {
		broken = j.turns.Event(normal)
		j.take(j.inbox, normal)
	}
	if broken != nil {
		j.violations++
	}
	return accepted
}

// take replays an event in the inbox.
func (j *judgement) take(b inbox, e *session.Event) {
	if j.inbox == "" {
		j.inbox = b.event(e)
	}
}

func (j *firstJudge) end() *judgement {
	j.reading = j.model.Reading(&scan.Container{Encoding: scan.Plain})
	j.closers = j.reading.Closers
	switch refusal := j.reading.Refusal(); {
	case refusal != nil:
		j.refusal = refusal.Text
	case j.reading.Bricks:
		j.refusal = bricks
	}
	return &j.judgement
}

package repair

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/lifecycle"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// nativeJudge judges logs of formats from v2 on with the reader of that format.
type nativeJudge struct {
	judgement
	generation int64
	native     *scan.Native
	strict     bool
	inbox      inbox
	relations  *lifecycle.Checker // nil for the log of a fork, whose rules nobody knows
	ending     ending
	line       int // number of the last line
}

func newNativeJudge(generation int64, how scan.Restore) *nativeJudge {
	j := &nativeJudge{
		generation: generation, native: scan.NewNative(generation, how, scan.ModelOptions{Digests: true}),
		strict: how.Strict, inbox: make(inbox),
	}
	j.ending.closers.Generation = min(generation, session.Newest)
	return j
}

func (j *nativeJudge) add(r *scan.Record) bool {
	j.line = r.Line
	torn := r.Torn
	r.Torn = torn && !j.strict // else an event that was found in a torn frame is left out
	accepted := j.native.Add(r)
	r.Torn = torn
	switch {
	case !accepted:
	case r.Kind == scan.Header:
		j.begin(r)
	default:
		j.event(j.native.Event())
	}
	return accepted
}

func (j *nativeJudge) begin(r *scan.Record) {
	if j.generation > session.Newest {
		return
	}
	header, _ := parseHeader(r.Text, j.generation)
	j.relations = lifecycle.New(int(j.generation), lifecycle.Header{ID: header.ID, Parent: header.ParentSession.Exists()})
	j.relations.AnyType = true // the reader looks at the vocabulary
}

func (j *nativeJudge) event(e *session.Event) {
	j.ending.event(e)
	j.take(j.inbox, e)
	if j.relations != nil && j.relations.Event(e) != nil {
		j.violations++
	}
}

// end closes the history before it asks for the verdict: v4 looks at the relations
// of all events, the closers included (docs/generations.md §2.4).
func (j *nativeJudge) end() *judgement {
	if j.accepted = j.ending.events; j.relations != nil {
		j.closers = j.ending.texts()
	}
	for _, text := range j.closers {
		var r scan.Record
		r.Line = j.line + 1
		r.Reparse(text)
		j.add(&r)
	}
	j.reading = j.native.Reading(&scan.Container{Encoding: scan.Plain})
	switch refusal := j.reading.Refusal(); {
	case j.reading.Scan.Refusal == nil && j.generation > session.Newest: // dsh knows its number only
	case refusal != nil:
		j.refusal = refusal.Text
	case len(j.reading.Closers) > 0:
		j.refusal = "its last turn cannot be closed"
	}
	return &j.judgement
}

// ending is how a history from v2 on ends, and what it lacks to be closed.
type ending struct {
	closers session.Closers
	crashed bool   // dsh fails in the search for closers
	time    string // of the last event, as it is written
	events  int64
	// compacting says that a compaction has begun and not ended.
	compacting bool
}

func (n *ending) event(e *session.Event) {
	n.crashed = n.closers.Event(e) != "" || n.crashed
	n.time = string(jsjson.AppendCanonical(nil, e.Time))
	n.events++
	switch e.Kind {
	case session.CompactionStart:
		n.compacting = true
	case session.CompactionEnd, session.EndSeed:
		n.compacting = false
	}
}

// texts returns the events that close the last turn, as JSON texts without LF. The
// end of a turn may not cross an open compaction unless a session/end-seed follows,
// which dsh writes in any case when it goes on with the session. It never marks
// inherited events: that would move the point at which a fork begins
// (docs/generations.md §3).
func (n *ending) texts() [][]byte {
	if n.crashed {
		return nil
	}
	texts := n.closers.Append(nil)
	if len(texts) > 0 && n.compacting {
		texts = append(texts, fmt.Appendf(nil, `{"type":"session/end-seed","seq":%d,"time":%s,"data":{}}`, n.events+int64(len(texts)), n.time))
	}
	return texts
}

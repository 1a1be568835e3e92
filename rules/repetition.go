package rules

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/words"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

const (
	// maxCompared bounds the events that one run has compared: enough to tell a
	// copy from a fork.
	maxCompared = 64
	// maxRuns bounds the runs that are compared at all, since each looks through
	// all that is kept of the log.
	maxRuns = 1000
)

// repetition is a run of records whose seqs the log has had before. What they
// are shows when it ends.
type repetition struct {
	finding  *Finding
	frame    int    // in which the first record of the run ends
	expected int64  // seq that was due instead
	next     int64  // seq behind the run so far
	first    branch // the events [seq of the run, expected) that were there first
	again    branch // the run
	records  int    // of the run
	compared int64  // events compared with the first ones
	equal    int64  // of these, the copies
	late     bool   // the first one was missing so far, so that nothing is repeated
	goesOn   bool   // the run starts with what is due in the turns so far
}

// take adds a record of the run, and compares it with the first of its seqs.
func (r *repetition) take(c *recent, record *scan.Record, e *session.Event, compare bool) {
	seq, _ := record.Seq()
	r.next = seq + record.Events()
	r.records++
	r.again.add(record.Place, seq, record.Events(), traitOf(e))
	if !compare {
		return
	}
	for n := range min(record.Events(), r.expected-seq, maxCompared-r.compared) {
		l := c.find(seq + n)
		if l == nil {
			r.late = r.compared == 0 && len(c.lines) > 0 && c.lines[0].seq < seq
			return
		}
		equal, known := c.same(l, record, n)
		if !known {
			return
		}
		r.compared++
		if equal {
			r.equal++
		}
	}
}

// copies reports whether the run is a copy of what was there first.
func (r *repetition) copies() bool { return r.compared > 0 && r.equal == r.compared }

// rule returns the rule that knows how the same seqs came to be written twice,
// or nil where nothing more can be said.
func (r *repetition) rule() *Rule {
	switch {
	case r.late, r.copies(), r.first.traits == 0:
		return nil
	case r.first.only(seedTrait):
		return StaleEndSeed
	case r.first.closes(), r.again.closes():
		return RepairClosers
	case r.again.only(deltaTrait):
		return StaleDeltas
	case r.goesOn:
		return SeqRegressed
	case r.next < r.expected && r.again.messages == 0:
		return StaleTail
	}
	return ForkedLog
}

// message says what the run turned out to be.
func (r *repetition) message() string {
	if r.late {
		return fmt.Sprintf("seq %d comes late, expected %d: it was missing so far", r.again.first, r.expected)
	}
	return fmt.Sprintf("seq %d again, expected %d: %s", r.again.first, r.expected, r.describe())
}

func (r *repetition) describe() string {
	switch {
	case r.compared == 0 && r.first.traits == 0:
		return "too far from the first to compare"
	case r.compared == 0:
		return "not compared with the first"
	case r.copies():
		return "equal to the first"
	case r.equal == 0:
		return "with other content than the first"
	}
	return fmt.Sprintf("%d of %d events equal to the first", r.equal, r.compared)
}

// goesOn reports whether the current event starts the turn or step that is due.
func (p *pass) goesOn() bool {
	return p.event != nil && p.fits && (p.event.Kind == session.TurnStart || p.event.Kind == session.StepStart)
}

// endRepetition completes the finding of a run of repeated seqs: the rule that
// knows what happened takes it over, or points to the first events.
func (p *pass) endRepetition() {
	again := p.seq.repeating
	if again == nil {
		return
	}
	p.seq.repeating = nil
	if again.next < again.expected {
		p.seq.recent.disown(again.records)
	}
	again.finding.Message = again.message()
	switch rule := again.rule(); rule {
	case StaleEndSeed:
		p.reportFirst(rule, again, "session/end-seed %d is stale: another event has its seq", again.first.first)
	case RepairClosers:
		if !again.first.closes() {
			p.hand(again, rule, "closers of a repair from seq %d, expected %d: the log had gone on at the same seqs", again.again.first, again.expected)
			return
		}
		p.reportFirst(rule, again, "closers of a repair from seq %d: the session went on at the same seqs", again.first.first)
	case StaleDeltas:
		p.hand(again, rule, "stream deltas from seq %d, expected %d: %s", again.again.first, again.expected, again.describe())
	case SeqRegressed:
		p.hand(again, rule, "the counter falls back to seq %d, expected %d, while the turns go on", again.again.first, again.expected)
	case StaleTail:
		p.hand(again, rule, "%s from seq %d, expected %d: stale, no message is among them", words.Count(again.again.events, "event"), again.again.first, again.expected)
	case ForkedLog:
		p.hand(again, rule, "a second branch from seq %d, expected %d: %s here, %s in the first", again.again.first, again.expected,
			words.Count(again.again.messages, "message"), words.Count(again.first.messages, "message"))
	}
}

// hand gives the finding of a run to the rule that knows what happened.
func (p *pass) hand(again *repetition, rule *Rule, format string, args ...any) {
	moved := p.found.move(again.finding, rule)
	moved.Message = oneLine(fmt.Sprintf(format, args...))
	if p.cause == again.finding {
		p.cause = moved
	}
}

// reportFirst adds a finding about the events that the run repeats.
func (p *pass) reportFirst(rule *Rule, again *repetition, format string, args ...any) {
	seq := again.first.first
	f := Finding{
		Rule: rule, Place: again.first.place, Seq: &seq, Turn: again.finding.Turn,
		Class: rule.Class, Severity: rule.Severity, Reader: rule.Reader, Message: fmt.Sprintf(format, args...),
	}
	f.relate(Related{again.finding.Place, fmt.Sprintf("seq %d again", again.again.first)})
	p.found.add(f, again.frame)
}

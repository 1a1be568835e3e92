package rules

import "github.com/turnlint/turnlint/scan"

// TimeBackwards reports that the time of an event is before that of an earlier one.
var TimeBackwards = &Rule{
	ID:        "TL305",
	Name:      "time-backwards",
	Summary:   "the time of an event is before that of an earlier one",
	Class:     Advice,
	Severity:  Note,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("time-backwards"),
	on:        onEvent,
	check:     checkTimeBackwards,
}

func checkTimeBackwards(p *pass) {
	time, ok := p.record.Event.Millis()
	last := time
	if p.record.Kind == scan.Row {
		time, last, ok = p.record.Row.Time0, p.record.Row.LastTime, true
	}
	if !ok || p.order != inOrder || p.seq.repeating != nil {
		return
	}
	if time < p.lastTime {
		p.reportOnce("the event is %d ms earlier than the one before", p.lastTime-time)
	}
	p.lastTime = last
}

package rules

import (
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// take moves the pass on to the next record and asks the rules about it.
func (p *pass) take(r *scan.Record) {
	if p.projection != nil {
		p.projection.complete(r)
	}
	p.record, p.event, p.breach = r, nil, nil
	if r.Kind == scan.Header {
		p.adopt()
	}
	if p.later != nil {
		p.takeLater()
		return
	}
	p.wasOpen = p.model.Turns().TurnOpen()
	p.accepted = p.model.Add(r)
	if p.seq.enter(r) {
		p.found.mark()
	}
	isEvent := r.Kind == scan.Event || r.Kind == scan.Row
	if isEvent {
		p.events += r.Events()
	}
	if p.foreign || r.Torn && p.container.Hidden.Found {
		return // not to be judged by these rules; a false torn frame mixes text with frames
	}
	if !p.accepted && p.dropped.Line == 0 && r.IsEvent() {
		p.dropped = r.Place
	}
	if r.AfterGap {
		p.seq.lost = true
		p.turns.drift()
	}
	switch {
	case r.Kind == scan.Header:
		p.takeHeader()
	case isEvent:
		p.takeEvent()
	case r.Kind == scan.TooLong:
		p.headerEnded = p.headerEnded || r.Terminated
		p.seq.lost = true
	case r.Kind == scan.Undecodable && (r.Stored != nil || !blank(r.Text)):
		p.seq.lost = true
	}
	p.takeText()
}

// takeText looks at the line as text.
func (p *pass) takeText() {
	r := p.record
	if r.Kind != scan.Header {
		p.line = lineFaultOf(r)
	}
	if p.later != nil && p.line >= rowLine {
		p.line = soundLine // its reader judges what JSON there is
	}
	if p.line == openLine {
		p.unended = r.Events()
	}
	if p.line != soundLine {
		p.buried += buriedRecords(r, p.line)
		p.ask(onLine)
	}
	if (r.Doc.Features.Any() || r.Doc.Depth > maxDepth) && r.Syntax == nil && r.Kind != scan.TooLong && p.line != badRow {
		p.ask(onText)
	}
}

func (p *pass) takeHeader() {
	p.headerPlace = p.record.Place
	if p.record.Stored != nil {
		p.takeStoredHeader()
		return
	}
	if p.headerEnded = p.record.Terminated; !p.headerEnded {
		return
	}
	p.header, p.refusal = p.parseHeader()
	if p.refusal == nil {
		p.dialects.line = 1
		if p.projection == nil && p.generation == session.Version { // whose header is edited by hand, or of another time
			headerSignals(p.header, p.container.Encoding, p.see)
		}
	} else {
		p.foreign = p.refusal.Class == session.ClassUnsupported
		p.seq.lost = true // the first record may be an event
	}
	if !p.record.AfterGap { // else the header was in the frame that is lost
		p.ask(onHeader)
		if hasBOM(p.record.Text) {
			p.line = bomLine
		}
	}
}

// takeEvent handles an event or a row.
func (p *pass) takeEvent() {
	p.blind = false
	p.follow()
	p.relate()
	if p.repeats() {
		p.seq.repeating.take(&p.seq.recent, p.record, p.event, p.seq.runs <= maxRuns)
		p.seq.repeating.finding.Consequences++
	}
	kind := session.AssistantChunk
	if p.event != nil {
		kind = p.event.Kind
	}
	if p.order != inOrder {
		p.ask(onDisorder)
	}
	p.askAbout(kind)
	if p.dialects.clash != nil || p.turns.plugins.compaction.flaw != "" {
		p.ask(onConflict)
	}
	if p.accepted {
		faults := p.model.Faults()
		for i := range faults {
			p.fault = &faults[i]
			p.ask(onFault)
		}
	}
	if p.breach != nil {
		p.ask(onBreach)
	}
	if p.blind {
		p.turns.drift()
	}
	p.seq.recent.add(p.record, p.event)
	p.seq.last, p.seq.bare = p.record.Place, p.order == unnumbered
	p.leave(kind)
}

// leave forgets what ends with the current event, of the given type.
func (p *pass) leave(kind session.Type) {
	if seq, ok := p.record.Seq(); ok && seq >= 0 {
		p.types.add(seq, p.record.Events(), kind)
	}
	if endsStep(kind) {
		p.turns.calls.forget()
	}
	if kind == session.TurnStart || kind == session.TurnEnd {
		p.turns.plugins.brackets.endTurn()
	}
}

// follow finds how the seq continues.
func (p *pass) follow() {
	skipped := false
	p.order, p.expected, skipped = p.seq.take(p.record)
	if skipped || p.order != inOrder {
		p.turns.drift()
	}
	if !p.repeats() {
		p.endRepetition()
	}
}

// repeats reports whether the record goes on with the run of repeated seqs.
func (p *pass) repeats() bool {
	seq, _ := p.record.Seq()
	return p.seq.repeating != nil && p.order == inOrder && seq < p.seq.repeating.expected
}

// relate brings the turns up to date and finds what the event breaks.
func (p *pass) relate() {
	r, t := p.record, &p.turns
	p.dialects.line, p.dialects.clash = r.Line, nil
	if r.Kind == scan.Row {
		p.see(packedRow)
		p.breach = p.breachOf(nil)
		t.row(&r.Row)
		p.enclose(session.AssistantChunk)
		return
	}
	eventSignals(&r.Event, p.see)
	p.event = &r.Event
	if normal := p.model.Normal(); p.accepted && normal != nil {
		p.event = normal
	}
	p.breach = p.breachOf(p.event)
	p.fits = p.breach == nil
	if p.breach != nil && p.breach.Breach == session.Unreadable && (!p.accepted || len(p.model.Faults()) > 0) {
		p.breach = nil // the fault says more, and raw legacy shapes behind it say nothing
	}
	if p.event.Kind == session.TurnStart {
		p.dialects.startTurn()
	}
	t.event(r, p.event)
	t.calls.event(r, p.event)
	t.plugins.event(r, p.event)
	p.enclose(p.event.Kind)
}

// breachOf returns the relation of turns that the current record breaks, whose event
// is e, nil of a row. Those that dsh does not read go on where it stops.
func (p *pass) breachOf(e *session.Event) *session.Violation {
	switch {
	case p.accepted:
		return p.model.Breach()
	case e == nil:
		return p.model.Turns().Chunks(&p.record.Row)
	}
	return p.model.Turns().Event(e)
}

// enclose sorts out breaches that have another cause than the event: the place
// outside a turn, or a loss before it.
func (p *pass) enclose(kind session.Type) {
	boundary := kind == session.TurnStart || kind == session.TurnEnd
	switch {
	case p.turns.adrift:
		// A break is no consequence of its own, and repetitions count already.
		if p.breach != nil && p.cause != nil && p.order == inOrder && p.seq.repeating == nil {
			p.cause.Consequences++
		}
		p.breach = nil
		p.turns.adrift = !boundary || p.order == repeated || p.seq.repeating != nil
	case !p.wasOpen && !boundary:
		p.addLoose()
		p.breach = nil
	}
	if boundary || p.model.Turns().TurnOpen() {
		p.endRun()
	}
}

// addLoose notes an event outside any turn.
func (p *pass) addLoose() {
	run := p.dialects.run
	if run == nil {
		run = &looseRun{}
		p.dialects.run = run
	}
	event := loose{place: p.record.Place, name: p.typeName(), turn: p.turnNumber(), frame: p.record.LastFrame}
	event.ended = event.turn != nil && *event.turn <= p.turns.newest
	if seq, ok := p.record.Seq(); ok {
		event.seq = &seq
	}
	strict := Open
	if p.event != nil {
		strict = strictness(&p.record.Event)
	}
	run.add(event, strict, p.dialects.floor)
}

// endRun judges the events since the last turn, now or when their rule set is known.
func (p *pass) endRun() {
	run := p.dialects.run
	if run == nil {
		return
	}
	p.dialects.run = nil
	waiting := &p.dialects.waiting
	switch {
	case p.dialects.forced != AutoDialect || run.settled():
		p.judge(run)
	case len(*waiting) == maxWaiting:
		(*waiting)[maxWaiting-1].merge(run)
	default:
		*waiting = append(*waiting, run)
	}
}

func (p *pass) judge(run *looseRun) {
	f, frame, ok := run.finding(p.dialects.forced)
	if !ok {
		return
	}
	f.Rule, f.Class, f.Reader = EventOutsideTurn, EventOutsideTurn.Class, EventOutsideTurn.Reader
	p.found.add(f, frame)
}

// frameEnded takes a frame once it has been decoded. What was read from one that
// does not decode in the end is void.
func (p *pass) frameEnded(f scan.FrameInfo) {
	if p.opt.Frame != nil {
		p.opt.Frame(f)
	}
	if f.Err == nil {
		p.countUnchecked(f)
		return
	}
	if p.seq.frame == f.Number { // a record ended in it
		p.found.dropFrame(f.Number)
		p.dialects.dropFrame(f.Number)
		p.misplaced = nil
	}
	p.seq.rewind(f.Number)
	p.turns.drift()
	p.frame = new(f)
	p.ask(onFrame)
}

func (p *pass) countUnchecked(f scan.FrameInfo) {
	if f.Checksum || f.Torn {
		return
	}
	if p.unchecked.count++; p.unchecked.count == 1 {
		p.unchecked.first = p.filePlace(f.FileOff, f.PlainOff, f.Number)
	}
}

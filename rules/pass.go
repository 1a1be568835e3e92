package rules

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// pass is one walk over a log or the rows of a session: the current record, and the facts that several
// rules need of it and of what came before.
type pass struct {
	opt       *Options
	src       io.ReaderAt // of a log
	open      func() (*scan.Reader, error)
	container *scan.Container
	// bounded says that the model keeps little, and that no recent events are kept. A
	// pass that turns out to need more is void.
	bounded bool
	model   *scan.Model
	// generation is the format of the log, and later its reader from v2 on.
	generation int64
	later      *scan.Native
	// projection completes the records of a projection; nil for a log.
	projection *projection

	rule   *Rule // that is asked now
	record *scan.Record
	// accepted says that dsh reads the record.
	accepted bool
	// event is the record's event, in today's shape where dsh reads it. It is nil
	// for a row and for what is no event.
	event  *session.Event
	line   lineFault
	fault  *scan.Fault
	breach *session.Violation
	// fits says that the event breaks no relation of turns and steps, whatever its place.
	fits  bool
	frame *scan.FrameInfo
	// reading is what dsh makes of the log.
	reading *scan.Reading

	header      *session.Header
	headerPlace scan.Place
	headerEnded bool             // there is a header line, whatever it holds
	refusal     *session.Refusal // of the header
	// foreign says that the log is of a format that these rules do not describe.
	foreign bool

	seq      sequence
	order    order // of the current event
	expected int64 // seq that was expected of it
	events   int64

	turns   turns
	types   recentTypes
	wasOpen bool // a turn was open before the current event
	// blind says that the current event cannot be followed, so that what comes
	// after it may look wrong for want of it.
	blind bool
	// misplaced is the last finding about an event in the wrong place.
	misplaced *Finding
	dialects  dialects
	see       func(*signal)
	lastTime  int64

	unchecked uncheckedFrames
	dropped   scan.Place // of the first complete event that dsh does not read
	unended   int64      // events in a last record without LF
	buried    int64      // complete records in lines that do not decode

	found collector
	cause *Finding // of the last break: what follows from it counts there
}

func newPass(src io.ReaderAt, size int64, opt *Options, bounded, projected bool) *pass {
	p := &pass{opt: opt, src: src}
	p.open = func() (*scan.Reader, error) { return p.openLog(size) }
	p.bounded = bounded
	if !bounded {
		p.seq.recent.borrow()
	}
	if projected {
		p.projection = &projection{}
		p.turns.plugins.drift() // some types are left out
	}
	p.model = scan.NewModel(p.modelOptions())
	p.turns.ended = opt.Turn
	p.dialects.forced = opt.Dialect
	p.see = p.dialects.see
	p.found.tallies = make(map[*Rule]*tally)
	return p
}

func (p *pass) modelOptions() scan.ModelOptions {
	if p.projection != nil {
		return scan.ModelOptions{Renumbered: true}
	}
	return scan.ModelOptions{
		Path: p.opt.Path, Root: p.opt.Root, SameFile: p.opt.SameFile, Digests: p.opt.Digests, Bounded: p.bounded,
	}
}

// forgot reports whether the pass needs something that it does not keep, so that the
// log has to be read again.
func (p *pass) forgot() bool {
	return p.bounded && (p.order == repeated || p.model.Forgot())
}

// uncheckedFrames are the frames without checksum.
type uncheckedFrames struct {
	count int
	first scan.Place
}

// ask runs the rules of a phase.
func (p *pass) ask(when phase) {
	for _, rule := range rulesOf[when] {
		p.rule = rule
		rule.check(p)
	}
}

// askAbout runs the rules about events of a type.
func (p *pass) askAbout(kind session.Type) {
	for _, rule := range rulesAbout[kind] {
		p.rule = rule
		rule.check(p)
	}
}

// report makes a finding of the current rule about the current record.
func (p *pass) report(format string, args ...any) *Finding {
	f := p.finding(p.record.Place, format, args...)
	if seq, ok := p.record.Seq(); ok {
		f.Seq = &seq
	} else if key := p.record.Key; p.record.Table == scan.EventsTable && key != scan.NoKey {
		f.Seq = &key
	}
	if p.record.Stored != nil {
		f.Message = strings.ReplaceAll(f.Message, "the line", "the row")
	}
	f.Turn = p.turnNumber()
	return p.keep(f, p.record.LastFrame)
}

// reportAt makes a finding of the current rule about another place, once the
// records have been read.
func (p *pass) reportAt(place scan.Place, format string, args ...any) *Finding {
	return p.keep(p.finding(place, format, args...), 0)
}

// reportOnce reports like report for the first record, and counts the others as
// consequences: for traits that every line of a log may have.
func (p *pass) reportOnce(format string, args ...any) {
	if first := p.found.first(p.rule); first != nil {
		first.Consequences++
		return
	}
	p.report(format, args...)
}

// reportBlind reports an event that cannot be followed.
func (p *pass) reportBlind(format string, args ...any) {
	p.cause = p.report(format, args...)
	p.blind = true
}

func (p *pass) keep(f Finding, lastFrame int) *Finding {
	kept := p.found.add(f, lastFrame)
	if p.rule.tail {
		p.cause = kept
	}
	return kept
}

func (p *pass) finding(place scan.Place, format string, args ...any) Finding {
	return Finding{
		Rule: p.rule, Place: place,
		Class: p.rule.Class, Severity: p.rule.Severity, Reader: p.rule.Reader,
		Message: fmt.Sprintf(format, args...),
	}
}

// hasFault reports whether the current event has a fault of the given kind,
// which then says more than others of the same cause.
func (p *pass) hasFault(reason scan.Reason) bool {
	return slices.ContainsFunc(p.model.Faults(), func(f scan.Fault) bool { return f.Reason == reason })
}

// turnNumber returns the turn that the current event names, or else the open one.
func (p *pass) turnNumber() *int64 {
	turn := p.model.Turns().Turn()
	if p.record.Kind == scan.Row {
		turn = p.record.Row.Turn
	} else if p.event != nil && p.event.Turn().Exists() {
		turn = p.event.Turn()
	}
	if n, ok := turn.SafeInt(); ok {
		return &n
	}
	return nil
}

// typeName returns the type of the current event for messages.
func (p *pass) typeName() string {
	switch {
	case p.record.Kind == scan.Row:
		return session.AssistantChunk.String()
	case p.event.Kind != session.Unknown:
		return p.event.Kind.String()
	}
	return p.event.Type.JSString()
}

// filePlace is a place that is not a line: an offset in the file, and the text
// that lies before it.
func (p *pass) filePlace(fileOff, plainOff int64, frame int) scan.Place {
	if p.container.Encoding == scan.Plain {
		plainOff = fileOff
	}
	return scan.Place{FileOff: fileOff, PlainOff: plainOff, Frame: frame}
}

package rules

import (
	"io"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/upgrade"
)

// Options of a [Check].
type Options struct {
	// Path is the path of the log as dsh would see it, for its messages and for
	// the rules about names; "" for a log without one.
	Path string
	// Root is the sessions directory of Path, when the log's place is to be
	// checked too.
	Root string
	// SameFile, when set, reports whether another path below Root is Path by
	// another name.
	SameFile func(path string) bool
	// Encoding of the log; Auto detects it by content.
	Encoding scan.Encoding
	// MaxLine caps the bytes of one line; 0 means scan.DefaultMaxLine.
	MaxLine int64
	// Dialect chooses the rules of enclosure; AutoDialect finds them by the
	// evidence in the log.
	Dialect Dialect
	// Jobs is how many processors may be used; up to 1 all work is done in the calling
	// goroutine. The Result does not depend on it.
	Jobs int
	// Digests asks for the digests of the Reading.
	Digests bool
	// Frame, when set, gets every frame of a zstd log.
	Frame func(scan.FrameInfo)
	// Turn, when set, gets every turn once it has ended, or at the end of the log.
	Turn func(TurnInfo)
	// Readers are versions of dsh of which it is asked what they make of the log.
	// That newer ones do not take it over as it is makes findings.
	Readers []*scan.ReaderVersion
	// Children, when set, returns the sub-agents of the session with an id in WTF-8.
	// It is called only for an upgrade that depends on them.
	Children func(id string) []upgrade.Child
}

// Result of a [Check].
type Result struct {
	Container *scan.Container
	Reading   *scan.Reading
	Findings  []Finding // by place, then by rule
	// Readings are what the Readers of the options make of the log, in their order.
	// That of the log's own generation is Reading itself.
	Readings []VersionReading
	Events   int64 // in all records, those that dsh would not read included
	Turns    int64 // turn/start events
	// Dialect is the rule set of the last turn, such as "open"; "" for a log of a
	// later format than v1, of which there is one.
	Dialect string
	// Projection says that the file is a projection of a session, for tests
	// (docs/format.md §9). Its events are then judged by their order, and their
	// positions stand for seqs, while Reading is what dsh makes of the file.
	Projection bool
	// StoreRefuses says that the log is sound, but dsh refuses it for the state of
	// its sessions directory; see [StoreResult.Judge].
	StoreRefuses bool
}

// Check reads the log in the first size bytes of src and returns what is wrong
// with it. An error means that src could not be read.
//
// Where opt.Encoding is Auto and the name in opt.Path promises another encoding
// than the content has, the findings are about the content, while the Reading is
// what dsh makes of it under that name.
func Check(src io.ReaderAt, size int64, opt Options) (*Result, error) {
	projected, err := isProjection(src, size, &opt)
	if err != nil {
		return nil, err
	}
	p, err := walk(func(bounded bool) *pass { return newPass(src, size, &opt, bounded, projected) }, &opt)
	if err != nil {
		return nil, err
	}
	defer p.seq.recent.giveBack()
	p.unbury()
	if err := p.readByName(size); err != nil {
		return nil, err
	}
	p.end()
	if err := p.readRaw(size); err != nil {
		return nil, err
	}
	readings, err := p.readVersions(size)
	if err != nil {
		return nil, err
	}
	result := p.result()
	result.Readings, result.Projection = readings, projected
	return result, nil
}

// result returns what the pass has found.
func (p *pass) result() *Result {
	return &Result{
		Container: p.container, Reading: p.reading, Findings: p.found.sorted(),
		Events: p.events, Turns: p.turns.count, Dialect: p.dialect(),
	}
}

// walk makes a pass over all records. It keeps little for those who only want
// findings. The few logs that need more are read again.
func walk(newPass func(bounded bool) *pass, opt *Options) (*pass, error) {
	p := newPass(!opt.Digests && opt.Frame == nil && opt.Turn == nil)
	err := p.read()
	if err == nil && p.forgot() {
		p = newPass(false)
		err = p.read()
	}
	if err != nil {
		p.seq.recent.giveBack()
		return nil, err
	}
	p.reading = p.ownReading()
	return p, nil
}

// openLog opens the log in the first size bytes of the source.
func (p *pass) openLog(size int64) (*scan.Reader, error) {
	return scan.NewReader(p.src, size, scan.Options{
		Encoding: p.opt.Encoding, MaxLine: p.opt.MaxLine, Frame: p.frameEnded, Jobs: p.opt.Jobs,
	})
}

// read takes all records of the log.
func (p *pass) read() error {
	reader, err := p.open()
	if err != nil {
		return err
	}
	p.container = reader.Container()
	for r := range reader.Records() {
		if p.take(r); p.forgot() {
			break
		}
	}
	return reader.Err()
}

// misnamed returns the encoding that the name of the log promises and its
// content does not have.
func (p *pass) misnamed() (promised scan.Encoding, ok bool) {
	promised = scan.EncodingOfName(p.opt.Path)
	return promised, p.opt.Encoding == scan.Auto && promised != scan.Auto && promised != p.container.Encoding && p.container.Size > 0
}

// readByName replaces the reading of a misnamed log by dsh's, who goes by the name.
func (p *pass) readByName(size int64) error {
	promised, ok := p.misnamed()
	if !ok {
		return nil
	}
	reading, err := read(p.src, size, scan.Options{Encoding: promised, MaxLine: p.opt.MaxLine}, scan.ModelOptions{Path: p.opt.Path, Generation: p.generation})
	if err != nil {
		return err
	}
	if refusal := reading.Refusal(); refusal != nil && p.reading.Verdict != scan.Unreadable {
		reading.Verdict = scan.Damaged
		reading.Header = p.reading.Header
		p.reading = reading
	}
	return nil
}

// end completes what only the end of the log decides.
func (p *pass) end() {
	p.endRepetition()
	p.endRun()
	for _, run := range p.dialects.waiting {
		p.judge(run)
	}
	p.turns.end()
	p.ask(onEnd)
	p.temper()
	if p.noLog() {
		p.found.keep(NotALog, NoHeader)
	}
}

// unbury counts the complete records in lines that do not decode as events on
// disk that dsh drops, where it drops those lines.
func (p *pass) unbury() {
	if p.buried == 0 || p.reading.Scan.Refusal != nil {
		return
	}
	p.reading.Dropped += p.buried
	if p.reading.Verdict == scan.Recovers {
		p.reading.Verdict = scan.Loses
	}
}

// noLog reports whether the file is no session log at all, so that rules about
// logs have nothing to say about it.
func (p *pass) noLog() bool {
	return p.reading.Verdict == scan.Unreadable && p.found.first(LineTooLong) == nil
}

// temper corrects findings about what dsh may tolerate as part of a torn tail:
// it then drops what follows, which matters only where that is complete events.
func (p *pass) temper() {
	for _, e := range p.found.entries {
		switch {
		case !e.Rule.tail:
		case p.reading.Scan.Refusal != nil, p.projection != nil: // which no crash cut short
			e.Reader = Refuses
		case p.reading.Dropped > 0:
			e.Reader = Drops
		default:
			e.Reader, e.Severity = Repairs, Warning
		}
	}
}

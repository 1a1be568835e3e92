package scan

import (
	"cmp"

	"github.com/turnlint/turnlint/session"
)

// ModelOptions of a [Model].
type ModelOptions struct {
	// Generation is the format that the reader takes for its own: 0, or 1, which
	// differs in its number only. Readers of later formats do not ask for it.
	Generation int64
	// Path is the absolute path of the log that dsh's messages name; "" leaves
	// the path out of them.
	Path string
	// Root is the sessions directory that Path lies in. When set, the model also
	// checks that Path is where the header's id and cwd say.
	Root string
	// SameFile, when set, reports whether the path that the header leads to is
	// Path by another name, such as one through a symbolic link. dsh compares
	// real paths.
	SameFile func(derived string) bool
	// Digests makes the model hash every event, which takes a second pass over
	// the text and memory for message ids.
	Digests bool
	// Bounded keeps the memory of the model constant: it forgets the surface of a
	// log when that becomes very long. Where it turns out to be needed after all,
	// [Model.Forgot] reports it, and the log has to be read again without Bounded.
	Bounded bool
	// Renumbered says that the seqs are not those under which the events were
	// written, so that what an event says of other seqs means nothing.
	Renumbered bool
}

// Model is dsh's reader: it takes the records of a log in order and says what
// dsh 0.1.1-rc.2 makes of them (docs/format.md §3 and §4). Its memory does not
// hold events: it grows by some bytes for each message on the surface, unless it
// is bounded.
type Model struct {
	opt       ModelOptions
	scan      scanLog
	load      *loader
	turns     *session.Turns
	breach    *session.Violation // of the last accepted record
	violation *Violation
	digest    *digest

	headerRefusal *session.Refusal // of the header in a database
	lastRevision  bool             // and whether a repair is one too many

	logLike bool // something was a header or an event
	unread  bool // a line that dsh would read was too long for the Reader
}

// NewModel returns a model that has seen no record.
func NewModel(opt ModelOptions) *Model {
	m := &Model{opt: opt, turns: session.NewTurns()}
	m.load = newLoader(opt.Digests)
	if opt.Digests {
		m.digest = newDigest()
	}
	m.load.surface.bounded, m.load.norm.bounded = opt.Bounded, opt.Bounded
	m.load.surface.renumbered, m.load.norm.renumbered = opt.Renumbered, opt.Renumbered
	return m
}

// Forgot reports whether a bounded model met an event that it could not judge,
// so that its reading is void.
func (m *Model) Forgot() bool { return m.load.surface.missed || m.load.norm.missed }

// Add takes the next record of the log and reports whether dsh accepts it, as
// its header or as events of its sequence.
func (m *Model) Add(r *Record) bool {
	switch {
	case r.Kind == Header && r.Stored != nil:
		return m.addStoredHeader(r)
	case r.Kind == Header:
		return m.addHeader(r)
	}
	m.logLike = m.logLike || r.IsEvent()
	m.unread = m.unread || r.Kind == TooLong && r.Terminated && m.scan.fatal == nil
	if m.scan.header == nil || m.scan.headerErr != nil {
		return false
	}
	m.scan.enter(r)
	first := m.scan.events
	if !m.scan.accept(r) {
		return false
	}
	m.digest.add(r)
	m.load.add(r)
	if stored := m.relate(r); stored != nil && m.violation == nil {
		m.violation = &Violation{*stored, first}
	}
	return true
}

func (m *Model) addHeader(r *Record) bool {
	if !r.Terminated {
		m.logLike = startsLog(r.Text)
		return false
	}
	header, refusal := session.ParseFirst(r.Text, m.opt.Generation)
	m.scan.begin(r, header, refusal)
	m.logLike = startsLog(r.Text) || refusal == nil || refusal.Class == session.ClassUnsupported
	m.load.header(header)
	return refusal == nil
}

// identity checks that the header is one of the reader's, and leads to the log.
func (m *Model) identity(c *Container) *session.Refusal {
	if c.Encoding == SQLite {
		return m.scan.header.Unsupported(m.opt.Generation)
	}
	return identity(m.scan.header, c, &m.opt)
}

// Faults returns why dsh refuses the last record that it accepted into its
// sequence, for every reason, not only the one that it prints. It is valid until
// the next record.
func (m *Model) Faults() []Fault { return m.load.now }

// Normal returns the last accepted record's event in today's shape
// (docs/format.md §4.2). It is nil for a row and for an event with a fault in
// [Normalise], and valid until the next record.
func (m *Model) Normal() *session.Event { return m.load.normal }

// Surface returns the seqs of the events that make up the model's history so far, in
// its order (docs/format.md §2.3). It means nothing where dsh refuses the log, or of a
// bounded model.
func (m *Model) Surface() []int64 {
	seqs := make([]int64, 0, m.load.surface.Len())
	for seq := range m.load.surface.All() {
		seqs = append(seqs, int64(seq))
	}
	return seqs
}

// Turns returns the turns behind the last accepted record. Behind the first that is
// not accepted the model has no use for them, and who reads on may go on with them.
func (m *Model) Turns() *session.Turns { return m.turns }

// Breach returns the relation that the last accepted record breaks in today's shape,
// or nil.
func (m *Model) Breach() *session.Violation { return m.breach }

// relate brings the turns up to date, and returns the relation that the record
// breaks as it is stored, which is what dsh looks at.
func (m *Model) relate(r *Record) (stored *session.Violation) {
	if r.Kind == Row {
		m.breach = m.turns.Chunks(&r.Row)
		return m.breach
	}
	e, normal := &r.Event, m.load.normal
	if normal == nil {
		normal = e
	}
	if normal != e && e.Kind == session.ToolResult { // on which dsh's check crashes before it changes anything
		stored = m.turns.Event(e)
	}
	m.breach = m.turns.Event(normal)
	return cmp.Or(stored, m.breach)
}

// Reading returns the result once the last record has been added. c is the
// container of the Reader that the records came from.
func (m *Model) Reading(c *Container) *Reading {
	r := &Reading{
		Header: m.scan.header, HeaderRefusal: m.headerRefusal, Generation: m.opt.Generation,
		Dropped: m.scan.dropped, Violation: m.violation,
	}
	if m.unread {
		r.Unread, r.Verdict = true, Unreadable
		return r
	}
	r.Scan = m.scan.result(c, m.digest)
	if r.Scan.Refusal != nil {
		r.Load.Refusal = m.located(r.Scan.Refusal)
	} else if refusal := m.identity(c); refusal != nil {
		r.Load.Refusal = refusal
	} else {
		r.Load, r.Closers = m.load.result(m.opt.Path)
		r.Bricks = r.Load.Refusal == nil && m.load.closers.Bricks()
		r.Spent = m.lastRevision && (r.Scan.Torn || len(r.Closers) > 0)
	}
	r.Verdict = r.verdict(c, isLog(c, m.logLike), m.intact(r.Refusal()))
	return r
}

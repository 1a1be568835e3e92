package upgrade

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/lifecycle"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// Options of a migration.
type Options struct {
	// Encoding of the log; Auto detects it by content.
	Encoding scan.Encoding
	// MaxLine caps the bytes of one line; 0 means scan.DefaultMaxLine. A longer line
	// counts as one that is no JSON.
	MaxLine int64
	// Strict makes the first bad row of the source refuse the log, as the check of
	// a log that has just been written does. Without it rows behind the first bad
	// one are left out as long as no turn/end is among them.
	Strict bool
	// All looks for the refusals behind the first one, at most one for each event
	// of the source. Those may be consequences of earlier ones.
	All bool
	// Children are the sub-agents of the session. A migration to v4 puts facts about
	// them into the log; without them it reads as if there were none.
	Children []Child
}

// Result is what a newer harness makes of a log.
type Result struct {
	// Refusals has the refusal with which the harness answers first, and with
	// [Options.All] further ones, at most 1,000. It is empty when the log migrates.
	Refusals []*Refusal
	// RefusalCount counts all of them.
	RefusalCount int

	Events    int64  // events of the migrated log
	Digest    string // SHA-256, in hex, of their lines joined with LF
	Inherited int64  // inherited events of a seeded log, -1 of one that is not
	// DroppedRows counts the rows of the source that the migrated log lacks because
	// they stand at or behind a bad one, and DroppedEvents the complete events in
	// them and in a last line without LF: data that an upgrade loses silently.
	DroppedRows, DroppedEvents int64
	// FirstDropped is the place of the first row that is lacking, with Line 0 when
	// none is.
	FirstDropped scan.Place
	// Torn says that the migrated log lacks anything of the file, be it only the
	// start of a row.
	Torn bool

	// Stored is why the harness does not open the log after it has migrated it, nil
	// when it does.
	Stored *Refusal
	// Closers are the events that it then appends to go on with the session, as JSON
	// texts without LF.
	Closers [][]byte
}

// Refusal returns the refusal with which the harness answers, nil when the log
// migrates.
func (r *Result) Refusal() *Refusal {
	if len(r.Refusals) == 0 {
		return nil
	}
	return r.Refusals[0]
}

// Run predicts what a harness of generation to makes of the log of generation
// from in the first size bytes of src. The generation from is that of the file
// name. An error means that src could not be read, or that there is no way from
// the one generation to the other.
func Run(src io.ReaderAt, size int64, from, to int, opt Options) (*Result, error) {
	if from < 0 || from >= to || to > Latest {
		return nil, fmt.Errorf("no migration from v%d to v%d", from, to)
	}
	m := &migration{from: from, to: to, opt: &opt, refs: refusals{all: opt.All}}
	log, err := newSource(src, size, from, &opt, &m.refs, m.open)
	if err != nil {
		return nil, err
	}
	if err := log.read(); err != nil {
		return nil, err
	}
	r := &Result{Inherited: noCut, FirstDropped: log.firstDropped, DroppedEvents: log.droppedEvents, Torn: log.torn}
	if !log.stopped {
		m.finish(r)
	}
	r.Refusals, r.RefusalCount = m.refs.list, m.refs.count
	if r.RefusalCount == 0 {
		m.target.settle(r)
	}
	return r, locate(src, size, &opt, r)
}

// migration is a chain of edges from the decoder of a log to its target.
type migration struct {
	from, to int
	opt      *Options
	refs     refusals

	decoder decoder
	links   []*link
	target  *target
}

// open builds the chain, the last edge first.
func (m *migration) open(h *Header) decoder {
	m.target = newTarget(m.to, h)
	emit := Emit(m.target.Event)
	m.links = make([]*link, m.to-m.from)
	for i := len(m.links) - 1; i >= 0; i-- {
		from := m.from + i
		m.links[i] = &link{edge: edges[from](h, m.opt, emit), from: from, refs: &m.refs}
		emit = m.links[i].Event
	}
	m.decoder = decoders[m.from](h, m.opt.Strict, emit)
	return m.decoder
}

// finish ends the stages one after the other and checks the finished events.
func (m *migration) finish(r *Result) {
	m.refs.row = -1
	cut, err := m.decoder.finish()
	r.DroppedRows = m.decoder.droppedRows()
	if refusal := asRefusal(err); refusal != nil {
		_ = m.refs.add(refusal)
		return
	}
	for _, l := range m.links {
		if cut, err = l.Finish(cut); err != nil {
			return
		}
	}
	r.Inherited = cut
	if m.refs.count == 0 { // else what the rules found would be consequences
		m.checkTarget()
	}
}

// checkTarget reports what is wrong with the finished events: one that the target
// generation does not admit comes before broken rules.
func (m *migration) checkTarget() {
	t := m.target
	if t.fault != nil {
		_ = m.refs.add(m.refused(t.fault.Text, t.faultRow))
	}
	v := t.rules.Finish()
	if v == nil || t.fault != nil && !m.opt.All {
		return
	}
	_ = m.refs.add(m.refused(v.Text, t.row(v)))
	for _, other := range t.broken {
		if other.Seq != v.Seq && m.opt.All {
			_ = m.refs.add(m.refused(other.Text, t.row(other)))
		}
	}
}

// refused words a fault of the finished events.
func (m *migration) refused(text string, row int64) *Refusal {
	return &Refusal{
		Refusal: session.Refusal{Class: session.ClassMigration, Text: fmt.Sprintf(
			"Session migration from v%d to v%d refuses the transformed artifact: %s", m.from, m.to, text)},
		From: Target, Row: row, Detail: text,
	}
}

// target is the end of the chain: it takes the events of the newest generation.
type target struct {
	version int64
	rules   *lifecycle.Checker
	fault   *session.RowFault // of the first event that the generation does not admit
	// faultRow is the seq of the source event that led to the fault.
	faultRow int64

	stored  *scan.StoredCheck
	odd     int64 // seq of the source event that led to the fault of stored
	closers session.Closers
	crash   string // of the closers

	events int64
	hash   hash.Hash
	broken []*lifecycle.Violation // at most maxRefusals
	rows   map[int64]int64        // seqs of the source events that led to them, by theirs

	buf   []byte
	doc   jsjson.Doc
	event session.Event
}

func newTarget(version int, h *Header) *target {
	rules := lifecycle.New(version, lifecycle.Header{ID: h.ID, Parent: h.Parent})
	return &target{
		version: int64(version), rules: rules, hash: sha256.New(), rows: map[int64]int64{},
		stored:  scan.NewStoredCheck(h.ID, int64(version)),
		closers: session.Closers{Generation: int64(version)},
	}
}

// Event takes the next event of the migrated log.
func (t *target) Event(e Event) error {
	if t.events > 0 {
		t.hash.Write([]byte{'\n'})
	}
	t.events++
	t.buf = e.AppendText(t.buf[:0])
	t.hash.Write(t.buf)
	if err := t.doc.Parse(t.buf); err != nil {
		return refuse("event %d is no JSON: %v", e.Seq, err)
	}
	t.event.Read(t.doc.Root)
	t.event.Kind = session.AnyTypeOf(t.event.Type).In(t.version)
	if t.stored.Event(&t.event, t.events-1) {
		t.odd = e.Row
	}
	if t.crash == "" { // an event on which they crash keeps no rule either
		t.crash = t.closers.Event(&t.event)
	}
	if t.version == 4 && t.fault == nil {
		t.fault, t.faultRow = session.Admit(&t.event, t.version), e.Row
	}
	if v := t.rules.Event(&t.event); v != nil && len(t.broken) < maxRefusals {
		t.broken = append(t.broken, v)
		t.rows[v.Seq] = e.Row
	}
	if v := t.rules.Finish(); v != nil && v.Seq == t.events-1 && len(t.rows) < 2*maxRefusals {
		t.rows[v.Seq] = e.Row // a later event may undo it
	}
	return nil
}

// settle completes the result of a log that was not refused.
func (t *target) settle(r *Result) {
	r.Events, r.Digest = t.events, hex.EncodeToString(t.hash.Sum(nil))
	if refusal := t.stored.Refusal(); refusal != nil {
		r.Stored = &Refusal{Refusal: *refusal, From: Target, Row: t.odd, Detail: refusal.Text}
		return
	}
	r.Closers = t.closers.Append(nil)
}

// row returns the seq of the source event that led to a violation, -1 where that
// is not known.
func (t *target) row(v *lifecycle.Violation) int64 {
	if row, ok := t.rows[v.Seq]; ok {
		return row
	}
	return -1
}

package scan

import (
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/lifecycle"
	"github.com/turnlint/turnlint/session"
)

// Native reads a log as a dsh of a generation from 2 on reads the logs of its
// own: it takes the records in order and says what becomes of them
// (docs/generations.md §2). Like that of [Model], its memory does not hold events.
type Native struct {
	opt     ModelOptions
	rows    rows
	stored  stored
	closers session.Closers
	crash   string // TypeError with which the search for closers fails
	// relations are those of v4, which every open checks, and of v2 and v3, which
	// only a migration does. turns stand in for them in the log of a fork.
	relations *lifecycle.Checker
	turns     *session.Turns
	violation *Violation
	suspects  map[int64]Place // of events that break a relation, by seq
	digest    *digest         // of the events
	whole     *digest         // of the events with the closers

	logLike bool // something was a header or an event
	unread  bool // a line that dsh would read was too long for the Reader
}

// NewNative returns a reader that has seen no record. A generation beyond
// [session.Newest] is taken for that of a fork.
func NewNative(generation int64, how Restore, opt ModelOptions) *Native {
	n := &Native{opt: opt, rows: rows{generation: generation, how: how, cut: -1}, suspects: make(map[int64]Place)}
	n.stored.generation = n.rows.known()
	n.closers.Generation = n.rows.known()
	if opt.Digests {
		n.digest, n.whole = newDigest(), newDigest()
	}
	return n
}

// fork reports whether the log is of a format that only a fork knows.
func (n *Native) fork() bool { return n.rows.generation > session.Newest }

// Add takes the next record of the log and reports whether dsh accepts it, as its
// header or as the next event.
func (n *Native) Add(r *Record) bool {
	if r.Kind == Header {
		return n.addHeader(r)
	}
	n.logLike = n.logLike || r.IsEvent()
	n.unread = n.unread || r.Kind == TooLong && r.Terminated && n.rows.fatal == nil
	if n.rows.header == nil || n.rows.headerErr != nil {
		return false
	}
	n.rows.enter(r)
	if !n.rows.accept(r) {
		return false
	}
	n.addEvent(&n.rows.event, n.rows.events-1, r.Place)
	return true
}

func (n *Native) addHeader(r *Record) bool {
	if !r.Terminated {
		n.logLike = startsLog(r.Text)
		return false
	}
	parse := session.ParseGeneration
	if n.rows.how.Migrates {
		parse = session.ParseMigrated
	}
	header, refusal := parse(r.Text, n.rows.generation)
	n.rows.begin(r, header, refusal)
	n.logLike = startsLog(r.Text) || refusal == nil || refusal.Class == session.ClassUnsupported
	n.stored.id = jsjson.ToValidUTF8(header.ID)
	if n.fork() {
		n.turns = session.NewTurns()
	} else {
		n.relations = lifecycle.New(int(n.rows.generation), lifecycle.Header{ID: header.ID, Parent: header.ParentSession.Exists()})
		n.relations.AnyType = n.rows.generation == session.Newest && !n.rows.how.Migrates
	}
	return refusal == nil
}

// addEvent takes an accepted event.
func (n *Native) addEvent(e *session.Event, seq int64, place Place) {
	n.digest.addEvent(e)
	n.whole.addEvent(e)
	if crash := n.closers.Event(e); n.crash == "" {
		n.crash = crash
	}
	if n.fork() {
		// What crashes v0 is not known to crash a fork.
		if v := n.turns.Event(e); v != nil && v.Breach != session.Unreadable && n.violation == nil {
			n.violation = &Violation{*v, seq}
		}
		return
	}
	n.relations.Event(e)
	if v := n.relations.Finish(); v != nil && v.Seq == seq {
		n.suspects[seq] = place // there are few: the first violation changes only when a later event undoes it
	}
	n.stored.event(e, seq, place)
}

// Event returns the last accepted event, in which pairs of sourceEventSeqs are
// spelled out. It is valid until the next record.
func (n *Native) Event() *session.Event { return &n.rows.event }

// Inherited returns how many events a seeded log has from another session, -1 for
// none: the seq of the last marker that was accepted.
func (n *Native) Inherited() int64 { return n.rows.cut }

// Turn returns the turn and step that are open behind the accepted events, as
// [session.Closers.Turn] does.
func (n *Native) Turn() (turn, step jsjson.Value) { return n.closers.Turn() }

// Broken returns the first relation between the accepted events that is broken,
// nil when all hold. It is called behind the last record.
func (n *Native) Broken() *lifecycle.Violation {
	if n.relations == nil {
		return nil
	}
	return n.relations.Finish()
}

// Reading returns the result once the last record has been added. c is the
// container of the Reader that the records came from.
func (n *Native) Reading(c *Container) *Reading {
	r := &Reading{Header: n.rows.header, Generation: n.rows.generation, Dropped: n.rows.dropped, Violation: n.violation}
	if n.unread {
		r.Unread, r.Verdict = true, Unreadable
		return r
	}
	r.Scan = n.restore(c)
	if r.Scan.Refusal == nil && n.rows.generation < session.Newest {
		if v := n.Broken(); v != nil {
			r.Violation = &Violation{session.Violation{Text: v.Text}, v.Seq}
		}
	}
	if r.Load.Refusal = n.loadRefusal(r.Scan.Refusal, c); r.Load.Refusal == nil {
		r.Closers = n.closers.Append(nil)
		for _, text := range r.Closers {
			n.whole.addText(text)
		}
		r.Load.Events, r.Load.Digest = n.rows.events+int64(len(r.Closers)), n.whole.sum()
	}
	r.RefusedAt = n.refusedAt(r)
	r.Verdict = r.verdict(c, isLog(c, n.logLike), n.intact(r.Refusal()))
	return r
}

// intact reports whether dsh refuses a log whose bytes and order are as its
// writer meant them.
func (n *Native) intact(refusal *session.Refusal) bool {
	return refusal == nil || refusal.Class == session.ClassUnsupported || refusal == n.rows.fatal && n.rows.retired
}

// tornTail refuses a log of which every byte should be sound.
var tornTail = session.Refuse("current session generation has a torn physical tail")

// restore returns the physical read with what dsh checks at its end. Of a zstd log
// a strict one looks for a torn tail first.
func (n *Native) restore(c *Container) ScanResult {
	res := n.rows.result(c, n.digest)
	strict := n.rows.how.Strict && !n.rows.how.Migrates
	torn := strict && (res.Refusal == tornRecord || res.Refusal == nil && res.Torn)
	switch {
	case torn && c.Encoding == Zstd:
		return ScanResult{Refusal: tornTail}
	case res.Refusal != nil, n.fork():
		return res
	}
	if refusal := n.endRefusal(); refusal != nil {
		return ScanResult{Refusal: refusal}
	}
	if torn {
		return ScanResult{Refusal: tornTail}
	}
	return res
}

// endRefusal returns what dsh finds wrong with the accepted events as a whole.
func (n *Native) endRefusal() *session.Refusal {
	if refusal := n.rows.seed(); refusal != nil {
		return refusal
	}
	if n.rows.generation == session.Newest && !n.rows.how.Migrates {
		if v := n.Broken(); v != nil {
			return &v.Refusal
		}
	}
	return nil
}

// loadRefusal returns why dsh does not load what the restore gave.
func (n *Native) loadRefusal(restore *session.Refusal, c *Container) *session.Refusal {
	if restore != nil {
		return locate(restore, n.opt.Path)
	}
	if n.fork() {
		return locate(n.rows.header.Foreign(), n.opt.Path)
	}
	if refusal := identity(n.rows.header, c, &n.opt); refusal != nil {
		return refusal
	}
	if refusal := n.stored.refusal(n.opt.Path); refusal != nil || n.crash == "" {
		return refusal
	}
	return &session.Refusal{Class: session.ClassTypeError, Text: n.crash}
}

// refusedAt returns the place of the row for which dsh refuses the log, nil when
// it is not about one row.
func (n *Native) refusedAt(r *Reading) *Place {
	switch refusal := r.Scan.Refusal; {
	case refusal != nil && (refusal == n.rows.fatal || refusal == tornRecord && n.rows.issue != nil):
		return &n.rows.at
	case refusal == nil && n.stored.first != nil && r.Load.Refusal != nil:
		return &n.stored.at
	case refusal != nil && refusal.Class == session.ClassFormat && n.relations != nil:
		if v := n.Broken(); v != nil && v.Text == refusal.Text {
			place, found := n.suspects[v.Seq]
			if found {
				return &place
			}
		}
	}
	return nil
}

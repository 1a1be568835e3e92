package repair

import (
	"bytes"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// Candidate is one history that a log can tell, and what speaks for it and
// against it.
type Candidate struct {
	Number int    `json:"number"` // from 1, in the order of the file; see Options.Branch
	Events int64  `json:"events"` // with closers
	Digest string `json:"digest"` // SHA-256 of their canonical texts joined with LF, "" if dsh refuses them

	// Repeated are the events of the log that are left out and equal one of the
	// history. Shadowed are those that another event of the same seq displaces, Real
	// those of them that a user, the model or a tool said, and Plain the ones that no
	// recovery made up. Unreached are those with seqs behind its end; what a recovery
	// made up there counts as shadowed, since it can be made up again.
	Repeated  int64 `json:"repeated"`
	Shadowed  int64 `json:"shadowed"`
	Plain     int64 `json:"plain"`
	Real      int64 `json:"real"`
	Unreached int64 `json:"unreached"`

	Violations int64  `json:"violations"`        // broken relations of docs/format.md §6.3, or docs/generations.md §6
	Inbox      string `json:"inbox,omitempty"`   // why its inbox cannot be replayed
	Refusal    string `json:"refusal,omitempty"` // why dsh would not open it
	ToEnd      bool   `json:"toEnd"`             // it has the last event of the file

	unmarked bool // the last marker of inherited events is not in it
}

// loss returns the events that are nowhere in the history, but said something or
// may belong to it.
func (c *Candidate) loss() int64 { return c.Real + c.Unreached }

// dropped returns the events that leave the log.
func (c *Candidate) dropped() int64 { return c.Repeated + c.Shadowed + c.Unreached }

// trial is a candidate while it is read.
type trial struct {
	Candidate
	chain   chain
	closers [][]byte // JSON texts without LF
	// accepted are the events before the first for which a reader from v2 on refuses
	// the history.
	accepted int64

	at      int   // of the pick that is due
	err     error // of reading the parent's log
	renamed bool  // the log gets another header
	judge   judge
	part    scan.Record // of a packed row
	buffer  []byte
}

// newTrial returns the trial of a chain with the given losses.
func (l *salvage) newTrial(c chain, losses Candidate) *trial {
	t := &trial{Candidate: losses, chain: c, judge: newJudge(l.generation, scan.Restore{Strict: true})}
	if l.newHeader != "" {
		t.judge.add(&scan.Record{Kind: scan.Header, Text: []byte(l.newHeader), Terminated: true})
		t.renamed = true
	}
	return t
}

// tally counts the events that a chain leaves out.
func (l *salvage) tally(c chain, number int) Candidate {
	t := Candidate{Number: number}
	end, starts := c.events(), make([]int64, len(c))
	for i, p := range c {
		starts[i] = l.rows[p.row].seq + int64(p.first)
	}
	picks, last := c, -1
	for i := range l.rows {
		r := &l.rows[i]
		taken := pick{}
		if len(picks) > 0 && picks[0].row == i {
			taken, picks = picks[0], picks[1:]
		}
		if r.count() == 0 || r.span.made() {
			continue
		}
		last = i
		marker := r.marker && l.generation >= firstNative
		t.unmarked = t.unmarked && !marker
		for m := range r.count() {
			if m >= taken.first && m < taken.first+taken.count {
				continue
			}
			seq := r.seq + int64(m)
			other, reached := c.at(l.rows, starts, seq)
			same := reached && other == r.digests[m]
			t.unmarked = t.unmarked || marker && !same
			switch {
			case seq >= end && r.weight > synthetic:
				t.Unreached++
			case same:
				t.Repeated++
			default:
				t.shadow(r.weight)
			}
		}
	}
	if n := len(c); n > 0 {
		p := c[n-1]
		t.ToEnd = p.row == last && p.first+p.count == l.rows[last].count()
	}
	return t
}

func (t *Candidate) shadow(w weight) {
	t.Shadowed++
	if w >= plain {
		t.Plain++
	}
	if w == real {
		t.Real++
	}
}

// read reads the log once and lets every trial take what is its.
func (l *salvage) read(trials []*trial) error {
	i, seen := 0, 0 // row, and pieces of it
	next := func(p *piece) {
		for _, t := range trials {
			t.take(l, i, p)
		}
		if seen++; seen >= l.rows[i].pieces {
			i, seen = i+1, 0
		}
	}
	for p := range l.pieces() {
		next(p)
		for i < len(l.rows) && l.rows[i].span.made() {
			next(nil)
		}
	}
	if l.err != nil {
		return l.err
	}
	for _, t := range trials {
		if t.err != nil {
			return t.err
		}
		t.finish()
	}
	return nil
}

// take takes a piece of the row with index i, which may be part of the chain.
func (t *trial) take(l *salvage, i int, p *piece) {
	r := &l.rows[i]
	if r.header {
		if !t.renamed {
			t.judge.add(p.record)
		}
		return
	}
	if t.at < len(t.chain) && t.chain[t.at].row < i {
		t.at++
	}
	if t.at == len(t.chain) || t.chain[t.at].row != i {
		return
	}
	pick := t.chain[t.at]
	switch {
	case r.span.Lost > 0:
		t.fill(&r.span)
		return
	case r.span.Spliced > 0:
		t.err = l.parent.events(int64(pick.count), func(r *scan.Record) error {
			t.judge.add(r)
			return nil
		})
		return
	}
	record := p.record
	if pick.count < r.count() {
		t.buffer = record.Row.AppendPart(t.buffer[:0], pick.first, pick.count)
		t.part.Place = record.Place
		t.part.Reparse(t.buffer)
		record = &t.part
	}
	t.judge.add(record)
}

// fill takes placeholders.
func (t *trial) fill(s *Span) {
	var text bytes.Buffer
	for i := range s.Lost {
		text.Reset()
		_ = writeLost(&text, &Span{Lost: 1, Seq: s.Seq + i, Time: s.Time}) // a Buffer takes all
		t.part.Reparse(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
		t.judge.add(&t.part)
	}
}

// lostMarker is why a history without the last marker of inherited events is none.
const lostMarker = "it would lose the event that says which others come from another session"

func (t *trial) finish() {
	j := t.judge.end()
	t.judge = nil
	t.Events, t.Digest = j.reading.Load.Events, j.reading.Load.Digest
	if j.refusal == "" && t.Digest == "" { // of the log of a fork, which is not loaded
		t.Events, t.Digest = j.reading.Scan.Events, j.reading.Scan.Digest
	}
	t.Violations, t.Inbox, t.closers, t.accepted = j.violations, j.inbox, j.closers, j.accepted
	if t.Refusal = j.refusal; t.Refusal == "" && t.unmarked {
		t.Refusal = lostMarker
	}
}

// inbox is the lengths of the queues that agent/inbox/spliced events edit, by
// target. An agent replays the events when it resumes the session.
type inbox map[string]int64

// event takes the next event and says why it cannot be replayed.
func (b inbox) event(e *session.Event) string {
	if e.Kind != session.InboxSpliced {
		return ""
	}
	target := e.Field("target").Text()
	start, ok := e.Field("start").SafeInt()
	removed := int64(0)
	if count := e.Field("removedCount"); count.Exists() {
		removed, _ = count.SafeInt()
	}
	if !ok || start < 0 || removed < 0 || start+removed > b[target] {
		return "it removes messages from the inbox that are not there"
	}
	if inserted := e.Field("inserted"); inserted.Kind == jsjson.Array {
		b[target] += int64(inserted.Len())
	}
	b[target] -= removed
	return ""
}

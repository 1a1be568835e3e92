package diff

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"hash/maphash"
	"iter"

	"github.com/turnlint/turnlint/session"
)

// Event is an event of a log.
type Event struct {
	Seq  int64 // NoSeq for one that has none
	Type string
	Text []byte // canonical JSON, valid until the next event
	// Mended says that the log does not hold the text as one line of JSON, because
	// line feeds stand in its strings as they are.
	Mended bool
	// MadeUp says that a recovery made the event up to close a turn. It is then no
	// other event rewritten, whatever stood at its seq.
	MadeUp bool
}

// NoSeq stands for the seq of an event without one.
const NoSeq = -1

// Log is a log whose events can be read any number of times, with the same result.
type Log interface {
	// Header returns the text of the header, without LF; nil for a log without one.
	// It is known once the events have been read.
	Header() []byte
	// Events yields the events, those of packed rows one by one.
	Events() iter.Seq[Event]
	// Err returns the error that ended Events early.
	Err() error
}

// Counts says what became of events. The events of the first log are Kept plus
// Dropped, those of the second one Kept plus Synthesised.
type Counts struct {
	Kept        int64 // in both logs
	Dropped     int64 // in the first log only
	Rewritten   int64 // of those kept, the ones with another text under the same type and seq
	Synthesised int64 // in the second log only
}

// Diff is how a log becomes another one.
type Diff struct {
	Counts
	Before, After int64 // events of the two logs
	HeaderChanged bool

	a, b   Log
	madeUp map[int]bool // events of b, by index
	runs   []Run
}

// Same reports whether the logs have the same header and the same events.
func (d *Diff) Same() bool {
	return !d.HeaderChanged && d.Dropped+d.Rewritten+d.Synthesised == 0
}

// Err returns the error that ended reading one of the logs early.
func (d *Diff) Err() error { return errors.Join(d.a.Err(), d.b.Err()) }

// Compare finds how a becomes b. It reads each log once, and keeps some dozen bytes
// for every event.
func Compare(a, b Log) (*Diff, error) {
	before, after := marks(a), marks(b)
	if err := errors.Join(a.Err(), b.Err()); err != nil {
		return nil, err
	}
	d := &Diff{
		Before: int64(len(before)), After: int64(len(after)), HeaderChanged: !bytes.Equal(a.Header(), b.Header()), a: a, b: b, madeUp: make(map[int]bool),
		runs: Runs(texts(before), texts(after)),
	}
	d.count(before, after)
	for i := range after {
		if after[i].madeUp {
			d.madeUp[i] = true
		}
	}
	return d, nil
}

// digest tells events apart by value: 128 bits of the SHA-256 of their canonical
// texts.
type digest [16]byte

// mark is what is kept of an event.
type mark struct {
	text   digest
	name   uint64 // hash of its type and seq
	madeUp bool
}

func marks(l Log) (all []mark) {
	afterStep := false // the last event ends a step, which only the next one explains
	for e := range l.Events() {
		if e.MadeUp && afterStep {
			all[len(all)-1].madeUp = true
		}
		afterStep = e.Type == stepEnd
		sum := sha256.Sum256(e.Text)
		m := mark{digest(sum[:]), e.name(), e.MadeUp}
		if e.Mended { // it is another text, whatever it means
			m.text[0] ^= 1
		}
		all = append(all, m)
	}
	return all
}

// stepEnd is the type of the one made-up event that looks like any other.
var stepEnd = session.StepEnd.String()

func texts(all []mark) []digest {
	list := make([]digest, len(all))
	for i := range all {
		list[i] = all[i].text
	}
	return list
}

var seed = maphash.MakeSeed()

// name stands for the type and the seq of the event.
func (e *Event) name() uint64 {
	return maphash.Comparable(seed, struct {
		kind string
		seq  int64
	}{e.Type, e.Seq})
}

// count counts what the runs do to the events.
func (d *Diff) count(before, after []mark) {
	gone := make(map[uint64]int) // by name, since the last kept event
	for _, e := range d.runs {
		switch e.Op {
		case Keep:
			clear(gone)
			d.Kept += int64(e.N)
		case Delete:
			d.Dropped += int64(e.N)
			for i := range e.N {
				gone[before[i].name]++
			}
		case Insert:
			d.Synthesised += int64(e.N)
			d.pair(gone, after[:e.N])
		}
		if e.Op != Insert {
			before = before[e.N:]
		}
		if e.Op != Delete {
			after = after[e.N:]
		}
	}
}

// pair makes rewritten events of those that come where others of their names go.
func (d *Diff) pair(gone map[uint64]int, come []mark) {
	for i := range come {
		if !come[i].madeUp && gone[come[i].name] > 0 {
			gone[come[i].name]--
			d.Rewritten++
			d.Kept++
			d.Dropped--
			d.Synthesised--
		}
	}
}

package upgrade

import (
	"errors"
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// Emit hands an event to the next stage. A refusal of a later stage comes back,
// and the caller returns it at once.
type Emit func(Event) error

// Edge carries the events of a log from one generation to the next. An edge
// refuses with an error made by [refuse] or [unsupported]; errors that Emit
// returned pass through it as they are.
type Edge interface {
	// Event takes the next event of the older generation and emits what the newer
	// one has for it, which may be nothing yet.
	Event(e Event) error
	// Finish takes the end of the log and emits what is left. The cut is the number
	// of inherited events of a seeded log, noCut for one that is not seeded; it
	// returns the cut of the newer log.
	Finish(cut int64) (newCut int64, err error)
}

// noCut is the inherited cut of a log that is not seeded.
const noCut = -1

// Header is what the edges need to know of the header of a log.
type Header struct {
	ID     string // WTF-8
	Parent bool   // there is a parent session
	Seeded bool   // the log begins with events of another session
	// Cut is the number of inherited events where the header itself tells it, which
	// is so in a seeded log of v0 and v1; else noCut.
	Cut int64
	// Fields are the members of the header record as it stands.
	Fields Object
}

// shownID returns the id of the session as a text shows it.
func (h *Header) shownID() string { return jsjson.ToValidUTF8(h.ID) }

// edges are the edges by the generation that they start from.
var edges = [...]func(h *Header, opt *Options, emit Emit) Edge{
	0: newV0ToV1,
	1: newV1ToV2,
	2: newV2ToV3,
	3: newV3ToV4,
}

// Latest is the newest generation that the edges reach.
const Latest = len(edges)

// Refusal is an answer of a migration that does not go on.
type Refusal struct {
	session.Refusal
	// From is the generation of the events that the refusing edge reads. It is
	// [Source] for a refusal of the file itself and [Target] for one of the finished
	// events.
	From int
	// Row is the seq of the source event that was on its way, -1 where there is none.
	Row int64
	// Detail is the text without what dsh puts in front of it to say who refuses.
	Detail string
	// Place is where the source has that event, or the row that is refused; its Line
	// is 0 where the refusal is about the file. Turn is that of the event, 0 where
	// there is none.
	Place scan.Place
	Turn  int64
}

// Error makes a refusal pass through the edges like any error.
func (r *Refusal) Error() string { return r.Text }

// The places of a refusal that are no edge.
const (
	Source = -1
	Target = -2

	unnamed = -3 // an edge that the chain has yet to name
)

// fault is what an edge finds wrong in its own words; the chain adds the name of
// the edge.
type fault string

func (f fault) Error() string { return string(f) }

// refuse makes an edge refuse with a text that gets the name of the edge in front.
func refuse(format string, args ...any) error { return fault(fmt.Sprintf(format, args...)) }

// unsupported makes an edge refuse with a text that is passed on verbatim.
func unsupported(format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	return &Refusal{Refusal: session.Refusal{Class: session.ClassMigration, Text: text}, From: unnamed, Row: -1, Detail: text}
}

// carrier is an edge that can take an event to the newer generation although it
// has refused it, as well as that goes: so that all refusals can be found, and
// later events are not refused for the lack of an earlier one.
type carrier interface {
	Carry(e Event) error
}

// link is an edge in a chain. It gives refusals their final text and, when all
// are wanted, keeps them and goes on.
type link struct {
	edge Edge
	from int
	refs *refusals
}

func (l *link) Event(e Event) error {
	row := l.refs.row
	if e.Row != unnumbered {
		row = e.Row
	}
	l.refs.row = row
	err := l.settle(l.edge.Event(e), row)
	if c, ok := l.edge.(carrier); ok && l.refs.carry {
		l.refs.carry = false
		_ = l.settle(c.Carry(e), row)
	}
	return err
}

// Finish ends the edge.
func (l *link) Finish(cut int64) (int64, error) {
	l.refs.row = -1
	cut, err := l.edge.Finish(cut)
	return cut, l.settle(err, -1)
}

// settle returns the refusal to stop with, nil to go on.
func (l *link) settle(err error, row int64) error {
	if err == nil {
		return nil
	}
	return l.refs.add(l.name(err, row))
}

// name returns an error of the edge as a refusal. Those of later edges and those
// that are passed on verbatim are refusals already.
func (l *link) name(err error, row int64) *Refusal {
	if r, ok := errors.AsType[*Refusal](err); ok {
		if r.From == unnamed {
			r.From, r.Row = l.from, row
		}
		return r
	}
	return &Refusal{
		Refusal: session.Refusal{Class: session.ClassMigration, Text: fmt.Sprintf(
			"@deepseek-ai/dsh-session-format-v%d-to-v%d refuses this format v%d Session: %v", l.from, l.from+1, l.from, err)},
		From: l.from, Row: row, Detail: err.Error(),
	}
}

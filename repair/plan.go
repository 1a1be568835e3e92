package repair

import (
	"encoding/json"

	"github.com/turnlint/turnlint/scan"
)

// PlanVersion is the version of the JSON form of a [Plan].
const PlanVersion = 1

// Options choose what a repair may do. They are part of the plan.
type Options struct {
	// LikeDsh does what dsh's own recovery would do and no more (docs/format.md
	// §5.1), also where that drops complete events.
	LikeDsh bool `json:"likeDsh,omitempty"`
	// AllowLoss is the number of complete events that may leave the log.
	AllowLoss int64 `json:"allowLoss,omitempty"`
	// Encoding of the log; scan.Auto detects it by content. A plan states the one
	// that was used.
	Encoding scan.Encoding `json:"-"`
}

// Action is what a plan comes to.
type Action string

// The actions.
const (
	Nothing Action = "nothing" // dsh opens the log as it is
	Repair  Action = "repair"
	Refuse  Action = "refuse" // the log needs more than turnfix may do; Reason says why
)

// Plan is the repair of one log. It is bound to the bytes that it was made from:
// [Plan.SameAs] tells whether it still is the plan of a log.
type Plan struct {
	Version  int     `json:"version"`
	Path     Path    `json:"path"`
	Size     int64   `json:"size"` // bytes of the file
	SHA256   string  `json:"sha256"`
	Encoding string  `json:"encoding"` // raw or zstd, as it was read
	Verdict  string  `json:"verdict"`  // of the log before the repair
	Options  Options `json:"options"`
	Action   Action  `json:"action"`

	// Reason and Next explain a refusal and what to do instead.
	Reason string `json:"reason,omitempty"`
	Next   string `json:"next,omitempty"`
	// NeedLoss is the AllowLoss that would turn the refusal into a repair.
	NeedLoss int64 `json:"needLoss,omitempty"`

	// Keep is the number of bytes at the start of the file that stay as they are.
	Keep int64 `json:"keep"`
	// Again are the complete lines behind Keep that are written again, byte for
	// byte; in a zstd log they share one new frame with the closers.
	Again []Span `json:"again,omitempty"`
	// Closers are the events that are made up: JSON texts as dsh would write them
	// (docs/format.md §4.4).
	Closers []json.RawMessage `json:"closers,omitempty"`
	// Leaves are the bytes that leave the file, for lost+found.
	Leaves []Leave `json:"leaves,omitempty"`
	// Ledger counts events. It is empty in a refusal, which does nothing to any.
	Ledger Ledger `json:"ledger"`

	// known are the errors that the log has before the repair.
	known map[errorKey]bool
}

// Span is a run of lines in the decoded text.
type Span struct {
	PlainOff int64 `json:"plainOff"` // byte offset in the decoded text
	Len      int64 `json:"len"`      // bytes of decoded text, with the LF of the last line if it has one
	Events   int64 `json:"events"`
}

func (s Span) end() int64 { return s.PlainOff + s.Len }

// Leave is a run of bytes that is not in the repaired file.
type Leave struct {
	FileOff int64  `json:"fileOff"` // byte offset in the file
	Len     int64  `json:"len"`     // bytes of the file
	Events  int64  `json:"events"`  // complete events in it that are not written again
	Reason  string `json:"reason"`
}

func (l Leave) end() int64 { return l.FileOff + l.Len }

// Ledger accounts for every event. The events on disk before the repair are Kept
// plus Dropped, those after it Kept plus Synthesised.
type Ledger struct {
	Kept        int64 `json:"kept"`      // in the repaired log as they were, those written again included
	Dropped     int64 `json:"dropped"`   // complete events that go to lost+found
	Rewritten   int64 `json:"rewritten"` // events with a changed value; no repair here does that
	Synthesised int64 `json:"synthesised"`
}

// SameAs reports whether p and q would do the same to the same bytes. Paths, and
// words that may quote them, may differ: a log has many names.
func (p *Plan) SameAs(q *Plan) bool {
	a, b := *p, *q
	for _, x := range []*Plan{&a, &b} {
		x.Path, x.Reason, x.Next = "", "", ""
	}
	x, errX := json.Marshal(&a)
	y, errY := json.Marshal(&b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// refuse makes p a refusal.
func (p *Plan) refuse(reason, next string) {
	p.Action, p.Reason, p.Next = Refuse, reason, next
	p.Ledger = Ledger{}
}

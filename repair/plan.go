package repair

import (
	"encoding/json"
	"io"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
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
	// Branch is the Candidate to repair to where only the user can choose; 0 is none.
	Branch int `json:"branch,omitempty"`
	// Export gives the history that Branch names to a session of its own.
	Export bool `json:"export,omitempty"`
	// Allow names what else a repair may do.
	Allow []Permission `json:"allow,omitempty"`
	// Header is the header line for a log that has lost its own, without LF.
	Header string `json:"header,omitempty"`
	// CWD is the working directory of the session, for [RebuildHeader] and
	// [RewriteHeader].
	CWD string `json:"cwd,omitempty"`
	// KeepCopies are paths of logs that stay where copies of one session differ.
	KeepCopies []Path `json:"keepCopies,omitempty"`
	// Parent is the path of the log that a forked session gets lost first events back
	// from; "" looks in its sessions directory, if that is allowed. It is no part of
	// the plan, so that whoever wrote that cannot choose what is read.
	Parent string `json:"-"`
	// Siblings, when set, finds the logs of another session by its id, in place of a
	// search in the sessions tree of the log.
	Siblings func(id string) []string `json:"-"`
	// Copy says that the repaired log goes to another place and the log itself stays.
	// It is no part of the plan, which is the same for both.
	Copy bool `json:"-"`
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

// Level says how much a repair asks of the user.
type Level string

// The levels.
const (
	Safe     Level = "safe"     // nothing that was said is lost, nothing made up beyond dsh's own closers
	Assisted Level = "assisted" // only on request, by name
	Choice   Level = "choice"   // the log tells several histories, of which the user has to name one
	Lossy    Level = "lossy"    // events go that cannot be kept
)

// Plan is the repair of one log. It is bound to the bytes that it was made from:
// [Plan.SameAs] tells whether it still is the plan of a log.
type Plan struct {
	Version  int    `json:"version"`
	Tool     string `json:"tool"` // that made it: module and version
	Path     Path   `json:"path"`
	Size     int64  `json:"size"` // bytes of the file
	SHA256   string `json:"sha256"`
	Encoding string `json:"encoding"` // raw or zstd, as it was read
	// Generation is the format version of the log, which a repair does not change.
	Generation int64  `json:"generation,omitempty"`
	Verdict    string `json:"verdict"` // of the log before the repair
	After      string `json:"after"`   // verdict of what is there afterwards
	// Reader is the first version of dsh that opens the repaired log as it is. Later
	// ones may take it over into their own format.
	Reader  string  `json:"reader,omitempty"`
	Options Options `json:"options"`
	Action  Action  `json:"action"`
	// Level of the repair, or of the one that a refusal would become with what
	// Next names; "" when there is none.
	Level Level `json:"level,omitempty"`
	// Written is the encoding of the repaired log: the one that its name promises.
	Written string `json:"written"`

	// Reason and Next explain a refusal and what to do instead.
	Reason string `json:"reason,omitempty"`
	Next   string `json:"next,omitempty"`
	// NeedLoss is the AllowLoss that would turn the refusal into a repair.
	NeedLoss int64 `json:"needLoss,omitempty"`
	// NeedAllow are the permissions that would turn the refusal into a repair.
	NeedAllow []Rewrite `json:"needAllow,omitempty"`

	// Flips are the bits that are turned back before anything is read; see
	// [scan.FindFlips].
	Flips []scan.Flip `json:"flips,omitempty"`
	// NewHeader, when set, is the line that the repaired log starts with.
	NewHeader string `json:"newHeader,omitempty"`
	// Splice, when set, is what the repaired log gets from another one, behind its header.
	Splice *Splice `json:"splice,omitempty"`
	// Keep is the number of bytes at the start of the file that stay as they are.
	Keep int64 `json:"keep"`
	// Parts are what follows them, in order.
	Parts []Part `json:"parts,omitempty"`
	// Rewrites are the members of events that change, by the permission to do so.
	Rewrites []Rewrite `json:"rewrites,omitempty"`
	// Closers are the events that are made up: JSON texts as dsh would write them
	// (docs/format.md §4.4).
	Closers []json.RawMessage `json:"closers,omitempty"`
	// Leaves are the bytes that leave the file, for lost+found.
	Leaves []Leave `json:"leaves,omitempty"`
	// Rows, of a session in a database, takes the place of Keep, Parts and Leaves. Size
	// is that of the plain log that its rows would be, and SHA256 that of all that the
	// database stores of the session.
	Rows *Rows `json:"rows,omitempty"`
	// Candidates are the histories that the log can tell, when there are several,
	// and Chosen is the number of the one that the repair keeps.
	Candidates []Candidate `json:"candidates,omitempty"`
	Chosen     int         `json:"chosen,omitempty"`
	// Digest is the SHA-256 of the canonical texts, joined with LF, of the events
	// that dsh will find in the repaired log; "" where the reading of dsh decides.
	Digest string `json:"digest,omitempty"`
	// Ledger counts events. It is empty in a refusal, which does nothing to any.
	Ledger Ledger `json:"ledger"`

	header *session.Header // of a log that was salvaged
	// headerMoved says that NewHeader is the header of the log, from another place in it.
	headerMoved bool
	// known are the errors that the log has before the repair.
	known map[errorKey]bool
	// runs are the parts that are renumbered, nil for none.
	runs *runs
	// parent has the events of Splice.
	parent *parentLog
	// mend is for a log that is changed for newer versions of dsh only, else nil.
	mend *mend
}

// Part is a part of the repaired log: bytes that are copied, or lines that are
// written again. In a zstd log the lines of a part are one new frame; those of the
// last part share it with the closers.
type Part struct {
	Copy  *Range `json:"copy,omitempty"`
	Lines []Span `json:"lines,omitempty"`

	header bool // it is the header, which has a frame of its own
}

// Range is a run of bytes of the file.
type Range struct {
	FileOff int64 `json:"fileOff"`
	Len     int64 `json:"len"`
}

func (r *Range) end() int64 { return r.FileOff + r.Len }

// Span is a run of text that is written again byte for byte, and ends in LF then:
// whole lines, or a record out of a line. Its place is in the decoded text, of
// which damaged frames give what can be read.
type Span struct {
	PlainOff int64 `json:"plainOff"` // byte offset in the decoded text
	Len      int64 `json:"len"`      // bytes of decoded text, with the LF of the last line if it has one
	Events   int64 `json:"events"`
	// First and Count, when Count is not 0, are the members of the packed row at
	// this place that stay.
	First int `json:"first,omitempty"`
	Count int `json:"count,omitempty"`
	// Escape says that each LF before the last byte stands inside a string of the
	// record and is written as \n.
	Escape bool `json:"escape,omitempty"`
	// Edits change the one record at this place, in the order of their places.
	Edits []Edit `json:"edits,omitempty"`

	// Lost, when it is not 0, makes the span that many placeholders instead, with
	// seqs from Seq on and the time Time in epoch ms.
	Lost int64 `json:"lost,omitempty"`
	// Spliced, when it is not 0, makes the span that many events of the parent instead.
	Spliced int64 `json:"spliced,omitempty"`
	Seq     int64 `json:"seq,omitempty"`
	Time    int64 `json:"time,omitempty"`

	lf bool // it is whole lines, each with its LF
}

func (s Span) end() int64 { return s.PlainOff + s.Len }

// made reports whether the span is nothing of the log itself.
func (s Span) made() bool { return s.Lost > 0 || s.Spliced > 0 }

// Leave is a run of bytes that is not in the repaired log.
type Leave struct {
	FileOff int64 `json:"fileOff"` // byte offset in the file
	Len     int64 `json:"len"`     // bytes of the file, or of Text
	// Text, when set, says that the bytes are decoded text of the frame at FileOff.
	Text   *Span  `json:"text,omitempty"`
	Events int64  `json:"events"` // complete events in it that are not written again
	Reason string `json:"reason"`
}

// goesOn reports whether m starts where l ends.
func (l *Leave) goesOn(m Leave) bool {
	if l.Text == nil || m.Text == nil {
		return l.Text == m.Text && l.FileOff+l.Len == m.FileOff
	}
	return l.Text.end() == m.Text.PlainOff
}

// Ledger accounts for every event. The events on disk before the repair are Kept
// plus Dropped, those after it Kept plus Spliced plus Synthesised.
type Ledger struct {
	Kept        int64 `json:"kept"`      // in the repaired log as they were, those written again included
	Dropped     int64 `json:"dropped"`   // complete events that go to lost+found
	Repeated    int64 `json:"repeated"`  // of those, the ones that equal a kept event
	Rewritten   int64 `json:"rewritten"` // of those kept, the ones with a changed text
	Spliced     int64 `json:"spliced"`   // taken over from the log of the parent session
	Synthesised int64 `json:"synthesised"`
}

// after returns the events that the repaired log has.
func (l *Ledger) after() int64 { return l.Kept + l.Spliced + l.Synthesised }

// SameAs reports whether p and q would do the same to the same bytes. Paths, and
// words that may quote them, may differ: a log has many names.
func (p *Plan) SameAs(q *Plan) bool {
	a, b := *p, *q
	for _, x := range []*Plan{&a, &b} {
		x.Path, x.Reason, x.Next = "", "", ""
		if x.Splice != nil {
			splice := *x.Splice
			splice.Path, x.Splice = "", &splice
		}
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

// Again returns the number of kept events that are written again.
func (p *Plan) Again() (n int64) {
	for i := range p.Parts {
		for _, s := range p.Parts[i].Lines {
			n += s.Events
		}
	}
	return n
}

// written returns the encoding of the repaired log.
func (p *Plan) written() scan.Encoding {
	if p.Written == scan.Zstd.String() {
		return scan.Zstd
	}
	return scan.Plain
}

// read returns what p reads the log from.
func (p *Plan) read(src io.ReaderAt) *source {
	if len(p.Flips) > 0 {
		src = &scan.Mended{Src: src, Flips: p.Flips}
	}
	return &source{src: src, size: p.Size, encoding: p.Options.Encoding, generation: p.Generation, salvage: !p.Options.LikeDsh}
}

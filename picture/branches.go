package picture

import (
	"slices"

	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// Writer is who wrote a branch, as far as a log shows it.
type Writer uint8

// The writers.
const (
	FirstWriter   Writer = iota // of the branch that is first in the file
	SecondWriter                // another one that went on from the same place
	Recovery                    // dsh's recovery, which closed a turn that went on
	AfterRecovery               // of the session that went on after its turn had been closed
	AfterMarker                 // of the session that went on over the marker of a resume
	LateStream                  // pieces of streamed output that were written late
	LateTail                    // notices without any message that were written late
	FallenCounter               // the same one, whose counter fell back
	Repeater                    // of events that the log has had before
)

var writerWords = [...]string{
	FirstWriter:   "the session, first in the file",
	SecondWriter:  "a second writer that went on from the same place",
	Recovery:      "a recovery that closed a turn which went on",
	AfterRecovery: "the session, which went on after a recovery had closed its turn",
	AfterMarker:   "the session, which went on over the marker of a resume",
	LateStream:    "pieces of streamed output, written late",
	LateTail:      "notices without any message, written late",
	FallenCounter: "the session, with a counter that fell back",
	Repeater:      "events with seqs that the log has had before",
}

// String says who wrote the branch.
func (w Writer) String() string { return writerWords[w] }

// BranchName returns a letter for the branch with an index in [Picture.Branches].
func BranchName(i int) string {
	if i < 0 || i >= 26 {
		return "…"
	}
	return string(rune('A' + i))
}

// Branch is a history that the seqs of a log tell: events that go on from each
// other. There is more than one where seqs occur twice.
type Branch struct {
	Writer Writer
	Parent int   // index of the branch that it goes on from; -1 for none
	From   int64 // seq of its first event
	To     int64 // seq behind its last event
	// Line is the first line of it, LastLine the last one; there may be lines of
	// other branches between them.
	Line, LastLine int
	FileOff        int64 // byte offset in the file of its first line, or of the frame of that
	Events         int64
	Messages       int64 // what a user, a model or a tool said
	Start, End     int64 // times of its first and its last event, epoch ms
	Gaps           []Gap // in the order of the file, at most maxGaps
}

// Gap is seqs [From, To) that are missing.
type Gap struct{ From, To int64 }

// maxGaps bounds the gaps of a branch that are kept.
const maxGaps = 100

// branches follows the seqs of a log.
type branches struct {
	all  []Branch
	cur  *Branch // that the last record belongs to, nil before the first
	more int
	rest Branch // stands for each branch over the limit
	told map[int]Writer
}

// newBranches learns from the findings who wrote what.
func newBranches(result *rules.Result) *branches {
	b := &branches{told: make(map[int]Writer), all: make([]Branch, 0, maxBranches)}
	for i := range result.Findings {
		f := &result.Findings[i]
		if w, ok := writers[f.Rule]; ok {
			b.told[f.Place.Line] = w
		}
		for _, r := range f.Related { // the events that came second
			switch f.Rule {
			case rules.RepairClosers:
				b.told[r.Place.Line] = AfterRecovery
			case rules.StaleEndSeed:
				b.told[r.Place.Line] = AfterMarker
			}
		}
	}
	return b
}

// writers says who wrote a branch that begins at a finding.
var writers = map[*rules.Rule]Writer{
	rules.ForkedLog: SecondWriter, rules.RepairClosers: Recovery, rules.StaleDeltas: LateStream,
	rules.StaleTail: LateTail, rules.SeqRegressed: FallenCounter,
}

// take adds an event or row to its branch, and returns how many events are missing
// before it; a negative number of those that were missing, and are these.
func (b *branches) take(r *scan.Record) (missing int64) {
	seq, ok := r.Seq()
	if !ok || seq < 0 {
		return 0
	}
	late := false
	switch on := b.endingAt(seq); {
	case on != nil:
		b.cur = on
	case b.cur == nil:
		b.begin(r, 0, -1)
		missing = b.skip(seq)
	case b.fills(seq, seq+r.Events()):
		late, missing = true, -r.Events()
	case seq < b.cur.To:
		b.begin(r, seq, b.parentOf(seq))
	default:
		b.cur = b.longest(seq)
		missing = b.skip(seq)
	}
	b.cur.add(r, late)
	return missing
}

// endingAt returns the branch whose next seq is seq: the current one, or else the
// latest of the others.
func (b *branches) endingAt(seq int64) *Branch {
	if b.cur != nil && b.cur.To == seq {
		return b.cur
	}
	for i := range slices.Backward(b.all) {
		if b.all[i].To == seq {
			return &b.all[i]
		}
	}
	return nil
}

// fills reports whether the events [from, to) have been missing in the current
// branch, and takes them out of its gaps.
func (b *branches) fills(from, to int64) bool {
	for i := range b.cur.Gaps {
		if g := &b.cur.Gaps[i]; g.From <= from && to <= g.To {
			if g.From == from {
				g.From = to
			} else {
				g.To = from
			}
			if g.From == g.To {
				b.cur.Gaps = slices.Delete(b.cur.Gaps, i, i+1)
			}
			return true
		}
	}
	return false
}

// begin starts a branch.
func (b *branches) begin(r *scan.Record, seq int64, parent int) {
	branch := Branch{Writer: Repeater, Parent: parent, From: seq, To: seq, Line: r.Line, FileOff: r.FileOff}
	if w, ok := b.told[r.Line]; ok {
		branch.Writer = w
	}
	if parent < 0 && len(b.all) == 0 {
		branch.Writer = FirstWriter
	}
	if len(b.all) == maxBranches {
		b.more++
		b.rest, b.cur = branch, &b.rest
		return
	}
	b.all = append(b.all, branch)
	b.cur = &b.all[len(b.all)-1]
}

// parentOf returns the index of the branch that an event seq goes on from: the
// last one that has events before it.
func (b *branches) parentOf(seq int64) int {
	for i := range slices.Backward(b.all) {
		if b.all[i].From < seq && seq <= b.all[i].To {
			return i
		}
	}
	return -1
}

// longest returns the branch that comes closest to an event seq, which none
// reaches.
func (b *branches) longest(seq int64) *Branch {
	best := b.cur
	for i := range b.all {
		if best.To < b.all[i].To && b.all[i].To < seq {
			best = &b.all[i]
		}
	}
	return best
}

// skip notes that the events up to seq are missing in the current branch.
func (b *branches) skip(seq int64) int64 {
	from := b.cur.To
	if from == seq {
		return 0
	}
	if len(b.cur.Gaps) < maxGaps {
		b.cur.Gaps = append(b.cur.Gaps, Gap{from, seq})
	}
	return seq - from
}

func (b *Branch) add(r *scan.Record, late bool) {
	seq, _ := r.Seq()
	start, end := times(r)
	if b.Events == 0 {
		b.Start = start
	}
	b.Events += r.Events()
	b.LastLine, b.End = r.Line, end
	if !late {
		b.To = seq + r.Events()
	}
	if r.Kind != scan.Event {
		return
	}
	switch r.Event.Kind {
	case session.UserMessage, session.AssistantMessage, session.ToolResult:
		b.Messages++
	}
}

// times returns the times of the first and the last event of a record, in epoch ms.
func times(r *scan.Record) (start, end int64) {
	if r.Kind == scan.Row {
		return r.Row.Time0, r.Row.LastTime
	}
	start, _ = r.Event.Time.SafeInt()
	return start, start
}

// index returns the index of the branch of the last record; -1 for one that is not
// listed.
func (b *branches) index() int {
	for i := range b.all {
		if b.cur == &b.all[i] {
			return i
		}
	}
	return -1
}

func (b *branches) end() []Branch { return b.all }

package repair

import (
	"bytes"
	"crypto/sha256"
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// weight says what is lost with an event.
type weight uint8

// The weights.
const (
	synthetic weight = iota // written by a recovery or a resume: a closer, an end-seed
	plain                   // anything else
	real                    // what a user, the model or a tool said
)

// digest tells events apart by value: 128 bits of the SHA-256 of their canonical
// texts.
type digest [16]byte

func digestOf(canonical []byte) digest {
	sum := sha256.Sum256(canonical)
	return digest(sum[:])
}

// digestsOf returns the digests of the events of a record.
func digestsOf(r *scan.Record) []digest {
	if r.Kind != scan.Row {
		return []digest{digestOf(jsjson.AppendCanonical(nil, r.Event.Root))}
	}
	var digests []digest
	for text := range r.Row.Events() {
		digests = append(digests, digestOf(text))
	}
	return digests
}

// row is what is known of a piece, or of several that are folded, without the text.
type row struct {
	span      Span
	fileOff   int64 // of the piece in a plain log, of its frame in a zstd log
	frame     int   // where it starts; 0 in a plain log
	lastFrame int   // where it ends
	header    bool
	clean     bool // see piece
	torn      bool // in a torn frame
	// seq of the first of its events; the others follow in sequence.
	seq    int64
	events int
	time   int64 // of the last event, epoch ms; 0 when it is no safe integer
	// digests are those of its events, and nil for a row whose seqs no other one has.
	digests []digest
	weight  weight
	kind    session.Type // of an event that is no row
	marker  bool         // it ends the inherited events of a log from v2 on
	junk    string       // why it has no event
	pieces  int          // that it was made from; see fold.go
}

func (r *row) count() int { return r.events }

// end returns the seq behind the last event.
func (r *row) end() int64 { return r.seq + int64(r.events) }

// salvage is a damaged log in rows.
type salvage struct {
	*source
	rows       []row
	frames     []scan.FrameInfo // of a zstd log, numbered from 1 without those that folding took
	apart      seqs             // of the events that are not folded
	folded     int              // frames that folding took
	header     int              // index of the header's row, -1 without one
	headerText []byte
	// newHeader is the header that the log gets, "" when it has its own.
	newHeader string
	// starts says that there is a first event, and started is its time.
	starts  bool
	started int64
	tooLong bool
	// parent has the events of a row of spliced ones, and unspliced says what to do
	// where the first events of the log stay lost.
	parent    *parentLog
	unspliced string
}

// readRows reads the rows of the log. It does not fold those of the seqs apart.
func readRows(s *source, apart seqs) (*salvage, error) {
	l := &salvage{source: s, header: -1, apart: apart}
	s.onFrame = l.addFrame
	for p := range s.pieces() {
		if p.header {
			l.header, l.headerText = len(l.rows), bytes.Clone(p.record.Text)
		}
		l.tooLong = l.tooLong || p.record.Kind == scan.TooLong
		l.addRow(p)
		l.noteStart(p.record)
		l.markStepEnd()
		l.fold()
	}
	s.onFrame = nil
	if s.err != nil {
		return nil, s.err
	}
	l.distrust()
	return l, nil
}

// noteStart takes the time of the first event from the last row.
func (l *salvage) noteStart(r *scan.Record) {
	last := &l.rows[len(l.rows)-1]
	if l.starts || last.count() == 0 || last.seq != 0 {
		return
	}
	l.starts, l.started = true, last.time
	if r.Kind == scan.Row {
		l.started = r.Row.Time0
	}
}

// absentSeq stands for the seq of an event that has none. No chain goes through it.
const absentSeq = -1

// newRow returns the row of a piece, without digests.
func newRow(p *piece) row {
	r := p.record
	row := row{
		span: p.span, fileOff: r.FileOff, frame: r.Frame, lastFrame: r.LastFrame,
		header: p.header, clean: p.clean, torn: r.Torn, junk: p.junk, pieces: 1,
	}
	if r.Frame == 0 {
		row.fileOff = p.span.PlainOff
	}
	if p.header || p.junk != "" {
		return row
	}
	seq, ok := r.Seq()
	if !ok {
		seq = absentSeq
	}
	row.seq = seq
	if r.Kind == scan.Row {
		row.weight, row.time, row.events = plain, r.Row.LastTime, int(r.Events())
		return row
	}
	row.weight, row.events = weigh(&r.Event), 1
	row.kind, row.marker = r.Event.Kind, r.Event.Inherited()
	row.time, _ = r.Event.Time.SafeInt()
	return row
}

// weigh tells what was said from what only keeps the books.
func weigh(e *session.Event) weight {
	switch e.Kind {
	case session.UserMessage:
		return real
	case session.AssistantMessage:
		if e.MessageField("content").Len() > 0 {
			return real
		}
	case session.ToolResult:
		if !strings.HasPrefix(e.MessageField("id").Text(), session.CloserIDPrefix) {
			return real
		}
		return synthetic
	case session.InboxSpliced:
		if e.Field("inserted").Len() > 0 {
			return real
		}
	case session.TurnEnd:
		if e.Field("reason").Get("kind").EqualText("interrupted") {
			return synthetic
		}
	case session.EndSeed:
		return synthetic
	}
	return plain
}

// markStepEnd lowers the weight of the row before a synthetic turn/end when it is
// the end of the step that the same recovery closed.
func (l *salvage) markStepEnd() {
	n := len(l.rows)
	if n < 2 || l.rows[n-1].kind != session.TurnEnd || l.rows[n-1].weight != synthetic {
		return
	}
	if before := &l.rows[n-2]; before.kind == session.StepEnd && before.end() == l.rows[n-1].seq {
		before.weight = synthetic
	}
}

// distrust takes the events away from rows that come from frames which do not
// decode: what was read of them before the damage is unproven.
func (l *salvage) distrust() {
	broken := make(map[int]bool)
	for i := range l.frames {
		if l.frames[i].Err != nil {
			broken[l.frames[i].Number] = true
		}
	}
	if len(broken) == 0 {
		return
	}
	for i := range l.rows {
		if r := &l.rows[i]; broken[r.frame] || broken[r.lastFrame] {
			if r.header {
				r.header, l.header = false, -1
			}
			r.events, r.digests, r.junk = 0, nil, "frame that does not decode"
		}
	}
}

package repair

import (
	"bytes"
	"io"
	"iter"

	"github.com/turnlint/turnlint/diff"
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// Diff returns what the repair does to the events. src is the log that p was made from,
// and the repaired one is the first size bytes of repaired. An error means that one of
// them could not be read.
func (p *Plan) Diff(src, repaired io.ReaderAt, size int64) (*diff.Diff, error) {
	before := &eventLog{source: p.read(src)}
	after := &eventLog{source: &source{src: repaired, size: size, encoding: p.written(), generation: p.Generation}}
	return diff.Compare(before, after)
}

// Events returns the events that a repair of the log in the first size bytes of src
// has to account for: those of damaged lines and behind damaged frames too, and none
// of frames that do not decode. An error means that src could not be read.
func Events(src io.ReaderAt, size int64, encoding scan.Encoding) (diff.Log, error) {
	reader, err := scan.NewReader(src, size, scan.Options{Encoding: encoding})
	if err != nil {
		return nil, err
	}
	c := reader.Container()
	if c.Torn != nil || c.Fault != nil {
		flips, err := scan.FindFlips(src, size)
		if err != nil {
			return nil, err
		}
		src = &scan.Mended{Src: src, Flips: flips}
	}
	generation, err := statedGeneration(src, size, c.Encoding)
	return &eventLog{source: &source{src: src, size: size, encoding: c.Encoding, generation: generation, salvage: true}}, err
}

// StoredEvents is [Events] with the members of each event in the order of a database,
// and those of the header sorted, as [SessionEvents] has them.
func StoredEvents(src io.ReaderAt, size int64, encoding scan.Encoding) (diff.Log, error) {
	log, err := Events(src, size, encoding)
	if err != nil {
		return nil, err
	}
	log.(*eventLog).stored = true
	return log, nil
}

// eventLog is a log as its events.
type eventLog struct {
	*source
	stored bool // see StoredEvents
	header []byte
	broken map[int]bool // frames that do not decode; nil until they have been looked for
}

// Header implements [diff.Log].
func (l *eventLog) Header() []byte {
	if l.stored && l.header != nil {
		return sortMembers(l.header)
	}
	return l.header
}

// Err implements [diff.Log].
func (l *eventLog) Err() error { return l.err }

// Events implements [diff.Log].
func (l *eventLog) Events() iter.Seq[diff.Event] {
	return func(yield func(diff.Event) bool) {
		if l.findBroken(); l.err != nil {
			return
		}
		var text []byte
		for p := range l.pieces() {
			r := p.record
			switch {
			case l.broken[r.Frame] || l.broken[r.LastFrame]:
			case p.header:
				l.header = bytes.Clone(r.Text)
			case p.junk != "" || !r.IsEvent():
			case r.Kind == scan.Row:
				if !members(r, yield) {
					return
				}
			default:
				text = l.appendText(text[:0], &r.Event)
				e := single(r, text)
				e.Mended = p.span.Escape
				if !yield(e) {
					return
				}
			}
		}
	}
}

// appendText appends the canonical text of an event.
func (l *eventLog) appendText(dst []byte, e *session.Event) []byte {
	if l.stored {
		return appendOrdered(dst, e)
	}
	return jsjson.AppendCanonical(dst, e.Root)
}

// single returns the event of a record that is no packed row, with its text.
func single(r *scan.Record, text []byte) diff.Event {
	seq, ok := r.Seq()
	if !ok {
		seq = diff.NoSeq
	}
	madeUp := r.Event.Kind != session.EndSeed && weigh(&r.Event) == synthetic
	return diff.Event{Seq: seq, Type: r.Event.Type.Text(), Text: text, MadeUp: madeUp}
}

// members yields the events of a packed row.
func members(r *scan.Record, yield func(diff.Event) bool) bool {
	seq, _ := r.Seq()
	for text := range r.Row.Events() {
		if !yield(diff.Event{Seq: seq, Type: "assistant/chunk", Text: text}) {
			return false
		}
		seq++
	}
	return true
}

// findBroken looks for frames that do not decode: what can be read of them is unproven.
func (l *eventLog) findBroken() {
	if l.broken != nil {
		return
	}
	l.broken = make(map[int]bool)
	if l.encoding == scan.Plain {
		return
	}
	l.onFrame = func(f scan.FrameInfo) {
		if f.Err != nil {
			l.broken[f.Number] = true
		}
	}
	for range l.records() { // for its frames
	}
	l.onFrame = nil
}

package repair

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
)

// WriteDiff writes what the repair does to the events, as a unified diff with a line
// "seq type" for each event; members of packed rows are events of their own. src is
// the log that p was made from, and the repaired one is the first size bytes of
// repaired. With texts, the lines have the JSON text of the event too, control
// characters escaped; without, the types are all that it shows of the log.
//
// It reads each log twice and keeps its digests: some dozen bytes for every event.
func (p *Plan) WriteDiff(w io.Writer, src, repaired io.ReaderAt, size int64, texts bool) error {
	before := p.read(src)
	after := &source{src: repaired, size: size, encoding: p.written(), generation: p.Generation}
	a, b := before.digests(), after.digests()
	hunks := hunksOf(edits(a, b))
	if err := errors.Join(before.err, after.err); err != nil || len(hunks) == 0 {
		return err
	}
	d := differ{out: bufio.NewWriter(w), texts: texts}
	defer d.open(before, after)()
	fmt.Fprintf(d.out, "--- %s on disk\n+++ %s repaired\n", count(int64(len(a)), "event"), count(int64(len(b)), "event"))
	for i := range hunks {
		d.write(&hunks[i])
	}
	return errors.Join(before.err, after.err, d.out.Flush())
}

// loggedEvent is an event of a log; its text is valid until the next one.
type loggedEvent struct {
	seq  int64
	kind string // its type
	text []byte // canonical
}

// events yields the events of a log, those of packed rows one by one.
func (s *source) events() iter.Seq[loggedEvent] {
	return func(yield func(loggedEvent) bool) {
		var text []byte
		for p := range s.pieces() {
			r := p.record
			if p.junk != "" || !r.IsEvent() {
				continue
			}
			seq, _ := r.Seq()
			if r.Kind == scan.Event {
				text = jsjson.AppendCanonical(text[:0], r.Event.Root)
				if !yield(loggedEvent{seq, r.Event.Type.Text(), text}) {
					return
				}
				continue
			}
			for text := range r.Row.Events() {
				if !yield(loggedEvent{seq, "assistant/chunk", text}) {
					return
				}
				seq++
			}
		}
	}
}

// digests returns the digests of the events; s.err says whether they are all.
func (s *source) digests() (all []digest) {
	for e := range s.events() {
		all = append(all, digestOf(e.text))
	}
	return all
}

// differ writes hunks.
type differ struct {
	out   *bufio.Writer
	texts bool
	a, b  func() (loggedEvent, bool) // the next event of each log
	readA int                        // events read so far
	readB int
}

// open starts to read both logs. The caller calls stop in the end.
func (d *differ) open(before, after *source) (stop func()) {
	a, stopA := iter.Pull(before.events())
	b, stopB := iter.Pull(after.events())
	d.a, d.b = a, b
	return func() { stopA(); stopB() }
}

func (d *differ) nextA() loggedEvent {
	e, _ := d.a()
	d.readA++
	return e
}

func (d *differ) nextB() loggedEvent {
	e, _ := d.b()
	d.readB++
	return e
}

func (d *differ) write(h *hunk) {
	for d.readA < h.a {
		d.nextA()
	}
	for d.readB < h.b {
		d.nextB()
	}
	lenA, lenB := h.lens()
	fmt.Fprintf(d.out, "@@ -%s +%s @@\n", hunkRange(h.a, lenA), hunkRange(h.b, lenB))
	for _, e := range h.edits {
		for range e.n {
			switch e.op {
			case opDelete:
				d.line(e.op, d.nextA())
			case opInsert:
				d.line(e.op, d.nextB())
			default:
				d.nextA()
				d.line(e.op, d.nextB())
			}
		}
	}
}

func (d *differ) line(op op, e loggedEvent) {
	fmt.Fprintf(d.out, "%c%d %s", op, e.seq, escape.Line(e.kind))
	if d.texts {
		fmt.Fprintf(d.out, " %s", escape.Line(string(e.text)))
	}
	d.out.WriteByte('\n')
}

// hunkRange returns events as unified diffs write them: the first one counts from
// 1, and of none it is the one before.
func hunkRange(off, n int) string {
	if n > 0 {
		off++
	}
	if n == 1 {
		return fmt.Sprint(off)
	}
	return fmt.Sprintf("%d,%d", off, n)
}

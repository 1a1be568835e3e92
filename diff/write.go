package diff

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/turnlint/turnlint/internal/escape"
)

// Write writes d as a unified diff with a line "seq type" for each event, below the
// names of the logs; nothing where they are the same. With texts, the lines have the
// JSON text of the event too, control characters escaped; without, the types are all
// that it shows of the logs. It reads each log once more.
func (d *Diff) Write(w io.Writer, before, after string, texts bool) error {
	if d.Same() {
		return nil
	}
	u := unified{out: bufio.NewWriter(w), texts: texts}
	fmt.Fprintf(u.out, "--- %s\n+++ %s\n", before, after)
	if d.HeaderChanged {
		u.header(Delete, d.a.Header())
		u.header(Insert, d.b.Header())
	}
	defer u.open(d)()
	for _, h := range hunksOf(d.runs) {
		u.write(&h)
	}
	return errors.Join(d.Err(), u.out.Flush())
}

// unified writes hunks.
type unified struct {
	out   *bufio.Writer
	texts bool
	a, b  func() (Event, bool) // the next event of each log
	readA int                  // events read so far
	readB int
}

// open starts to read both logs. The caller calls stop in the end.
func (u *unified) open(d *Diff) (stop func()) {
	a, stopA := iter.Pull(d.a.Events())
	b, stopB := iter.Pull(d.b.Events())
	u.a, u.b = a, b
	return func() { stopA(); stopB() }
}

func (u *unified) nextA() Event {
	e, _ := u.a()
	u.readA++
	return e
}

func (u *unified) nextB() Event {
	e, _ := u.b()
	u.readB++
	return e
}

func (u *unified) header(op Op, text []byte) {
	if text == nil {
		return
	}
	fmt.Fprintf(u.out, "%cheader", op)
	u.text(text)
}

func (u *unified) write(h *hunk) {
	for u.readA < h.a {
		u.nextA()
	}
	for u.readB < h.b {
		u.nextB()
	}
	lenA, lenB := h.lens()
	fmt.Fprintf(u.out, "@@ -%s +%s @@\n", hunkRange(h.a, lenA), hunkRange(h.b, lenB))
	for _, e := range h.runs {
		for range e.N {
			switch e.Op {
			case Delete:
				u.line(e.Op, u.nextA())
			case Insert:
				u.line(e.Op, u.nextB())
			default:
				u.nextA()
				u.line(e.Op, u.nextB())
			}
		}
	}
}

func (u *unified) line(op Op, e Event) {
	seq := "-"
	if e.Seq != NoSeq {
		seq = strconv.FormatInt(e.Seq, 10)
	}
	fmt.Fprintf(u.out, "%c%s %s", op, seq, escape.Line(e.Type))
	u.text(e.Text)
}

func (u *unified) text(text []byte) {
	if u.texts {
		fmt.Fprintf(u.out, " %s", escape.Line(string(text)))
	}
	u.out.WriteByte('\n')
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

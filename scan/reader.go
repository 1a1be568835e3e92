package scan

import (
	"io"
	"iter"

	"github.com/turnlint/turnlint/session"
)

// DefaultMaxLine is the longest line, in bytes, that a Reader keeps unless told
// otherwise. dsh itself reads lines up to V8's string limit of about 512 Mi.
const DefaultMaxLine = 64 << 20

// Options of a [Reader].
type Options struct {
	// Encoding of the log; Auto detects it by content.
	Encoding Encoding
	// MaxLine caps the bytes of one line, and with it the memory of the Reader;
	// 0 means DefaultMaxLine. A longer line becomes a record of kind TooLong.
	MaxLine int64
	// Salvage makes the Reader of a zstd log go on behind damage to the frames'
	// structure, where dsh stops: with the next frames that decode. What is left
	// of the frame before them counts as a torn frame, and other bytes are passed
	// over. The Container describes the damage as without Salvage.
	Salvage bool
	// Frame, when set, is called with every frame of a zstd log once it has been
	// decoded, in order, between the records before and behind its end.
	Frame func(FrameInfo)
	// Jobs is how many processors may be used. Up to 1 all work is done as the
	// records are asked for. With more, goroutines do it, of which one after the other
	// runs the body of the loop over the records; some hundred kilobytes of lines are
	// read ahead. What the Reader gives is the same.
	Jobs int
}

// Reader reads a log as a sequence of records. Its memory is the longest line,
// one zstd window and a constant; it does not grow with the log.
type Reader struct {
	lines     lines
	rows      iter.Seq2[*Record, error] // in place of lines, of a session in a database
	record    Record
	container Container
	jobs      int
	err       error
}

// NewReader prepares to read the log in the first size bytes of src. For a zstd
// log it walks the frames' structure first, as dsh does (docs/format.md §1.4).
// An error means that src could not be read; damage never is one.
func NewReader(src io.ReaderAt, size int64, opt Options) (*Reader, error) {
	if opt.Encoding == Auto {
		e, err := Detect(src, size)
		if err != nil {
			return nil, err
		}
		opt.Encoding = e
	}
	if opt.MaxLine == 0 {
		opt.MaxLine = DefaultMaxLine
	}
	r := &Reader{container: Container{Encoding: opt.Encoding, Size: size}, jobs: opt.Jobs}
	r.lines.limit = opt.MaxLine
	if opt.Encoding == Plain {
		r.lines.src = newPlainText(src, size)
		return r, nil
	}
	frames, err := borrowFrameReader(src)
	if err != nil {
		return nil, err
	}
	if err := r.container.walk(frames); err != nil {
		return nil, err
	}
	r.lines.src = newFrameText(frames, &r.container, &opt)
	return r, nil
}

// walk fills in what the structure of a zstd log tells.
func (c *Container) walk(frames *frameReader) error {
	w := newFrameWalker(frames.src, 0, c.Size)
	for {
		f, ok, err := w.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if f.Torn {
			c.Torn = new(f)
		} else {
			c.Frames++
		}
	}
	c.Fault = w.fault
	if c.Torn == nil {
		return nil
	}
	// Decode the torn frame once, to learn whether dsh keeps any of it.
	_, decodes, err := frames.recoverTorn(*c.Torn)
	if err != nil {
		return err
	}
	c.TornDecodes = decodes
	c.Hidden, err = findFrames(frames, min(c.Torn.FileOff+frameMagicLen, c.Size), c.Size)
	return err
}

// Records yields the records of the log in order, those behind the point where
// dsh stops reading included. The text behind the last LF is a record too. It
// may be called once.
func (r *Reader) Records() iter.Seq[*Record] {
	switch {
	case r.rows != nil:
		return r.yieldRows
	case r.jobs > 1:
		return newRelay(r).records
	}
	r.record.Doc.Skeletons = session.NewSkeletons()
	return func(yield func(*Record) bool) {
		for number := 1; ; number++ {
			l, more := r.nextLine()
			if !more {
				return
			}
			r.record.set(l, number)
			if !yield(&r.record) {
				return
			}
		}
	}
}

// nextLine returns the next line, valid until the next call. Behind the last one
// it completes what is known of the log.
func (r *Reader) nextLine() (l *line, more bool) {
	l, err := r.lines.next()
	if err == nil {
		return l, true
	}
	if err != io.EOF {
		r.err = err
	}
	if r.container.Encoding == Plain {
		r.container.TextLen = r.lines.off
	}
	return nil, false
}

// Err returns the error that ended Records early. It is never about damage.
func (r *Reader) Err() error { return r.err }

// Container returns what the file around the records is. It is complete after
// Records has yielded the last one.
func (r *Reader) Container() *Container { return &r.container }

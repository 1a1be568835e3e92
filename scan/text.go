package scan

import (
	"bytes"
	"errors"
	"io"
)

// textChunk is the number of bytes of text handled at a time; of a small zstd log
// no more than smallChunk for each byte of the file.
const (
	textChunk  = 64 << 10
	smallChunk = 32
)

// text is the decoded text of a log, in chunks that know where they come from.
type text interface {
	// next returns the next chunk, valid until the next call. It returns io.EOF
	// at the end; a *FrameError for a frame without plaintext, and errGap where
	// the plaintext of a frame breaks off, as every damaged one counts when all that
	// can be read is wanted. Behind both the text goes on with the next frame.
	next() (chunk []byte, err error)
	// origin returns where the last chunk comes from.
	origin() origin
}

// origin is what a line keeps of the frame that a part of it comes from.
type origin struct {
	frame   int // 0 in a plain log
	fileOff int64
	torn    bool
}

// errGap ends the plaintext of a frame that breaks off.
var errGap = errors.New("gap in the text")

// plainText is the text of a plain log: its bytes.
type plainText struct {
	r    io.Reader
	left int64 // bytes of the file that have not come yet
	buf  []byte
}

func newPlainText(r io.ReaderAt, size int64) *plainText {
	return &plainText{io.NewSectionReader(r, 0, size), size, make([]byte, min(size, textChunk))}
}

// next tells a file that has become shorter from the end of the log: its tail
// would look torn.
func (t *plainText) next() ([]byte, error) {
	chunk, err := readChunk(t.r, t.buf)
	t.left -= int64(len(chunk))
	if err == io.EOF && t.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	return chunk, err
}

func (t *plainText) origin() origin { return origin{} }

// readChunk reads once, and again only while nothing comes, so that a chunk and
// an error never arrive together.
func readChunk(r io.Reader, buf []byte) ([]byte, error) {
	for {
		n, err := r.Read(buf)
		if n > 0 {
			return buf[:n], nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// frameText is the text of a zstd log: the plaintexts of its frames, one after
// the other.
type frameText struct {
	walk    frames
	salvage bool
	frames  *frameReader
	c       *Container
	onFrame func(FrameInfo)

	ahead   *frameAhead   // in place of walk, or nil
	decoded *decodedFrame // current, if it was decoded ahead
	rest    []byte        // of its text

	current FrameInfo
	open    bool // current has more plaintext
	buf     []byte
	inLine  bool  // the text so far does not end in LF
	firstLF int64 // offset of the first LF in the first frame, -1 before it is seen
}

func newFrameText(frames *frameReader, c *Container, opt *Options) *frameText {
	t := &frameText{
		walk: newFrameWalker(frames.src, 0, c.Size), frames: frames, c: c, onFrame: opt.Frame,
		buf: make([]byte, min(textChunk, smallChunk*(1+c.Size))), firstLF: -1,
	}
	switch {
	case opt.Salvage:
		t.walk, t.salvage = newSalvager(frames, c.Size), true
	case worthAhead(c, opt):
		t.ahead = &frameAhead{src: frames.src, walk: newFrameWalker(frames.src, 0, c.Size), jobs: opt.Jobs}
	}
	return t
}

func (t *frameText) origin() origin {
	f := &t.current
	return origin{f.Number, f.FileOff, f.Torn}
}

func (t *frameText) next() ([]byte, error) {
	for {
		if !t.open {
			if err := t.openNext(); err != nil {
				return nil, err
			}
		}
		chunk, err := t.read()
		if err == nil {
			t.add(chunk)
			return chunk, nil
		}
		t.open = false
		if err := t.endFrame(err); err != nil {
			return nil, err
		}
	}
}

// read returns more of the plaintext of the current frame.
func (t *frameText) read() ([]byte, error) {
	if t.decoded == nil {
		return readChunk(t.frames, t.buf)
	}
	if len(t.rest) == 0 {
		return nil, t.decoded.err
	}
	chunk := t.rest
	t.rest = nil
	return chunk, nil
}

// nextFrame returns the next frame, which may have been decoded already.
func (t *frameText) nextFrame() (f Frame, ok bool, err error) {
	if t.ahead == nil {
		return t.walk.next()
	}
	d, text, err := t.ahead.next()
	if d == nil {
		return Frame{}, false, err
	}
	if t.decoded, t.rest = nil, nil; d.decoded {
		t.decoded, t.rest = d, text
	}
	return d.Frame, true, nil
}

// openNext moves to the next frame that has text.
func (t *frameText) openNext() error {
	f, ok, err := t.nextFrame()
	if err != nil {
		return err
	}
	if !ok || f.Torn && !t.c.TornDecodes && !t.salvage {
		t.frames.giveBack()
		return io.EOF
	}
	apart := false
	if t.salvage && t.inLine && !f.Torn {
		if apart, err = t.isBroken(f); err != nil {
			return err
		}
	}
	t.current = FrameInfo{Frame: f, PlainOff: t.c.TextLen}
	if t.decoded == nil {
		t.frames.Reset(f)
	}
	t.open = true
	if apart {
		return errGap
	}
	return nil
}

// isBroken reports whether a frame does not decode. Its text then is no rest of the
// line that the frames before it begin, which may be complete without.
func (t *frameText) isBroken(f Frame) (bool, error) {
	intact, err := t.frames.intact(f)
	return !intact, err
}

func (t *frameText) add(chunk []byte) {
	if t.current.Number == 1 && t.firstLF < 0 {
		if i := bytes.IndexByte(chunk, '\n'); i >= 0 {
			t.firstLF = t.current.PlainLen + int64(i)
		}
	}
	t.inLine = chunk[len(chunk)-1] != '\n'
	t.current.PlainLen += int64(len(chunk))
	t.c.TextLen += int64(len(chunk))
	if !t.current.Torn {
		t.c.CompleteLen += int64(len(chunk))
	}
}

// endFrame books the frame that ended with err and passes on what is not a
// plain end.
func (t *frameText) endFrame(err error) error {
	broken, damaged := errors.AsType[*FrameError](err)
	if damaged {
		t.c.addBroken(broken)
		t.current.Err = broken
	} else if err != io.EOF {
		return err
	}
	if t.current.Number == 1 {
		t.c.HeaderFrame = broken == nil && t.firstLF >= 0 && t.firstLF == t.current.PlainLen-1
	}
	if t.onFrame != nil {
		t.onFrame(t.current)
	}
	switch {
	case broken != nil && !t.salvage:
		return broken
	case broken != nil, t.current.Torn:
		return errGap
	}
	return nil
}

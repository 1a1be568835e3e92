package scan

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"
)

// FrameCause says why a frame does not decode, although the walk passes it.
type FrameCause string

// The causes, in the order in which they are looked for (docs/format.md §1.6).
const (
	CauseWindow      FrameCause = "window over 128 MiB"
	CauseDictionary  FrameCause = "dictionary needed"
	CauseBlockSize   FrameCause = "block larger than the window or 128 KiB"
	CauseData        FrameCause = "corrupt compressed data"
	CauseContentSize FrameCause = "content size differs"
	CauseChecksum    FrameCause = "checksum differs"
)

// FrameError is the damage found when a frame is decoded. It is a property of
// the log; errors of the file itself are never of this type.
type FrameError struct {
	Frame Frame
	Cause FrameCause
}

func (e *FrameError) Error() string {
	return fmt.Sprintf("frame %d at offset %d: %s", e.Frame.Number, e.Frame.FileOff, e.Cause)
}

// frameReader reads the plaintext of one frame at a time. It streams: memory is
// the window of the largest frame so far, at most 128 MiB, and some buffers.
type frameReader struct {
	src      io.ReaderAt
	feed     blockFeed
	dec      *zstd.Decoder
	sum      *xxhash.Digest
	frame    Frame
	plainLen int64  // bytes of plaintext read from the frame
	err      error  // sticky: io.EOF, *FrameError, or I/O
	largest  uint64 // bytes of the largest window so far
}

// newFrameReader returns a reader for the frames of src. It reads nothing until
// Reset has chosen a frame.
func newFrameReader(src io.ReaderAt) (*frameReader, error) {
	dec, err := zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(false), // buffers for whole blocks from the start, instead of growing ones
		zstd.WithDecoderMaxWindow(maxFrameWindow))
	if err != nil {
		return nil, err
	}
	r := &frameReader{src: src, dec: dec, sum: xxhash.New(), err: io.EOF}
	r.feed.in = bufio.NewReaderSize(nil, feedBuffer)
	return r, nil
}

// idleReaders are kept for those who read a frame or two of many files, because a
// new decoder costs more than a small frame.
var idleReaders sync.Pool

// maxIdleWindow is the largest window, in bytes, that the decoder of an idle
// reader may have allocated.
const maxIdleWindow = 8 << 20

// borrowFrameReader is [newFrameReader] for a reader that is given back.
func borrowFrameReader(src io.ReaderAt) (*frameReader, error) {
	if r, ok := idleReaders.Get().(*frameReader); ok {
		r.src = src
		return r, nil
	}
	return newFrameReader(src)
}

// giveBack ends the use of a borrowed reader.
func (r *frameReader) giveBack() {
	if r.largest > maxIdleWindow || r.dec.Reset(nil) != nil {
		r.close()
		return
	}
	r.src, r.feed.section, r.err = nil, io.SectionReader{}, io.EOF
	idleReaders.Put(r)
}

// close frees the decoder.
func (r *frameReader) close() {
	r.dec.Close()
}

// Reset makes the plaintext of f the next to be read. f comes from a
// frameWalker over the same file.
func (r *frameReader) Reset(f Frame) {
	r.frame, r.plainLen, r.err = f, 0, nil
	r.sum.Reset()
	switch {
	case f.HeaderLen == 0:
		r.err = io.EOF // torn before the first block: there is no plaintext
	case f.Window > maxFrameWindow:
		r.err = &FrameError{Frame: f, Cause: CauseWindow}
	case f.DictID != 0:
		r.err = &FrameError{Frame: f, Cause: CauseDictionary}
	default:
		r.feed.reset(r.src, f)
		r.largest = max(r.largest, r.feed.window())
		r.err = r.dec.Reset(&r.feed)
	}
}

// Read implements io.Reader. Bytes given before a *FrameError are not verified.
// A complete frame ends with io.EOF only when its blocks decode and its content
// size and checksum, where declared, are right; a torn one when its blocks
// decode to no more than the content size, since no more can be known for it.
func (r *frameReader) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.dec.Read(p)
	r.plainLen += int64(n)
	if r.frame.Checksum {
		r.sum.Write(p[:n])
	}
	switch {
	case err != nil && err != io.EOF:
		r.err = r.cause()
	case r.frame.ContentSize >= 0 && r.plainLen > r.frame.ContentSize:
		r.err = r.damage(CauseContentSize)
	case err == io.EOF:
		r.err = r.end()
	}
	return n, r.err
}

// cause returns the reason for an error of the decoder. Its own errors differ
// between decoders and versions, so they all count as corrupt data.
func (r *frameReader) cause() error {
	if r.feed.err != nil {
		return r.feed.err
	}
	return r.damage(CauseData)
}

// end checks what can be checked only behind the last block.
func (r *frameReader) end() error {
	f := &r.frame
	if f.Torn {
		return io.EOF
	}
	if f.ContentSize >= 0 && r.plainLen != f.ContentSize {
		return r.damage(CauseContentSize)
	}
	if !f.Checksum {
		return io.EOF
	}
	stored, err := r.feed.checksum()
	if err != nil {
		return err
	}
	if stored != uint32(r.sum.Sum64()) {
		return r.damage(CauseChecksum)
	}
	return io.EOF
}

func (r *frameReader) damage(cause FrameCause) error {
	return &FrameError{Frame: r.frame, Cause: cause}
}

// recoverTorn decodes the torn frame f once and returns how many bytes of
// plaintext it gives; the caller then reads them after another Reset(f). ok is
// false when the bytes are damaged and not only cut: dsh then recovers nothing
// of the frame, not even the blocks before the damage (docs/format.md §1.5).
func (r *frameReader) recoverTorn(f Frame) (plainLen int64, ok bool, err error) {
	plainLen, err = r.drain(f)
	if isDamage(err) {
		return 0, false, nil
	}
	return plainLen, err == nil, err
}

// intact reports whether the complete frame f decodes to what it declares.
func (r *frameReader) intact(f Frame) (bool, error) {
	_, err := r.drain(f)
	if isDamage(err) {
		return false, nil
	}
	return err == nil, err
}

// drain decodes f and returns the length of its plaintext in bytes.
func (r *frameReader) drain(f Frame) (int64, error) {
	r.Reset(f)
	return io.Copy(io.Discard, r)
}

// isDamage reports whether err lies in the frame and not in reading the file.
func isDamage(err error) bool {
	_, ok := errors.AsType[*FrameError](err)
	return ok
}

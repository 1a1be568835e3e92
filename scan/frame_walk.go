package scan

import (
	"fmt"
	"io"
)

// FaultKind is a kind of structural corruption of a zstd log.
type FaultKind uint8

// The faults that the structural walk finds (docs/format.md §1.3). dsh refuses
// a log with any of them before it decodes a frame.
const (
	BadMagic      FaultKind = iota // at least four bytes that do not start a zstd frame; skippable frames count
	ReservedBit                    // bit 3 or 4 of a frame header descriptor is set
	ReservedBlock                  // a block header has the reserved type 3
)

var faultNames = [...]string{BadMagic: "bad magic", ReservedBit: "reserved bit", ReservedBlock: "reserved block type"}

// String returns a short name such as "bad magic".
func (k FaultKind) String() string {
	if int(k) < len(faultNames) {
		return faultNames[k]
	}
	return fmt.Sprintf("fault %d", uint8(k))
}

// FrameFault is structural corruption found by the walk, which cannot go on
// behind it.
type FrameFault struct {
	Kind FaultKind
	// FileOff is the byte that dsh names in its message: the start of the frame
	// for BadMagic, the descriptor for ReservedBit, the first byte of the block
	// header for ReservedBlock.
	FileOff int64
	Number  int // of the faulty frame, from 1
}

// walkBuffer is the bytes a walk reads at a time. It holds dozens of the small
// frames that dsh writes for each batch, and costs little more than the three
// bytes needed when large blocks make every read a jump.
const walkBuffer = 8 << 10

// frameWalker cuts a file into zstd frames by their structure alone, as in
// docs/format.md §1.3. It skips payloads instead of reading them, and its memory
// is constant.
type frameWalker struct {
	r      io.ReaderAt
	size   int64 // end of the file
	off    int64 // file offset of the next unread byte
	number int   // complete frames so far
	ended  bool
	err    error // I/O

	buf    []byte // bytes of the file from bufOff
	bufOff int64

	// trace, when it has room, gets the offsets of the bytes that make up the
	// structure, as far as they fit.
	trace []int64

	// fault is the corruption that ended the walk, if any.
	fault *FrameFault
	// tornStart is the file offset of the torn frame that ended the walk, or -1.
	tornStart int64
}

// newFrameWalker returns a walker over the bytes [off, size) of r, where size is
// the length of the file. Frames are numbered from 1 at off.
func newFrameWalker(r io.ReaderAt, off, size int64) *frameWalker {
	return &frameWalker{r: r, off: off, size: size, buf: make([]byte, 0, max(0, min(walkBuffer, size-off))), bufOff: off, tornStart: -1}
}

// next returns the next frame. A torn frame is returned too, as the last one,
// with Torn set. ok is false at the end: of the file, behind a torn frame, at a
// fault. err is an I/O error only.
func (w *frameWalker) next() (f Frame, ok bool, err error) {
	if w.ended || w.off >= w.size {
		return Frame{}, false, w.err
	}
	f = Frame{Number: w.number + 1, FileOff: w.off, ContentSize: -1}
	if w.header(&f) && w.blocks(&f) && w.trailer(&f) {
		w.number++
		f.Len = w.off - f.FileOff
		return f, true, nil
	}
	w.ended = true
	if w.err != nil || w.fault != nil {
		return Frame{}, false, w.err
	}
	w.tornStart = f.FileOff
	f.Torn = true
	f.Len = w.size - f.FileOff
	return f, true, nil
}

// header, blocks and trailer each walk one part of a frame and report whether
// it is complete. When it is not, w.err or w.fault says why; when neither is
// set the frame is torn.

func (w *frameWalker) header(f *Frame) bool {
	magic := w.bytes(frameMagicLen)
	if magic == nil {
		return false
	}
	if string(magic) != frameMagic {
		return w.fail(BadMagic, f.FileOff)
	}
	p := w.bytes(1)
	if p == nil {
		return false
	}
	descriptor := p[0]
	if descriptor&descriptorReserved != 0 {
		return w.fail(ReservedBit, f.FileOff+frameMagicLen)
	}
	fields := w.bytes(headerFieldsLen(descriptor))
	if fields == nil {
		return false
	}
	f.setHeader(descriptor, fields)
	return true
}

func (w *frameWalker) blocks(f *Frame) bool {
	for {
		start := w.off
		p := w.bytes(blockHeaderLen)
		if p == nil {
			return false
		}
		h := parseBlockHeader(p)
		if h.kind == blockReserved {
			return w.fail(ReservedBlock, start)
		}
		if w.size-w.off < h.payload() {
			return false
		}
		w.off += h.payload()
		f.Blocks++
		if h.last {
			return true
		}
	}
}

func (w *frameWalker) trailer(f *Frame) bool {
	if !f.Checksum {
		return true
	}
	if w.size-w.off < frameChecksumLen {
		return false
	}
	w.off += frameChecksumLen
	return true
}

// fail notes a fault; it returns false for the caller to pass on.
func (w *frameWalker) fail(kind FaultKind, off int64) bool {
	w.fault = &FrameFault{Kind: kind, FileOff: off, Number: w.number + 1}
	return false
}

// bytes consumes the next n bytes, valid until the next call. It returns nil
// when the file ends before them, or when they cannot be read (w.err).
func (w *frameWalker) bytes(n int) []byte {
	if w.size-w.off < int64(n) {
		return nil
	}
	i := w.off - w.bufOff
	if i+int64(n) > int64(len(w.buf)) {
		if w.err = w.fill(); w.err != nil {
			return nil
		}
		i = 0
	}
	for at := w.off; at < w.off+int64(n) && len(w.trace) < cap(w.trace); at++ {
		w.trace = append(w.trace, at)
	}
	w.off += int64(n)
	return w.buf[i : i+int64(n)]
}

// fill moves the buffer to the current offset.
func (w *frameWalker) fill() error {
	n := min(int64(cap(w.buf)), w.size-w.off)
	w.buf, w.bufOff = w.buf[:n], w.off
	return readFullAt(w.r, w.buf, w.off)
}

// readFullAt fills p from file offset off. A file that is shorter than it was
// when its size was taken gives io.ErrUnexpectedEOF.
func readFullAt(r io.ReaderAt, p []byte, off int64) error {
	n, err := io.ReadFull(io.NewSectionReader(r, off, int64(len(p))), p)
	if n == len(p) {
		return nil
	}
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

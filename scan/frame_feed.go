package scan

import (
	"bufio"
	"io"
)

// feedBuffer is the bytes read from the file at a time while a frame is decoded.
const feedBuffer = 64 << 10

// blockFeed re-frames one frame of a file: read to its end, it gives a frame
// that any decoder of RFC 8878 takes, with the plaintext that dsh would get from
// the original (docs/format.md §1.5). Three things need that:
//
//   - a torn frame has no last block, and a torn raw block holds plaintext that a
//     decoder of whole blocks would lose;
//   - the limits on window and blocks are ours to check, since decoders differ;
//   - checksum and content size are checked by frameReader, which can then tell
//     one cause from another.
//
// So every complete block is copied with its last-block bit cleared, a torn raw
// block is cut to what is there, a torn block of another type is left out, and
// an empty last block closes the frame.
type blockFeed struct {
	frame   Frame
	section io.SectionReader // the frame behind its header
	in      *bufio.Reader
	rest    int64 // bytes of the section behind the blocks given so far; 0 behind the last block

	out     [frameMagicLen + 2]byte // backs pending
	pending []byte                  // header bytes to give next
	payload int64                   // then so many bytes of in
	closed  bool                    // the closing block has been given

	err error // *FrameError, or an I/O error of the file
}

// reset starts the frame f of src. Its header must be complete.
func (b *blockFeed) reset(src io.ReaderAt, f Frame) {
	b.frame = f
	b.rest = f.Len - int64(f.HeaderLen)
	b.section = *io.NewSectionReader(src, f.FileOff+int64(f.HeaderLen), b.rest)
	b.in.Reset(&b.section)
	b.payload, b.closed, b.err = 0, false, nil
	b.pending = append(append(b.out[:0], frameMagic...), 0, windowDescriptor(b.window()))
}

// window returns the bytes of history that the blocks need: what the frame asks
// for, but no more than its blocks can hold, so that a few bytes that declare a
// window of 128 MiB do not make the decoder allocate it.
func (b *blockFeed) window() uint64 {
	blocks := uint64(b.frame.Blocks)
	if b.frame.Torn {
		blocks++
	}
	return min(b.frame.Window, blocks*b.frame.blockMax())
}

// Read implements io.Reader over the re-framed bytes.
func (b *blockFeed) Read(p []byte) (int, error) {
	for len(b.pending) == 0 && b.payload == 0 {
		if b.err != nil {
			return 0, b.err
		}
		if b.closed {
			return 0, io.EOF
		}
		b.err = b.nextBlock()
	}
	if len(b.pending) > 0 {
		n := copy(p, b.pending)
		b.pending = b.pending[n:]
		return n, nil
	}
	n, err := b.in.Read(p[:min(int64(len(p)), b.payload)])
	b.payload -= int64(n)
	if err != nil {
		b.err = noEOF(err)
	}
	return n, b.err
}

// nextBlock sets pending and payload for the next block of the frame, or for the
// block that closes it.
func (b *blockFeed) nextBlock() error {
	if b.rest < blockHeaderLen {
		b.close()
		return nil
	}
	p, err := b.in.Peek(blockHeaderLen)
	if err != nil {
		return noEOF(err)
	}
	h := parseBlockHeader(p)
	b.in.Discard(blockHeaderLen) // cannot fail: the bytes are in the buffer
	b.rest -= blockHeaderLen
	if h.kind != blockRLE && h.size > b.frame.blockMax() {
		return &FrameError{Frame: b.frame, Cause: CauseBlockSize}
	}
	if b.rest < h.payload() {
		if h.kind != blockRaw {
			b.close()
			return nil
		}
		h.size = uint64(b.rest)
	}
	return b.emit(h)
}

// emit passes a block on that is complete, or was cut to be.
func (b *blockFeed) emit(h blockHeader) error {
	if h.size > b.frame.blockMax() {
		return &FrameError{Frame: b.frame, Cause: CauseBlockSize}
	}
	b.payload = h.payload()
	b.rest -= b.payload
	if h.last {
		b.rest = 0
	}
	h.last = false
	// libzstd's streaming decoder skips a compressed block of no bytes, which
	// other decoders refuse as too small.
	if h.kind == blockCompressed && h.size == 0 {
		h.kind = blockRaw
	}
	header := h.encode()
	b.pending = append(b.out[:0], header[:]...)
	return nil
}

// close makes the empty last block the next to be given.
func (b *blockFeed) close() {
	header := blockHeader{last: true, kind: blockRaw}.encode()
	b.pending = append(b.out[:0], header[:]...)
	b.closed = true
}

// checksum returns the stored checksum of a complete frame that has been read to
// the end.
func (b *blockFeed) checksum() (uint32, error) {
	p, err := b.in.Peek(frameChecksumLen)
	if err != nil {
		return 0, noEOF(err)
	}
	return uint32(littleEndian(p)), nil
}

// noEOF turns an end of file inside a frame, which the walk has seen complete,
// into the error of a file that shrank meanwhile.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

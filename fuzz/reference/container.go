package reference

import (
	"encoding/binary"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// Frame is a zstd frame as the walk cuts it out (docs/format.md §1.3).
type Frame struct {
	Off  int    // file offset
	Data []byte // all its bytes, or those that are there of a torn one

	// Of the frame header, as far as that is complete.

	window   uint64 // bytes
	content  uint64 // bytes of text, where declared
	declared bool
	dict     uint32
	checksum bool

	blocks []block
	cut    *block // the incomplete block of a torn frame, if its header is complete
}

type block struct {
	kind    uint32
	size    int // as its header says
	payload []byte
}

// Kinds of blocks (RFC 8878 §3.1.1.2.2).
const (
	raw = iota
	rle
	compressed
	reserved
)

// Walk is what the structure of a compressed log is.
type Walk struct {
	Frames []Frame
	Torn   *Frame // nil when the file ends behind a frame
	Fault  string // dsh's message, "" without a fault
}

// WalkFrames cuts a file into frames (docs/format.md §1.3; W1 to W9 are its steps).
func WalkFrames(file []byte) Walk {
	var w Walk
	for off := 0; off < len(file); {
		f := Frame{Off: off}
		n, fault := f.walk(file[off:])
		switch {
		case fault != "":
			w.Fault = "corrupt Zstandard session log: " + fault
			return w
		case n == torn:
			f.Data = file[off:]
			w.Torn = &f
			return w
		}
		f.Data = file[off : off+n]
		w.Frames = append(w.Frames, f)
		off += n
	}
	return w
}

const torn = -1

// walk returns the length of the frame at the start of b, or torn.
func (f *Frame) walk(b []byte) (n int, fault string) {
	if len(b) < 4 {
		return torn, "" // W1
	}
	if binary.LittleEndian.Uint32(b) != 0xFD2FB528 {
		return 0, fmt.Sprintf("invalid frame magic at byte %d", f.Off) // W2
	}
	if len(b) == 4 {
		return torn, "" // W3
	}
	descriptor := b[4]
	if descriptor&0x18 != 0 {
		return 0, fmt.Sprintf("reserved frame-header bit at byte %d", f.Off+4) // W4
	}
	length, ok := f.fields(descriptor, b[5:])
	if !ok {
		return torn, "" // W5
	}
	at := 5 + length
	for last := false; !last; {
		if len(b)-at < 3 {
			return torn, "" // W6
		}
		h := uint32(b[at]) | uint32(b[at+1])<<8 | uint32(b[at+2])<<16
		last = h&1 != 0
		bl := block{kind: h >> 1 & 3, size: int(h >> 3)}
		if bl.kind == reserved {
			return 0, fmt.Sprintf("reserved block type at byte %d", f.Off+at) // W7
		}
		at += 3
		p := bl.size
		if bl.kind == rle {
			p = 1
		}
		if len(b)-at < p {
			bl.payload = b[at:]
			f.cut = &bl
			return torn, "" // W8
		}
		bl.payload = b[at : at+p]
		f.blocks = append(f.blocks, bl)
		at += p
	}
	if f.checksum {
		if len(b)-at < 4 {
			return torn, "" // W9
		}
		at += 4
	}
	return at, ""
}

// fields reads the rest of a frame header and returns its length; ok is false when
// the file ends before.
func (f *Frame) fields(descriptor byte, b []byte) (n int, ok bool) {
	f.checksum = descriptor&4 != 0
	single := descriptor&0x20 != 0
	dictLen := [...]int{0, 1, 2, 4}[descriptor&3]
	contentLen := [...]int{0, 2, 4, 8}[descriptor>>6]
	windowLen := 1
	if single {
		windowLen = 0
		if contentLen == 0 {
			contentLen = 1
		}
	}
	if len(b) < windowLen+dictLen+contentLen {
		return 0, false
	}
	if !single {
		base := uint64(1) << (10 + b[0]>>3)
		f.window = base + base/8*uint64(b[0]&7)
	}
	b = b[windowLen:]
	f.dict = uint32(little(b[:dictLen]))
	f.content, f.declared = little(b[dictLen:dictLen+contentLen]), contentLen > 0
	if contentLen == 2 {
		f.content += 256
	}
	if single {
		f.window = f.content
	}
	return windowLen + dictLen + contentLen, true
}

func little(b []byte) (n uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		n = n<<8 | uint64(b[i])
	}
	return n
}

// Limits of docs/format.md §1.6, in bytes.
const (
	maxWindow = 1 << 27
	maxBlock  = 128 << 10
)

// MaxText is the bytes of text of one frame that this package decodes. A file with
// a longer one is none for it; see [ErrTooLong].
const MaxText = 1 << maxTextLog

const maxTextLog = 21

// ErrTooLong is returned for a file that decodes to more than MaxText a frame.
var ErrTooLong = fmt.Errorf("a frame has over %d bytes of text", MaxText)

// decoder may be used by several goroutines at once.
var decoder = newDecoder()

func newDecoder() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderMaxMemory(MaxText))
	if err != nil {
		panic(err) // the options are constants
	}
	return d
}

// limits reports whether the frame keeps the limits of docs/format.md §1.6.
func (f *Frame) limits() bool {
	for i := range f.blocks {
		if !f.fits(&f.blocks[i]) {
			return false
		}
	}
	return f.window <= maxWindow && f.dict == 0
}

func (f *Frame) fits(b *block) bool { return uint64(b.size) <= min(f.window, maxBlock) }

// Text decodes a complete frame; ok is false when it does not decode to what it
// declares. The error is ErrTooLong.
func (f *Frame) Text() (text []byte, ok bool, err error) {
	if !f.limits() {
		return nil, false, nil
	}
	if f.declared && f.content > MaxText {
		return nil, false, ErrTooLong
	}
	return f.decode(f.blocks, f.checksum, f.declared)
}

// decode puts blocks into a frame of its own and decodes that. The frame has no
// content size and a window of MaxText: the blocks were checked against the true one,
// and no text that is decoded here reaches back further.
func (f *Frame) decode(blocks []block, checksum, whole bool) (text []byte, ok bool, err error) {
	var flags byte
	if checksum {
		flags = 4
	}
	file := []byte{0x28, 0xB5, 0x2F, 0xFD, flags, (maxTextLog - 10) << 3}
	room := MaxText
	for _, b := range blocks {
		if b.kind == compressed && b.size == 0 {
			b.kind = raw // dsh's decoder skips it (docs/format.md §1.5)
		}
		if b.kind != compressed {
			room -= b.size
		}
		h := b.kind<<1 | uint32(b.size)<<3
		file = append(file, byte(h), byte(h>>8), byte(h>>16))
		file = append(file, b.payload...)
	}
	if room < 0 {
		return nil, false, ErrTooLong
	}
	file = append(file, 1, 0, 0) // an empty raw block is the last one
	if checksum {
		file = append(file, f.Data[len(f.Data)-4:]...)
	}
	text, err = decoder.DecodeAll(file, nil)
	switch {
	case err == zstd.ErrDecoderSizeExceeded:
		return nil, false, ErrTooLong
	case err != nil, whole && uint64(len(text)) != f.content, f.declared && uint64(len(text)) > f.content:
		return nil, false, nil
	}
	return text, true, nil
}

// Recover decodes what dsh takes of a torn frame (docs/format.md §1.5).
func (f *Frame) Recover() (text []byte, err error) {
	if !f.limits() || f.cut != nil && f.cut.kind != rle && !f.fits(f.cut) {
		return nil, nil
	}
	blocks := f.blocks
	if f.cut != nil && f.cut.kind == raw {
		blocks = append(blocks[:len(blocks):len(blocks)], block{raw, len(f.cut.payload), f.cut.payload})
	}
	text, _, err = f.decode(blocks, false, false)
	return text, err
}

package scan

import (
	"encoding/binary"
	"math"
)

// Limits that the reference reader puts on a frame that it decodes
// (docs/format.md §1.6). The structural walk does not apply them.
const (
	maxFrameWindow = 128 << 20 // bytes; libzstd's default, ZSTD_WINDOWLOG_LIMIT_DEFAULT 27
	maxFrameBlock  = 128 << 10 // bytes; Block_Maximum_Size, RFC 8878 §3.1.1.2.4
)

// frameMagic starts every frame (RFC 8878 §3.1.1): 0xFD2FB528, little-endian.
const frameMagic = "\x28\xB5\x2F\xFD"

// Bits of the frame header descriptor (RFC 8878 §3.1.1.1.1).
const (
	descriptorDictionary    = 0x03
	descriptorChecksum      = 0x04
	descriptorReservedBit   = 0x08
	descriptorReserved      = 0x18 // dsh wants the unused bit 4 of a log to be zero too
	descriptorSingleSegment = 0x20
	descriptorContentShift  = 6
)

const (
	frameMagicLen    = 4
	blockHeaderLen   = 3
	frameChecksumLen = 4
)

// Block types (RFC 8878 §3.1.1.2.2).
const (
	blockRaw = iota
	blockRLE
	blockCompressed
	blockReserved
)

// Frame describes one zstd frame of a log, complete or torn, as the structural
// walk of docs/format.md §1.3 sees it. Nothing here has been decoded.
type Frame struct {
	Number      int    // from 1
	FileOff     int64  // file offset of the magic
	Len         int64  // bytes in the file; up to the end of the file for a torn frame
	HeaderLen   int    // bytes from the magic to the first block header; 0 when the file ends before that
	Window      uint64 // bytes of history a decoder needs; the content size for a single-segment frame
	ContentSize int64  // declared bytes of plaintext, -1 when not declared; values over 2^63-1 are held at that
	Checksum    bool   // the low 32 bits of the plaintext's XXH64 follow the last block
	DictID      uint32 // 0 means no dictionary
	Blocks      int    // complete blocks
	Torn        bool   // the file ends inside the frame
}

// blockMax returns the largest size field that a block of the frame may have.
func (f *Frame) blockMax() uint64 {
	return min(f.Window, maxFrameBlock)
}

// headerFieldsLen returns the bytes between the descriptor and the first block
// header: window descriptor, dictionary id, content size.
func headerFieldsLen(descriptor byte) int {
	n := dictionaryLen(descriptor) + contentSizeLen(descriptor)
	if descriptor&descriptorSingleSegment == 0 {
		n++
	}
	return n
}

func dictionaryLen(descriptor byte) int {
	return [4]int{0, 1, 2, 4}[descriptor&descriptorDictionary]
}

func contentSizeLen(descriptor byte) int {
	flag := descriptor >> descriptorContentShift
	if flag == 0 && descriptor&descriptorSingleSegment == 0 {
		return 0
	}
	return 1 << flag
}

// setHeader fills in what the descriptor and the fields behind it declare
// (RFC 8878 §3.1.1.1). fields has headerFieldsLen bytes.
func (f *Frame) setHeader(descriptor byte, fields []byte) {
	f.HeaderLen = frameMagicLen + 1 + len(fields)
	f.Checksum = descriptor&descriptorChecksum != 0
	single := descriptor&descriptorSingleSegment != 0
	if !single {
		f.Window = windowSize(fields[0])
		fields = fields[1:]
	}
	n := dictionaryLen(descriptor)
	f.DictID = uint32(littleEndian(fields[:n]))
	fields = fields[n:]

	content := littleEndian(fields)
	switch len(fields) {
	case 0:
		return
	case 2:
		content += 256 // sizes below 256 fit in one byte, so the two-byte form starts there
	}
	f.ContentSize = int64(min(content, math.MaxInt64))
	if single {
		f.Window = content
	}
}

// windowSize decodes a window descriptor into bytes (RFC 8878 §3.1.1.1.2).
func windowSize(descriptor byte) uint64 {
	base := uint64(1) << (10 + descriptor>>3)
	return base + base/8*uint64(descriptor&7)
}

// windowDescriptor returns the smallest window descriptor for at least size
// bytes, which must not exceed maxFrameWindow.
func windowDescriptor(size uint64) byte {
	d := byte(0)
	for windowSize(d) < size {
		d++
	}
	return d
}

// littleEndian reads p, at most eight bytes, as an unsigned number.
func littleEndian(p []byte) uint64 {
	var b [8]byte
	copy(b[:], p)
	return binary.LittleEndian.Uint64(b[:])
}

// blockHeader is the decoded three bytes before a block (RFC 8878 §3.1.1.2).
type blockHeader struct {
	last bool
	kind int
	size uint64 // Block_Size: bytes in the file, except for RLE, where it is bytes of plaintext
}

func parseBlockHeader(p []byte) blockHeader {
	h := littleEndian(p[:blockHeaderLen])
	return blockHeader{last: h&1 != 0, kind: int(h >> 1 & 3), size: h >> 3}
}

// payload returns the bytes of the block that follow its header in the file.
func (h blockHeader) payload() int64 {
	if h.kind == blockRLE {
		return 1
	}
	return int64(h.size)
}

// encode returns the three bytes of the header.
func (h blockHeader) encode() [blockHeaderLen]byte {
	v := h.size<<3 | uint64(h.kind)<<1
	if h.last {
		v |= 1
	}
	return [blockHeaderLen]byte{byte(v), byte(v >> 8), byte(v >> 16)}
}

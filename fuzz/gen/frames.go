package main

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"
)

var frameMagic = []byte{0x28, 0xB5, 0x2F, 0xFD} // RFC 8878 §3.1.1

// Bytes before the first block of the frames of this file: magic, descriptor and
// window descriptor; and of a block header (RFC 8878 §3.1.1.1, §3.1.1.2).
const (
	frameHeaderLen = 6
	blockHeaderLen = 3
)

// compress returns text as one frame with a checksum, in the form that dsh's
// writer gives it: compressed blocks, a window byte, no content size.
func compress(text []byte) []byte {
	return encodeFrame(text, zstd.WithEncoderCRC(true))
}

func compressUnchecked(text []byte) []byte {
	return encodeFrame(text, zstd.WithEncoderCRC(false))
}

// encodeFrame flushes before it closes: an encoder that has flushed cannot
// declare the content size any more.
func encodeFrame(text []byte, checksum zstd.EOption) []byte {
	var out bytes.Buffer
	encoder, err := zstd.NewWriter(&out, checksum, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<17))
	if err != nil {
		panic(err) // the options are constants
	}
	// A bytes.Buffer takes everything, so none of these can fail.
	_, _ = encoder.Write(text)
	_ = encoder.Flush()
	_ = encoder.Close()
	return out.Bytes()
}

// compressAll returns one frame a batch.
func compressAll(batches [][]byte) []byte {
	var file []byte
	for _, batch := range batches {
		file = append(file, compress(batch)...)
	}
	return file
}

// zstd returns the log with one frame a batch.
func (w *writer) zstd() []byte { return compressAll(w.batch()) }

// compressedBlock returns text as one compressed block, header included.
func compressedBlock(text []byte) []byte {
	frame := compress(text)
	header := binary.LittleEndian.Uint32(append(slices.Clone(frame[frameHeaderLen:frameHeaderLen+blockHeaderLen]), 0))
	end := frameHeaderLen + blockHeaderLen + int(header>>3)
	return clearLast(slices.Clone(frame[frameHeaderLen:end]))
}

// rawBlock returns text as one raw block, header included.
func rawBlock(text []byte) []byte {
	header := uint32(len(text)) << 3 // type 0, not the last
	return append([]byte{byte(header), byte(header >> 8), byte(header >> 16)}, text...)
}

// clearLast and setLast change the last-block bit of a block.
func clearLast(block []byte) []byte {
	block[0] &^= 1
	return block
}

func setLast(block []byte) []byte {
	block[0] |= 1
	return block
}

// frame assembles a frame with a checksum over text, which its blocks hold.
func frame(text []byte, blocks ...[]byte) []byte {
	const checksum, window128K = 0x04, 0x38
	setLast(blocks[len(blocks)-1])
	file := append(slices.Clone(frameMagic), checksum, window128K)
	file = append(file, bytes.Join(blocks, nil)...)
	return binary.LittleEndian.AppendUint32(file, uint32(xxhash.Sum64(text)))
}

// skippableFrame returns a frame that every zstd decoder skips and that dsh
// refuses (RFC 8878 §3.1.2).
func skippableFrame(payload string) []byte {
	file := binary.LittleEndian.AppendUint32(nil, 0x184D2A50)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(payload)))
	return append(file, payload...)
}

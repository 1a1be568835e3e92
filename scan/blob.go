package scan

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// BlobDecoder decodes zstd data that is not a log, such as a column of a database,
// as the library of Node.js does (docs/format.md §10.3). The zero BlobDecoder is
// ready to use.
type BlobDecoder struct {
	frames *frameReader
	src    bytes.Reader
}

var (
	errBlob = errors.New("no complete zstd data")
	// ErrBlobTooLong says that the decoded data is over the limit.
	ErrBlobTooLong = errors.New("decoded data is over the limit")
)

// Close frees the decoder.
func (d *BlobDecoder) Close() {
	if d.frames != nil {
		d.frames.close()
	}
}

// Decode appends what the frames of blob decode to. Skippable frames are passed
// over, and so is what follows a frame and starts none. It changes the unused bit
// of frame headers in blob, which the structural walk of a log does not allow.
func (d *BlobDecoder) Decode(dst, blob []byte, limit int64) ([]byte, error) {
	if d.frames == nil {
		frames, err := newFrameReader(&d.src)
		if err != nil {
			return dst, err
		}
		d.frames = frames
	}
	start, decoded := len(dst), false
	for off := 0; off < len(blob); {
		n, skippable := blobFrame(blob[off:])
		switch {
		case n == 0 && decoded:
			off = len(blob)
			continue
		case n == 0 || n > len(blob)-off:
			return dst, errBlob
		case !skippable:
			var err error
			if dst, n, err = d.frame(dst, blob[off:], start+int(limit)); err != nil {
				return dst, err
			}
			decoded = true
		}
		off += n
	}
	if len(dst) == start {
		return dst, errBlob
	}
	return dst, nil
}

// blobFrame returns the length of the skippable frame with which data begins, or
// the shortest one of a zstd frame, and 0 for neither.
func blobFrame(data []byte) (n int, skippable bool) {
	switch {
	case len(data) < frameMagicLen:
		return 0, false
	case string(data[:frameMagicLen]) == frameMagic:
		return frameMagicLen + 1, false
	case data[0]&0xF0 != 0x50 || !bytes.Equal(data[1:frameMagicLen], []byte{0x2A, 0x4D, 0x18}):
		return 0, false
	case len(data) < 2*frameMagicLen:
		return len(data) + 1, true
	}
	return 2*frameMagicLen + int(binary.LittleEndian.Uint32(data[frameMagicLen:])), true
}

// frame decodes the zstd frame with which data begins, and returns its length.
func (d *BlobDecoder) frame(dst, data []byte, limit int) ([]byte, int, error) {
	data[frameMagicLen] &^= descriptorReserved &^ descriptorReservedBit
	d.src.Reset(data)
	f, ok, err := newFrameWalker(&d.src, 0, int64(len(data))).next()
	if err != nil {
		return dst, 0, err
	}
	if !ok || f.Torn {
		return dst, 0, errBlob
	}
	d.frames.Reset(f)
	for {
		if len(dst) > limit {
			return dst, 0, ErrBlobTooLong
		}
		if len(dst) == cap(dst) {
			dst = append(dst, make([]byte, max(len(data), 512))...)[:len(dst)]
		}
		n, err := d.frames.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		if err == io.EOF {
			return dst, int(f.Len), nil
		}
		if err != nil {
			return dst, 0, errBlob
		}
	}
}

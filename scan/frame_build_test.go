package scan

import (
	"encoding/binary"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"
)

// encodeFrame compresses plain into one frame with a checksum and, like dsh's,
// without a content size. Its blocks hold 128 KiB of plaintext each.
func encodeFrame(tb testing.TB, plain string) []byte {
	tb.Helper()
	var out frameBytes
	enc, err := zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
	if err != nil {
		tb.Fatal(err)
	}
	// An encoder that has flushed cannot declare the content size any more.
	for _, step := range []func() error{
		func() error { _, err := enc.Write([]byte(plain)); return err }, enc.Flush, enc.Close,
	} {
		if err := step(); err != nil {
			tb.Fatal(err)
		}
	}
	return out
}

// compressedBlock returns plain as the payload of one compressed block.
func compressedBlock(tb testing.TB, plain string) string {
	tb.Helper()
	data := encodeFrame(tb, plain)
	h := parseBlockHeader(data[6:])
	if h.kind != blockCompressed {
		tb.Fatalf("%q does not compress", plain)
	}
	return string(data[9 : 9+h.size])
}

// frameBytes assembles a frame by hand, for the forms that no encoder writes.
type frameBytes []byte

func (f *frameBytes) Write(p []byte) (int, error) {
	*f = append(*f, p...)
	return len(p), nil
}

// startFrame starts a frame with the given descriptor and the fields behind it.
func startFrame(descriptor byte, fields ...byte) frameBytes {
	return append(append(frameBytes(frameMagic), descriptor), fields...)
}

// checkedFrame starts a frame with a checksum and the smallest window, 1 KiB.
func checkedFrame() frameBytes { return startFrame(descriptorChecksum, 0) }

// bareFrame starts a frame with a window of 1 KiB and no checksum.
func bareFrame() frameBytes { return startFrame(0, 0) }

// block appends a block header and its payload.
func (f frameBytes) block(last bool, kind, size int, payload string) frameBytes {
	h := blockHeader{last: last, kind: kind, size: uint64(size)}.encode()
	return append(append(f, h[:]...), payload...)
}

func (f frameBytes) raw(plain string) frameBytes {
	return f.block(false, blockRaw, len(plain), plain)
}

func (f frameBytes) lastRaw(plain string) frameBytes {
	return f.block(true, blockRaw, len(plain), plain)
}

func (f frameBytes) rle(c string, n int) frameBytes {
	return f.block(false, blockRLE, n, c)
}

// checksum ends a frame of the given plaintext.
func (f frameBytes) checksum(plain string) frameBytes {
	return binary.LittleEndian.AppendUint32(f, uint32(xxhash.Sum64String(plain)))
}

// storedFrame is a complete frame that holds plain, at most 1 KiB, as a raw block.
func storedFrame(plain string) frameBytes {
	return checkedFrame().lastRaw(plain).checksum(plain)
}

// join concatenates parts of a file.
func join(parts ...[]byte) []byte {
	var all []byte
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

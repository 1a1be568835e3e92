package scan

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// batches returns a log of n frames with about plainLen bytes of plaintext each,
// and the length of all plaintext.
func batches(tb testing.TB, n, plainLen int) (data []byte, total int64) {
	plain := &strings.Builder{}
	for seq := uint64(0); plain.Len() < plainLen; seq++ {
		fmt.Fprintf(plain, "{\"type\":\"assistant/chunk\",\"seq\":%d,\"data\":{\"text\":\"%x\"}}\n", seq, seq*seq*2654435761)
	}
	return bytes.Repeat(encodeFrame(tb, plain.String()), n), int64(n * plain.Len())
}

func BenchmarkWalk(b *testing.B) {
	data, _ := batches(b, 100_000, 100)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		w := newFrameWalker(bytes.NewReader(data), 0, int64(len(data)))
		for ok := true; ok; {
			_, ok, _ = w.next()
		}
	}
}

func BenchmarkReadFrames(b *testing.B) {
	for _, plainLen := range []int{500, 20_000, 1_000_000} {
		b.Run(fmt.Sprintf("plaintext=%d", plainLen), func(b *testing.B) {
			data, total := batches(b, 4_000_000/plainLen, plainLen)
			r := testFrameReader(b, bytes.NewReader(data))
			b.SetBytes(total)
			b.ReportAllocs()
			for b.Loop() {
				w := newFrameWalker(r.src, 0, int64(len(data)))
				for f, ok, _ := w.next(); ok; f, ok, _ = w.next() {
					r.Reset(f)
					if _, err := io.Copy(io.Discard, r); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

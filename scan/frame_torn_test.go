package scan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReaderRecoversTornFrames(t *testing.T) {
	kib := strings.Repeat("k", 1<<10)
	long := strings.Repeat("turn ", 30)
	packed := compressedBlock(t, long)
	tests := []struct {
		name string
		data []byte
		want frameResult
	}{
		{"cut in the header", startFrame(0x80, 0, 1), frameResult{}},
		{"cut before the first block", bareFrame(), frameResult{}},
		{"cut in a block header", bareFrame().raw("one").raw("")[:6+6+2], frameResult{Plain: "one"}},
		{"cut in a raw block keeps its bytes", bareFrame().raw("one").block(true, blockRaw, 9, "two"), frameResult{Plain: "onetwo"}},
		{"cut behind a raw block header", bareFrame().raw("one").block(true, blockRaw, 9, ""), frameResult{Plain: "one"}},
		{"cut in a compressed block", bareFrame().raw("one").block(true, blockCompressed, len(packed), packed[:len(packed)-1]), frameResult{Plain: "one"}},
		{"cut behind a compressed block", bareFrame().block(false, blockCompressed, len(packed), packed), frameResult{Plain: long}},
		{"cut before an RLE byte", bareFrame().raw("one").block(true, blockRLE, 9, ""), frameResult{Plain: "one"}},
		{"cut before an RLE byte of too large a block", bareFrame().raw("one").block(true, blockRLE, 1<<20, ""), frameResult{Plain: "one"}},
		{"cut in the checksum, which is then not checked", checkedFrame().lastRaw("one"), frameResult{Plain: "one"}},
		{"part of a wrong checksum", append(checkedFrame().lastRaw("one"), 1, 2, 3), frameResult{Plain: "one"}},
		{"an unmet content size", startFrame(0x20, 9).raw("one"), frameResult{Plain: "one"}},

		{
			"more than the content size, which libzstd has no room for", startFrame(0x80, 0x58, 4, 0, 0, 0).raw("one").raw("two"),
			frameResult{"onetwo", CauseContentSize},
		},
		{"a cut raw block larger than the window", bareFrame().raw("one").block(true, blockRaw, 1<<10+1, "two"), frameResult{"one", CauseBlockSize}},
		{"a cut compressed block larger than the window", bareFrame().block(true, blockCompressed, 1<<10+1, kib), frameResult{Cause: CauseBlockSize}},
		{"a window over 128 MiB", startFrame(0, 0xFF).raw("one"), frameResult{Cause: CauseWindow}},
		{"a dictionary", startFrame(0x01, 0, 7).raw("one"), frameResult{Cause: CauseDictionary}},
		{"a damaged block before the cut", bareFrame().raw("one").block(false, blockCompressed, 1, "x"), frameResult{"one", CauseData}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := bytes.NewReader(tt.data)
			frames, w := walkAll(t, src, src.Size())
			if w.tornStart != 0 {
				t.Fatalf("torn start %d, want 0", w.tornStart)
			}
			r := testFrameReader(t, src)
			if diff := cmp.Diff(tt.want, readFrame(t, r, frames[0])); diff != "" {
				t.Errorf("frame (-want +got):\n%s", diff)
			}
			n, ok, err := r.recoverTorn(frames[0])
			if err != nil {
				t.Fatal(err)
			}
			wantLen, wantOK := int64(len(tt.want.Plain)), true
			if tt.want.Cause != "" {
				wantLen, wantOK = 0, false
			}
			if n != wantLen || ok != wantOK {
				t.Errorf("recoverTorn = %d, %v, want %d, %v", n, ok, wantLen, wantOK)
			}
		})
	}
}

// recoverable is the table of docs/format.md §1.5 over again: the plaintext of
// the first size bytes of a frame whose block i holds plains[i].
func recoverable(frame []byte, headerLen, size int, plains []string) string {
	got := ""
	at := headerLen
	for _, plain := range plains {
		if size < at+blockHeaderLen {
			return got
		}
		h := parseBlockHeader(frame[at:])
		at += blockHeaderLen
		end := at + int(h.payload())
		switch {
		case size >= end:
			got += plain
		case h.kind == blockRaw:
			return got + plain[:size-at]
		default:
			return got
		}
		at = end
	}
	return got
}

// chunked cuts s into pieces of n bytes, the last of which may be empty.
func chunked(s string, n int) []string {
	var parts []string
	for len(s) > n {
		parts = append(parts, s[:n])
		s = s[n:]
	}
	return append(parts, s, "")
}

func TestEveryCutRecoversWhatTheBlocksHold(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := &strings.Builder{}
	for words.Len() < 3*maxFrameBlock {
		fmt.Fprintf(words, "{\"seq\":%d}\n", rng.IntN(4))
	}
	noise := make([]byte, 1500)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	packed := compressedBlock(t, strings.Repeat("turn ", 30))
	tests := []struct {
		name   string
		frame  []byte
		plains []string
		step   int
	}{
		{"a stored block", encodeFrame(t, string(noise)), []string{string(noise), ""}, 1},
		{"a compressed block", encodeFrame(t, words.String()[:2000]), []string{words.String()[:2000], ""}, 1},
		{"full compressed blocks", encodeFrame(t, words.String()), chunked(words.String(), maxFrameBlock), 101},
		{
			"all block types", checkedFrame().raw("one").rle("x", 9).block(false, blockCompressed, len(packed), packed).rle("y", 2).
				lastRaw("two").checksum("one" + strings.Repeat("x", 9) + strings.Repeat("turn ", 30) + "yytwo"),
			[]string{"one", strings.Repeat("x", 9), strings.Repeat("turn ", 30), "yy", "two"},
			1,
		},
	}
	before := storedFrame("header\n")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := join(before, tt.frame)
			r := testFrameReader(t, bytes.NewReader(data))
			for cut := len(before) + 1; cut < len(data); cut += tt.step {
				frames, w := walkAll(t, bytes.NewReader(data), int64(cut))
				if len(frames) != 2 || w.tornStart != int64(len(before)) {
					t.Fatalf("cut at %d: %d frames, torn start %d, want 2, %d", cut, len(frames), w.tornStart, len(before))
				}
				got := readFrame(t, r, frames[1])
				want := frameResult{Plain: recoverable(tt.frame, 6, cut-len(before), tt.plains)}
				if got != want {
					t.Fatalf("cut at %d: %d bytes, cause %q, want %d", cut, len(got.Plain), got.Cause, len(want.Plain))
				}
			}
			frames, _ := walkAll(t, bytes.NewReader(data), int64(len(data)))
			if got, want := readFrame(t, r, frames[1]), (frameResult{Plain: strings.Join(tt.plains, "")}); got != want {
				t.Errorf("whole frame: %d bytes, cause %q, want %d", len(got.Plain), got.Cause, len(want.Plain))
			}
		})
	}
}

func TestNoFlippedBitChangesThePlaintextOfACompleteFrame(t *testing.T) {
	long := strings.Repeat("turn ", 30)
	plains := []string{"header\n", long, "xxxx", "last\n"}
	data := join(storedFrame(plains[0]), encodeFrame(t, plains[1]),
		checkedFrame().rle("x", 4).lastRaw("").checksum(plains[2]), storedFrame(plains[3]))
	r := testFrameReader(t, bytes.NewReader(data))
	for bit := range len(data) * 8 {
		data[bit/8] ^= 1 << (bit % 8)
		frames, w := walkAll(t, bytes.NewReader(data), int64(len(data)))
		damaged := w.fault != nil || w.tornStart >= 0
		for i, f := range frames {
			got := readFrame(t, r, f)
			damaged = damaged || got.Cause != ""
			if !f.Torn && got.Cause == "" && (i >= len(plains) || got.Plain != plains[i]) {
				t.Errorf("bit %d: frame %d reads %q", bit, f.Number, got.Plain)
			}
		}
		if !damaged && len(frames) != len(plains) {
			t.Errorf("bit %d: %d frames and no damage, want %d", bit, len(frames), len(plains))
		}
		data[bit/8] ^= 1 << (bit % 8)
	}
}

package scan

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// find runs findFrames over data, of which the first from bytes are skipped.
func find(t *testing.T, data []byte, from int) HiddenFrames {
	t.Helper()
	found, err := findFrames(testFrameReader(t, bytes.NewReader(data)), int64(from), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestFindFramesBehindAFalseTear(t *testing.T) {
	// The size field claims the rest of the file and more.
	tear := checkedFrame().block(false, blockRaw, 1<<20, "one\n")
	two, three := storedFrame("two\n"), encodeFrame(t, strings.Repeat("turn ", 30))
	bare := bareFrame().lastRaw("two\n")
	wrongSum := storedFrame("two\n")
	wrongSum[len(wrongSum)-1] ^= 1
	n := int64(len(tear))
	at := func(parts ...[]byte) int64 { return n + int64(len(join(parts...))) }
	zeros := make([]byte, 8)
	tests := []struct {
		name string
		rest []byte
		want HiddenFrames
	}{
		{"a true tear hides nothing", nil, HiddenFrames{}},
		{"a tear followed by zeros hides nothing", make([]byte, 1000), HiddenFrames{}},
		{"one frame", two, HiddenFrames{Found: true, Off: n, End: at(two), Frames: 1}},
		{"several frames", join(two, three, two), HiddenFrames{Found: true, Off: n, End: at(two, three, two), Frames: 3}},
		{
			"frames behind the rest of the torn payload", join([]byte("rest of one"), two),
			HiddenFrames{Found: true, Off: n + 11, End: n + 11 + int64(len(two)), Frames: 1},
		},
		{"frames without checksum", join(bare, bare), HiddenFrames{Found: true, Off: n, End: at(bare, bare), Frames: 2}},
		{"frames before a true tear", join(two, three[:len(three)-1]), HiddenFrames{Found: true, Off: n, End: at(two), Frames: 1}},
		{"only another tear", join(two[:len(two)-1]), HiddenFrames{}},
		{"a frame with a wrong checksum", wrongSum, HiddenFrames{}},
		{"frames behind one with a wrong checksum", join(wrongSum, three), HiddenFrames{Found: true, Off: at(wrongSum), End: at(wrongSum, three), Frames: 1}},
		{"a checked frame before damage", join(two, zeros, three), HiddenFrames{Found: true, Off: n, End: at(two), Frames: 1, Broken: true}},
		{"a checked frame before one that does not decode", join(two, wrongSum), HiddenFrames{Found: true, Off: n, End: at(two), Frames: 1, Broken: true}},
		{"an unchecked frame before damage proves nothing", join(bare, zeros), HiddenFrames{}},
		{"checked frames behind unproven ones", join(bare, zeros, two), HiddenFrames{Found: true, Off: at(bare, zeros), End: at(bare, zeros, two), Frames: 1}},
		{"a magic that starts no frame", join([]byte(frameMagic), two), HiddenFrames{Found: true, Off: n + 4, End: n + 4 + int64(len(two)), Frames: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := join(tear, tt.rest)
			if _, w := walkAll(t, bytes.NewReader(data), int64(len(data))); w.tornStart != 0 {
				t.Fatalf("torn start %d, want 0", w.tornStart)
			}
			if diff := cmp.Diff(tt.want, find(t, data, 1)); diff != "" {
				t.Errorf("found (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFindFramesSeesEveryFlippedSizeFieldThatHidesFrames(t *testing.T) {
	first, second, rest := storedFrame("header\n"), storedFrame("one\n"), join(storedFrame("two\n"), storedFrame("three\n"))
	sizeField := len(first) + 6
	tears := 0
	for bit := range 8 * blockHeaderLen {
		data := join(first, second, rest)
		data[sizeField+bit/8] ^= 1 << (bit % 8)
		_, w := walkAll(t, bytes.NewReader(data), int64(len(data)))
		if w.tornStart < 0 {
			continue // seen by the walk or by the checksum
		}
		tears++
		start := len(first) + len(second)
		want := HiddenFrames{Found: true, Off: int64(start), End: int64(len(data)), Frames: 2}
		if diff := cmp.Diff(want, find(t, data, int(w.tornStart)+1)); diff != "" {
			t.Errorf("bit %d: found (-want +got):\n%s", bit, diff)
		}
	}
	if tears < 10 {
		t.Errorf("only %d bits make a tear", tears)
	}
}

func TestFindFramesAcrossReadBoundaries(t *testing.T) {
	frame := storedFrame("two\n")
	for shift := -5; shift <= 5; shift++ {
		pad := make([]byte, feedBuffer+shift)
		want := HiddenFrames{Found: true, Off: int64(len(pad)), End: int64(len(pad) + len(frame)), Frames: 1}
		if diff := cmp.Diff(want, find(t, join(pad, frame), 0)); diff != "" {
			t.Errorf("shift %d: found (-want +got):\n%s", shift, diff)
		}
	}
}

// Every candidate walks the same long run of empty blocks to a fault at its end.
func TestFindFramesGivesUpOnQuadraticWork(t *testing.T) {
	const candidates = 1000
	candidate := bareFrame()
	var heads frameBytes
	for i := range candidates {
		heads = append(heads, candidate.block(false, blockRaw, (candidates-1-i)*(len(candidate)+blockHeaderLen), "")...)
	}
	blocks := make([]byte, 3<<20)
	end := bareFrame().block(true, blockReserved, 0, "")[6:]
	if diff := cmp.Diff(HiddenFrames{Capped: true}, find(t, join(heads, blocks, end), 0)); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
}

func TestFindFramesReturnsReadErrorsAsErrors(t *testing.T) {
	data := join(make([]byte, 2*feedBuffer), storedFrame(strings.Repeat("x", 1000)))
	failing := func(from int64) readerAtFunc {
		return func(p []byte, off int64) (int, error) {
			if off >= from {
				return 0, iotest.ErrTimeout
			}
			return bytes.NewReader(data).ReadAt(p, off)
		}
	}
	for _, from := range []int64{0, feedBuffer, 2 * feedBuffer} {
		if found, err := findFrames(testFrameReader(t, failing(from)), 0, int64(len(data))); !errors.Is(err, iotest.ErrTimeout) {
			t.Errorf("failing from %d: found %+v, error %v, want %v", from, found, err, iotest.ErrTimeout)
		}
	}
	for _, size := range []int{0, feedBuffer, len(data) - 500} {
		short := bytes.NewReader(data[:size])
		if found, err := findFrames(testFrameReader(t, short), 0, int64(len(data))); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("file of %d bytes: found %+v, error %v, want %v", size, found, err, io.ErrUnexpectedEOF)
		}
	}
}

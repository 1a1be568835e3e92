package scan

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func testFrameReader(tb testing.TB, src io.ReaderAt) *frameReader {
	tb.Helper()
	r, err := newFrameReader(src)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(r.close)
	return r
}

// frameResult is what reading one frame gave.
type frameResult struct {
	Plain string
	Cause FrameCause // "" when the frame is right
}

// readFrame reads f; an I/O error fails the test.
func readFrame(tb testing.TB, r *frameReader, f Frame) frameResult {
	tb.Helper()
	r.Reset(f)
	plain, err := io.ReadAll(r)
	return frameResult{string(plain), causeOf(tb, err)}
}

// causeOf returns the cause of a *FrameError, and "" for no error; any other
// error fails the test.
func causeOf(tb testing.TB, err error) FrameCause {
	tb.Helper()
	if damage, ok := errors.AsType[*FrameError](err); ok {
		return damage.Cause
	}
	if err != nil {
		tb.Fatal(err)
	}
	return ""
}

// readFirst reads the first frame of data.
func readFirst(t *testing.T, data []byte) frameResult {
	t.Helper()
	src := bytes.NewReader(data)
	frames, w := walkAll(t, src, src.Size())
	if w.fault != nil {
		t.Fatalf("the walk stops: %v", w.fault)
	}
	return readFrame(t, testFrameReader(t, src), frames[0])
}

func TestReaderChecksCompleteFrames(t *testing.T) {
	long := strings.Repeat("turn ", 30)
	packed := compressedBlock(t, long)
	kib, over := strings.Repeat("k", 1<<10), strings.Repeat("k", 1<<10+1)
	block := strings.Repeat("b", maxFrameBlock)
	wrongSum := storedFrame("one\n")
	wrongSum[len(wrongSum)-1] ^= 1
	tests := []struct {
		name string
		data []byte
		want frameResult
	}{
		{"as an encoder writes it", encodeFrame(t, long), frameResult{Plain: long}},
		{"raw, RLE and compressed blocks", checkedFrame().raw("one").rle("x", 3).block(true, blockCompressed, len(packed), packed).
			checksum("onexxx" + long), frameResult{Plain: "onexxx" + long}},
		{"no plaintext", storedFrame(""), frameResult{}},
		{"a last block that is not empty", bareFrame().raw("").lastRaw("one"), frameResult{Plain: "one"}},
		{"an RLE block of no bytes", bareFrame().rle("x", 0).lastRaw("one"), frameResult{Plain: "one"}},
		{
			"an empty compressed block is skipped, as by libzstd", bareFrame().block(false, blockCompressed, 0, "").lastRaw("one"),
			frameResult{Plain: "one"},
		},
		{
			"a compressed block of one byte is corrupt", bareFrame().raw("one").block(true, blockCompressed, 1, "x"),
			frameResult{"one", CauseData},
		},
		{
			"a compressed block of noise is corrupt", bareFrame().raw("one").block(true, blockCompressed, 9, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"),
			frameResult{"one", CauseData},
		},

		{"a wrong checksum", wrongSum, frameResult{"one\n", CauseChecksum}},
		{"a right content size", startFrame(0x20, 3).lastRaw("one"), frameResult{Plain: "one"}},
		{"a content size that is too large", startFrame(0x20, 4).lastRaw("one"), frameResult{"one", CauseContentSize}},
		{"a content size that is too small", startFrame(0x80, 0, 2, 0, 0, 0).lastRaw("one"), frameResult{"one", CauseContentSize}},
		{"a content size over 2^63", startFrame(0xC0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF).lastRaw("one"), frameResult{"one", CauseContentSize}},
		{"a single segment of no content", startFrame(0x20, 0).lastRaw(""), frameResult{}},

		{"a window of exactly 128 MiB", startFrame(0, 17<<3).lastRaw("one"), frameResult{Plain: "one"}},
		{"the next larger window", startFrame(0, 17<<3|1).lastRaw("one"), frameResult{Cause: CauseWindow}},
		{"a single segment over 128 MiB", startFrame(0xA0, 1, 0, 0, 8).lastRaw("one"), frameResult{Cause: CauseWindow}},
		{"a dictionary id of zero", startFrame(0x03, 0, 0, 0, 0, 0).lastRaw("one"), frameResult{Plain: "one"}},
		{"a dictionary id", startFrame(0x01, 0, 7).lastRaw("one"), frameResult{Cause: CauseDictionary}},

		{"a raw block as large as the window", bareFrame().lastRaw(kib), frameResult{Plain: kib}},
		{"a raw block larger than the window", bareFrame().lastRaw(over), frameResult{Cause: CauseBlockSize}},
		{"an RLE block larger than the window", bareFrame().raw("one").rle("x", 1<<10+1).lastRaw(""), frameResult{"one", CauseBlockSize}},
		{"a compressed block larger than the window", bareFrame().block(true, blockCompressed, len(over), over), frameResult{Cause: CauseBlockSize}},
		{"a block larger than a single segment", startFrame(0x20, 3).lastRaw("four"), frameResult{Cause: CauseBlockSize}},
		{"a block of 128 KiB", startFrame(0, 0x58).lastRaw(block), frameResult{Plain: block}},
		{"a block over 128 KiB", startFrame(0, 0x58).lastRaw(block + "b"), frameResult{Cause: CauseBlockSize}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, readFirst(t, tt.data)); diff != "" {
				t.Errorf("frame (-want +got):\n%s", diff)
			}
		})
	}
}

func TestReaderIsGoodForTheNextFrameAfterDamage(t *testing.T) {
	bad := storedFrame("two\n")
	bad[len(bad)-1] ^= 1
	data := join(storedFrame("one\n"), bad, startFrame(0, 0xFF).lastRaw("x"),
		bareFrame().block(true, blockCompressed, 3, "xyz"), storedFrame("three\n"))
	src := bytes.NewReader(data)
	frames, _ := walkAll(t, src, src.Size())
	r := testFrameReader(t, src)
	var got []frameResult
	for _, f := range frames {
		r.Reset(f) // abandoned before its end
		if _, err := r.Read(make([]byte, 1)); err != nil && !isDamage(err) {
			t.Fatal(err)
		}
		got = append(got, readFrame(t, r, f))
	}
	want := []frameResult{{Plain: "one\n"}, {"two\n", CauseChecksum}, {Cause: CauseWindow}, {Cause: CauseData}, {Plain: "three\n"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("frames (-want +got):\n%s", diff)
	}
}

func TestReaderGivesTheSameForAnySizeOfRead(t *testing.T) {
	plain := strings.Repeat("turn ", 300)
	data := encodeFrame(t, plain)
	src := bytes.NewReader(data)
	frames, _ := walkAll(t, src, src.Size())
	oneByte := readerAtFunc(func(p []byte, off int64) (int, error) { return src.ReadAt(p[:1], off) })
	r := testFrameReader(t, oneByte)
	r.Reset(frames[0])
	if err := iotest.TestReader(r, []byte(plain)); err != nil {
		t.Error(err)
	}
}

func TestReaderReturnsReadErrorsAsErrors(t *testing.T) {
	data := storedFrame(strings.Repeat("x", 1000))
	frames, _ := walkAll(t, bytes.NewReader(data), int64(len(data)))
	tests := []struct {
		name string
		src  io.ReaderAt
		want error
	}{
		{"the device fails", readerAtFunc(func([]byte, int64) (int, error) { return 0, iotest.ErrTimeout }), iotest.ErrTimeout},
		{"the file now ends in a block", bytes.NewReader(data[:500]), io.ErrUnexpectedEOF},
		{"the file now ends in a block header", bytes.NewReader(data[:7]), io.ErrUnexpectedEOF},
		{"the file now ends in the checksum", bytes.NewReader(data[:len(data)-1]), io.ErrUnexpectedEOF},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := testFrameReader(t, tt.src)
			r.Reset(frames[0])
			if _, err := io.ReadAll(r); !errors.Is(err, tt.want) || isDamage(err) {
				t.Errorf("error %v, want %v", err, tt.want)
			}
			if ok, err := r.intact(frames[0]); ok || !errors.Is(err, tt.want) {
				t.Errorf("intact = %v, %v, want error %v", ok, err, tt.want)
			}
		})
	}
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestHostileFramesTakeLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	bomb := startFrame(0x84, 0x58, 0, 0, 0, 0x20) // declares 512 MiB
	for range 4096 {
		bomb = bomb.rle("x", maxFrameBlock)
	}
	bomb = append(bomb.lastRaw(""), 0, 0, 0, 0)
	tests := []struct {
		name  string
		data  frameBytes
		cause FrameCause
	}{
		{"a frame of 9 bytes with a window of 128 MiB", startFrame(0, 17<<3).lastRaw(""), ""},
		{"16 KiB that expand to 512 MiB", bomb, CauseChecksum},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := bytes.NewReader(tt.data)
			frames, _ := walkAll(t, src, src.Size())
			r := testFrameReader(t, src)
			var err error
			used := allocated(func() { _, err = r.drain(frames[0]) })
			if got := causeOf(t, err); got != tt.cause {
				t.Errorf("cause %q, want %q", got, tt.cause)
			}
			if limit := uint64(8 << 20); used > limit {
				t.Errorf("%d bytes allocated, want at most %d", used, limit)
			}
		})
	}
}

func TestReaderStopsAtTheDeclaredSize(t *testing.T) {
	bomb := startFrame(0x80, 0x58, 9, 0, 0, 0)
	for range 100 {
		bomb = bomb.rle("x", maxFrameBlock)
	}
	src := bytes.NewReader(bomb.lastRaw(""))
	frames, _ := walkAll(t, src, src.Size())
	n, err := testFrameReader(t, src).drain(frames[0])
	if got := causeOf(t, err); got != CauseContentSize {
		t.Errorf("cause %q, want %q", got, CauseContentSize)
	}
	if n > maxFrameBlock {
		t.Errorf("%d bytes read, want at most a block", n)
	}
}

func TestFrameErrorNamesTheFrame(t *testing.T) {
	err := &FrameError{Frame: Frame{Number: 3, FileOff: 120}, Cause: CauseChecksum}
	if got, want := err.Error(), "frame 3 at offset 120: checksum differs"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
}

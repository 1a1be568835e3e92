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

// walkAll returns the frames of data and the walker at its end.
func walkAll(t *testing.T, r io.ReaderAt, size int64) ([]Frame, *frameWalker) {
	t.Helper()
	w := newFrameWalker(r, 0, size)
	var frames []Frame
	for {
		f, ok, err := w.next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return frames, w
		}
		frames = append(frames, f)
	}
}

func TestWalkJudgesTheTailByStructureAlone(t *testing.T) {
	whole := storedFrame("one\n")
	n := int64(len(whole))
	cut := func(f frameBytes, by int) []byte { return join(whole, f[:len(f)-by]) }
	tests := []struct {
		name string
		data []byte
		torn int64
		want *FrameFault
	}{
		{"an empty file ends at once", nil, -1, nil},
		{"a complete frame ends the file", whole, -1, nil},
		{"two complete frames end the file", join(whole, whole), -1, nil},
		{"W1 one byte of anything is torn", join(whole, []byte("x")), n, nil},
		{"W1 three zeros are torn", join(whole, make([]byte, 3)), n, nil},
		{"W2 four zeros are not a magic", join(whole, make([]byte, 4)), -1, &FrameFault{BadMagic, n, 2}},
		{"W2 a skippable frame is not a magic", join(whole, []byte("\x50\x2A\x4D\x18\x00\x00\x00\x00")), -1, &FrameFault{BadMagic, n, 2}},
		{"W2 text at the start is not a magic", []byte("{\"version\":0}\n"), -1, &FrameFault{BadMagic, 0, 1}},
		{"W3 a magic alone is torn", join(whole, []byte(frameMagic)), n, nil},
		{"W4 the reserved bit is corruption", join(whole, startFrame(0x08)), -1, &FrameFault{ReservedBit, n + 4, 2}},
		{"W4 the unused bit is corruption", join(whole, startFrame(0x10)), -1, &FrameFault{ReservedBit, n + 4, 2}},
		{"W5 a missing window descriptor is torn", join(whole, startFrame(0)), n, nil},
		{"W5 a cut content size is torn", join(whole, startFrame(0xC0, 0, 1, 2, 3, 4, 5, 6, 7)), n, nil},
		{"W5 a cut dictionary id is torn", join(whole, startFrame(0x03, 0, 1, 2, 3)), n, nil},
		{"W6 a missing block header is torn", join(whole, bareFrame()), n, nil},
		{"W6 a cut block header is torn", cut(bareFrame().lastRaw(""), 1), n, nil},
		{"W6 a missing last block is torn", join(whole, bareFrame().raw("one")), n, nil},
		{
			"W7 block type 3 is corruption", join(whole, bareFrame().raw("abc").block(true, blockReserved, 0, "")), -1,
			&FrameFault{ReservedBlock, n + 6 + 6, 2},
		},
		{
			"W7 block type 3 is corruption even with too large a size", join(whole, bareFrame().block(false, blockReserved, 1<<20, "")), -1,
			&FrameFault{ReservedBlock, n + 6, 2},
		},
		{"W8 a cut raw payload is torn", cut(bareFrame().lastRaw("one"), 1), n, nil},
		{"W8 a cut compressed payload is torn", join(whole, bareFrame().block(true, blockCompressed, 9, "12345678")), n, nil},
		{"W8 a missing RLE byte is torn", join(whole, bareFrame().block(true, blockRLE, 9, "")), n, nil},
		{"W9 a cut checksum is torn", cut(whole, 1), n, nil},
		{"W9 a missing checksum is torn", cut(whole, 4), n, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			frames, w := walkAll(t, bytes.NewReader(tt.data), int64(len(tt.data)))
			if diff := cmp.Diff(tt.want, w.fault); diff != "" {
				t.Errorf("fault (-want +got):\n%s", diff)
			}
			if w.tornStart != tt.torn {
				t.Errorf("torn start %d, want %d", w.tornStart, tt.torn)
			}
			end := int64(len(tt.data))
			if w.fault != nil {
				end = n * int64(w.fault.Number-1)
			}
			covered := int64(0)
			for i, f := range frames {
				if f.Number != i+1 || f.FileOff != covered || f.Torn != (f.FileOff == tt.torn) {
					t.Errorf("frame %d is %+v, want it to start at %d", i+1, f, covered)
				}
				covered += f.Len
			}
			if covered != end {
				t.Errorf("frames cover %d bytes, want %d", covered, end)
			}
		})
	}
}

func TestWalkReadsEveryHeaderForm(t *testing.T) {
	tests := []struct {
		name  string
		start frameBytes
		want  Frame
	}{
		{
			"window only, as dsh writes", startFrame(0x04, 0x58),
			Frame{HeaderLen: 6, Window: 2 << 20, ContentSize: -1, Checksum: true},
		},
		{
			"window with a mantissa", startFrame(0, 0x58|3),
			Frame{HeaderLen: 6, Window: 2<<20 + 3*(2<<20)/8, ContentSize: -1},
		},
		{
			"largest window", startFrame(0, 0xFF),
			Frame{HeaderLen: 6, Window: 1<<41 + 7*(1<<38), ContentSize: -1},
		},
		{
			"single segment with one byte of content size", startFrame(0x20, 200),
			Frame{HeaderLen: 6, Window: 200, ContentSize: 200},
		},
		{
			"two bytes of content size start at 256", startFrame(0x60, 1, 1),
			Frame{HeaderLen: 7, Window: 513, ContentSize: 513},
		},
		{
			"four bytes of content size beside a window", startFrame(0x80, 0, 1, 2, 3, 4),
			Frame{HeaderLen: 10, Window: 1 << 10, ContentSize: 0x04030201},
		},
		{
			"eight bytes of content size", startFrame(0xE0, 1, 2, 3, 4, 5, 6, 7, 8),
			Frame{HeaderLen: 13, Window: 0x0807060504030201, ContentSize: 0x0807060504030201},
		},
		{
			"a content size over 2^63 is held there", startFrame(0xE0, 0, 0, 0, 0, 0, 0, 0, 0xFF),
			Frame{HeaderLen: 13, Window: 0xFF << 56, ContentSize: 1<<63 - 1},
		},
		{
			"one byte of dictionary id", startFrame(0x01, 0, 7),
			Frame{HeaderLen: 7, Window: 1 << 10, ContentSize: -1, DictID: 7},
		},
		{
			"two bytes of dictionary id", startFrame(0x02, 0, 7, 1),
			Frame{HeaderLen: 8, Window: 1 << 10, ContentSize: -1, DictID: 263},
		},
		{
			"four bytes of dictionary id before the content size", startFrame(0x63, 7, 0, 0, 1, 0, 0),
			Frame{HeaderLen: 11, Window: 256, ContentSize: 256, DictID: 1<<24 + 7},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := tt.start.raw("a").rle("b", 2).lastRaw("c")
			if tt.want.Checksum {
				data = data.checksum("abbc")
			}
			tt.want.Number, tt.want.Blocks, tt.want.Len = 1, 3, int64(len(data))
			frames, _ := walkAll(t, bytes.NewReader(data), int64(len(data)))
			if diff := cmp.Diff([]Frame{tt.want}, frames); diff != "" {
				t.Errorf("frames (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWalkDescribesTornFrames(t *testing.T) {
	tests := []struct {
		name string
		data frameBytes
		want Frame
	}{
		{"cut in its header", startFrame(0x80, 0, 1, 2), Frame{ContentSize: -1}},
		{
			"cut in its third block", bareFrame().raw("one").raw("two").block(true, blockRaw, 5, "th"),
			Frame{HeaderLen: 6, Window: 1 << 10, ContentSize: -1, Blocks: 2},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Number, tt.want.Torn, tt.want.Len = 1, true, int64(len(tt.data))
			frames, _ := walkAll(t, bytes.NewReader(tt.data), int64(len(tt.data)))
			if diff := cmp.Diff([]Frame{tt.want}, frames); diff != "" {
				t.Errorf("frames (-want +got):\n%s", diff)
			}
		})
	}
}

// patternReader gives n copies of pattern and counts the bytes asked for.
type patternReader struct {
	pattern []byte
	read    int64
}

func (r *patternReader) ReadAt(p []byte, off int64) (int, error) {
	r.read += int64(len(p))
	for i := range p {
		p[i] = r.pattern[(off+int64(i))%int64(len(r.pattern))]
	}
	return len(p), nil
}

func TestWalkSkipsPayloads(t *testing.T) {
	frame := startFrame(0, 0x58).lastRaw(strings.Repeat("x", 1<<20)) // blocks over 128 KiB are not the walk's business
	const copies = 1000
	r := &patternReader{pattern: frame}
	frames, _ := walkAll(t, r, copies*int64(len(frame)))
	if len(frames) != copies {
		t.Errorf("%d frames, want %d", len(frames), copies)
	}
	if limit := int64(copies+1) * walkBuffer; r.read > limit {
		t.Errorf("%d bytes read of %d, want at most %d", r.read, copies*len(frame), limit)
	}
}

// readerAtFunc is an io.ReaderAt of one function.
type readerAtFunc func(p []byte, off int64) (int, error)

func (f readerAtFunc) ReadAt(p []byte, off int64) (int, error) { return f(p, off) }

func TestWalkToleratesShortReads(t *testing.T) {
	data := join(storedFrame("one\n"), storedFrame("two\n"), startFrame(0x04))
	whole := bytes.NewReader(data)
	oneByte := readerAtFunc(func(p []byte, off int64) (int, error) { return whole.ReadAt(p[:1], off) })
	want, _ := walkAll(t, whole, whole.Size())
	got, _ := walkAll(t, oneByte, whole.Size())
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("frames (-want +got):\n%s", diff)
	}
}

func TestWalkReturnsReadErrorsAsErrors(t *testing.T) {
	data := bytes.NewReader(storedFrame(strings.Repeat("x", 1000)))
	tests := []struct {
		name string
		r    io.ReaderAt
		size int64
		want error
	}{
		{"the device fails", readerAtFunc(func([]byte, int64) (int, error) { return 0, iotest.ErrTimeout }), 100, iotest.ErrTimeout},
		{"the file became shorter than its size", data, data.Size() + walkBuffer, io.ErrUnexpectedEOF},
		{"the file became empty", bytes.NewReader(nil), 100, io.ErrUnexpectedEOF},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newFrameWalker(tt.r, 0, tt.size)
			for range 2 {
				f, ok, err := w.next()
				if !errors.Is(err, tt.want) || ok {
					t.Errorf("next() = %+v, %v, %v, want error %v", f, ok, err, tt.want)
				}
			}
			if w.fault != nil || w.tornStart >= 0 {
				t.Errorf("a read error became damage: fault %v, torn start %d", w.fault, w.tornStart)
			}
		})
	}
}

func TestFaultKindsHaveNames(t *testing.T) {
	var got []string
	for k := BadMagic; k <= ReservedBlock+1; k++ {
		got = append(got, k.String())
	}
	want := []string{"bad magic", "reserved bit", "reserved block type", "fault 3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
}

func TestWindowDescriptorIsTheSmallestThatSuffices(t *testing.T) {
	for d := range 256 {
		size := windowSize(byte(d))
		if size > maxFrameWindow {
			break
		}
		if got := windowDescriptor(size); got != byte(d) {
			t.Errorf("windowDescriptor(%d) = %#x, want %#x", size, got, d)
		}
		if got := windowDescriptor(size - 1); got != byte(d) {
			t.Errorf("windowDescriptor(%d) = %#x, want %#x", size-1, got, d)
		}
	}
}

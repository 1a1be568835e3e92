package scan

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fakeText is a text of given chunks. A chunk of nil stands for a frame that
// does not decode.
type fakeText struct {
	chunks []fakeChunk
	err    error // behind the chunks; nil for io.EOF
	now    Frame
}

type fakeChunk struct {
	text  string
	frame int
	bad   bool
}

func (f *fakeText) next() ([]byte, error) {
	if len(f.chunks) == 0 {
		if f.err != nil {
			return nil, f.err
		}
		return nil, io.EOF
	}
	c := f.chunks[0]
	f.chunks = f.chunks[1:]
	f.now = Frame{Number: c.frame}
	if c.bad {
		return nil, &FrameError{Frame: f.now, Cause: CauseData}
	}
	return []byte(c.text), nil
}

func (f *fakeText) origin() origin { return origin{frame: f.now.Number} }

func chunks(texts ...string) []fakeChunk {
	var all []fakeChunk
	for _, text := range texts {
		all = append(all, fakeChunk{text: text})
	}
	return all
}

// gotLine is a line without its frames' details.
type gotLine struct {
	Text       string
	Off, Len   int64
	First      int // frame
	Last       int // frame
	Terminated bool
	TooLong    bool
	AfterGap   bool
}

func allLines(src text, limit int64) (all []gotLine, err error) {
	l := lines{src: src, limit: limit}
	for {
		line, err := l.next()
		if err != nil {
			return all, err
		}
		all = append(all, gotLine{
			string(line.text), line.off, line.len, line.start.frame, line.end.frame,
			line.terminated, line.tooLong, line.afterGap,
		})
	}
}

func TestLines(t *testing.T) {
	const limit = 5
	tests := map[string]struct {
		chunks []fakeChunk
		want   []gotLine
	}{
		"no text has no line":               {nil, nil},
		"an LF alone is a blank line":       {chunks("\n"), []gotLine{{Terminated: true}}},
		"the rest behind the last LF":       {chunks("a\nbc"), []gotLine{{Text: "a", Len: 1, Terminated: true}, {Text: "bc", Off: 2, Len: 2}}},
		"a line over three chunks":          {chunks("a", "b", "c\n"), []gotLine{{Text: "abc", Len: 3, Terminated: true}}},
		"an LF in a chunk of its own":       {chunks("abc", "\n", "\n"), []gotLine{{Text: "abc", Len: 3, Terminated: true}, {Off: 4, Terminated: true}}},
		"CR belongs to the line":            {chunks("a\r\n"), []gotLine{{Text: "a\r", Len: 2, Terminated: true}}},
		"a line at the limit is kept":       {chunks("abcde\n"), []gotLine{{Text: "abcde", Len: 5, Terminated: true}}},
		"a longer one is not":               {chunks("abcdef\nx\n"), []gotLine{{Len: 6, Terminated: true, TooLong: true}, {Text: "x", Off: 7, Len: 1, Terminated: true}}},
		"nor one that grows over chunks":    {chunks("abc", "def", "ghi\nx"), []gotLine{{Len: 9, Terminated: true, TooLong: true}, {Text: "x", Off: 10, Len: 1}}},
		"the line before it is not spoiled": {chunks("ab\n", "abcdef"), []gotLine{{Text: "ab", Len: 2, Terminated: true}, {Off: 3, Len: 6, TooLong: true}}},
		"a line knows its first and last frame": {
			[]fakeChunk{{text: "a\nb", frame: 1}, {text: "c", frame: 2}, {text: "d\ne\n", frame: 3}},
			[]gotLine{
				{Text: "a", Len: 1, First: 1, Last: 1, Terminated: true},
				{Text: "bcd", Off: 2, Len: 3, First: 1, Last: 3, Terminated: true},
				{Text: "e", Off: 6, Len: 1, First: 3, Last: 3, Terminated: true},
			},
		},
		"an LF in the next frame belongs to that frame": {
			[]fakeChunk{{text: "a", frame: 1}, {text: "\n", frame: 2}},
			[]gotLine{{Text: "a", Len: 1, First: 1, Last: 2, Terminated: true}},
		},
		"a broken frame ends the line before it": {
			[]fakeChunk{{text: "a\nlost", frame: 1}, {frame: 2, bad: true}, {text: "b\nc\n", frame: 3}},
			[]gotLine{
				{Text: "a", Len: 1, First: 1, Last: 1, Terminated: true},
				{Text: "b", Off: 6, Len: 1, First: 3, Last: 3, Terminated: true, AfterGap: true},
				{Text: "c", Off: 8, Len: 1, First: 3, Last: 3, Terminated: true},
			},
		},
		"two broken frames are one gap": {
			[]fakeChunk{{frame: 1, bad: true}, {frame: 2, bad: true}, {text: "a", frame: 3}},
			[]gotLine{{Text: "a", Len: 1, First: 3, Last: 3, AfterGap: true}},
		},
		"a broken last frame takes the rest with it": {
			[]fakeChunk{{text: "a\nrest", frame: 1}, {frame: 2, bad: true}},
			[]gotLine{{Text: "a", Len: 1, First: 1, Last: 1, Terminated: true}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := allLines(&fakeText{chunks: test.chunks}, limit)
			if err != io.EOF {
				t.Errorf("error %v, want io.EOF", err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLinesPassOnAReadError(t *testing.T) {
	broken := errors.New("disk on fire")
	got, err := allLines(&fakeText{chunks: chunks("a\nb"), err: broken}, 10)
	if !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
	if want := []gotLine{{Text: "a", Len: 1, Terminated: true}}; !cmp.Equal(want, got) {
		t.Errorf("lines %v, want only the complete one", got)
	}
}

func TestLinesEndOnlyOnce(t *testing.T) {
	l := lines{src: &fakeText{chunks: chunks("a")}, limit: 10}
	for i, want := range []error{nil, io.EOF, io.EOF} {
		if _, err := l.next(); err != want {
			t.Errorf("call %d: error %v, want %v", i+1, err, want)
		}
	}
}

func TestLongLinesTakeNoMemory(t *testing.T) {
	l := lines{src: &fakeText{chunks: chunks(strings.Repeat("a", 1000), strings.Repeat("b", 1000), "\n")}, limit: 10}
	line, err := l.next()
	if err != nil || !line.tooLong || line.len != 2000 {
		t.Fatalf("line %+v, error %v, want 2000 bytes, too long", line, err)
	}
	if cap(l.carry) > 64 {
		t.Errorf("%d bytes are kept of a line over the limit", cap(l.carry))
	}
}

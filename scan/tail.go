package scan

import (
	"bytes"
	"io"
)

const (
	// tailText is the bytes at the end of a log, of the file or of the text of a
	// frame, that are looked at first: some dozen events.
	tailText = 16 << 10
	// tailGrowth is how many times more are looked at when those do not do.
	tailGrowth = 8
	// maxTail is the most bytes that are looked at: a longer last line stays unread.
	maxTail = 8 << 20
	// tailFrames is how many frames before the last one are looked at for the
	// number of a turn, which some events do not have.
	tailFrames = 8
)

// Tail is what the last events of a log tell of it. Like what dsh shows in its
// list, it is taken on trust: nothing before those events has been read.
type Tail struct {
	// Known is false where nothing can be told: the end of the log is damaged, its
	// last line is too long, or a torn frame holds all of its events.
	Known  bool
	Events int64 // seq of the last event and one, 0 for a log without events
	Time   int64 // epoch ms of the last event; 0 when Events is
	Turns  int64 // the last turn number near the end; -1 when there is none
}

// ReadTail reads the last complete line of a plain log, or the last complete
// frame of a zstd log, in the first size bytes of src, and some of what is before
// them. An error means that src could not be read.
func ReadTail(src io.ReaderAt, size int64, encoding Encoding) (Tail, error) {
	t := tailReader{Tail: Tail{Turns: -1}}
	read := t.plain
	if encoding == Zstd {
		read = t.zstd
	}
	if err := read(src, size); err != nil {
		return Tail{Turns: -1}, err
	}
	if t.Known && t.Events == 0 {
		t.Turns = 0
	}
	return t.Tail, nil
}

// tailReader goes backwards over the lines of a log.
type tailReader struct {
	Tail
	record Record
}

// complete reports whether there is nothing left to find.
func (t *tailReader) complete() bool { return t.Known && t.Turns >= 0 }

func (t *tailReader) plain(src io.ReaderAt, size int64) error {
	for n := int64(tailText); ; n *= tailGrowth {
		n = min(n, size, maxTail)
		text := make([]byte, n)
		if err := readFullAt(src, text, size-n); err != nil {
			return err
		}
		if n == size {
			t.whole(text)
			return nil
		}
		t.take(withoutPart(text))
		if t.complete() || t.Known && n > tailText || n == maxTail {
			return nil
		}
	}
}

// whole takes all the text of a plain log. A header without any other line says
// that there are no events; with lines that are none, nobody knows.
func (t *tailReader) whole(text []byte) {
	header := bytes.IndexByte(text, '\n') + 1
	if header == 0 {
		return
	}
	if t.take(text[header:]); bytes.IndexByte(text[header:], '\n') < 0 {
		t.Known = true
	}
}

// withoutPart cuts off the first line of a text that begins inside it.
func withoutPart(text []byte) []byte {
	return text[bytes.IndexByte(text, '\n')+1:]
}

// take looks at the complete lines of a text from the last one on, until there is
// nothing left to find.
func (t *tailReader) take(text []byte) {
	for !t.complete() {
		end := bytes.LastIndexByte(text, '\n')
		if end < 0 {
			return
		}
		start := bytes.LastIndexByte(text[:end], '\n') + 1
		t.line(text[start:end])
		text = text[:start]
	}
}

func (t *tailReader) line(text []byte) {
	r := &t.record
	r.Reparse(text)
	seq, ok := r.Seq()
	if !ok || seq < 0 || !r.IsEvent() {
		return
	}
	time, turn := r.Row.LastTime, r.Row.Turn
	if r.Kind == Event {
		turn = r.Event.Turn()
		time, ok = r.Event.Time.SafeInt()
	}
	if !t.Known && ok {
		t.Known, t.Events, t.Time = true, seq+r.Events(), time
	}
	if n, ok := turn.SafeInt(); ok && n >= 0 && t.Known && t.Turns < 0 {
		t.Turns = n
	}
}

func (t *tailReader) zstd(src io.ReaderAt, size int64) error {
	reader, err := borrowFrameReader(src)
	if err != nil {
		return err
	}
	defer reader.giveBack()
	frames, torn, err := lastFrames(reader, size)
	if err != nil {
		return err
	}
	for i := len(frames) - 1; i >= 0 && !t.complete(); i-- {
		if frames[i].FileOff == 0 {
			// The header; behind it only what a torn frame holds.
			t.Known = t.Known || !torn && i == len(frames)-1
			return nil
		}
		if sound, err := t.frame(reader, frames[i]); !sound || err != nil {
			return err
		}
	}
	return nil
}

// frame takes the end of the text of a frame, and reports whether that decodes.
func (t *tailReader) frame(reader *frameReader, f Frame) (sound bool, err error) {
	for n := min(tailText, smallChunk*f.Len); ; n *= tailGrowth {
		text, whole, err := frameEnd(reader, f, n)
		switch {
		case isDamage(err):
			return false, nil
		case err != nil:
			return false, err
		case !whole:
			text = withoutPart(text)
		}
		t.take(text)
		if t.Known || whole || n >= maxTail {
			return true, nil
		}
	}
}

// frameEnd decodes a frame and returns the last bytes of its text, at least n
// unless that is the whole.
func frameEnd(reader *frameReader, f Frame, n int64) (text []byte, whole bool, err error) {
	buf := make([]byte, 2*n)
	kept := 0
	whole = true
	for reader.Reset(f); ; {
		if kept == len(buf) {
			kept = copy(buf, buf[n:])
			whole = false
		}
		got, err := reader.Read(buf[kept:])
		kept += got
		switch {
		case err == io.EOF:
			return buf[:kept], whole, nil
		case err != nil:
			return nil, false, err
		}
	}
}

// lastFrames returns the last complete frames of a file, at most tailFrames and
// one, and whether a torn one follows. It looks for them near the end of the file
// first, as a search for hidden frames does, and walks over all frames only where
// the last one begins before that. There are none where the file is damaged.
func lastFrames(reader *frameReader, size int64) (frames []Frame, torn bool, err error) {
	from := int64(0)
	if size > tailText {
		chain, err := findFrames(reader, size-tailText, size)
		if err != nil {
			return nil, false, err
		}
		if chain.Found && !chain.Broken {
			from = chain.Off
		}
	}
	walk := newFrameWalker(reader.src, from, size)
	for {
		f, ok, err := walk.next()
		if err != nil {
			return nil, false, err
		}
		if !ok || f.Torn {
			if walk.fault != nil {
				frames = nil
			}
			return frames, ok, nil
		}
		if len(frames) > tailFrames {
			frames = frames[1:]
		}
		frames = append(frames, f)
	}
}

package scan

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Frames that are decoded ahead give what they give one after the other: a frame that is
// damaged, one whose text is long, one that is large, lines that go on in the next frame,
// and a torn end among them.
func TestFramesThatAreDecodedAheadAreReadAsInTurn(t *testing.T) {
	event := `{"type":"turn/start","seq":0}` + "\n"
	few := join(storedFrame(`{"type":"session"}`+"\n"), storedFrame(event), storedFrame(event+event[:9]), storedFrame(event[9:]))
	many := bytes.Repeat(storedFrame(event), fewFrames)
	broken := storedFrame(event)
	broken[len(broken)-1] ^= 1
	long := startFrame(descriptorChecksum, 0x60)
	for range 8 {
		long = long.rle(" ", maxFrameBlock)
	}
	blanks := strings.Repeat(" ", 8*maxFrameBlock)
	long = long.lastRaw(event).checksum(blanks + event)
	large := startFrame(descriptorChecksum, 0x60).raw(strings.Repeat(" ", smallFrame)).lastRaw(event)
	large = large.checksum(strings.Repeat(" ", smallFrame) + event)
	other := bareFrame().lastRaw(event)

	inTurn := func(r *Reader) func(func(*Record) bool) { return r.Records() }
	for name, data := range map[string][]byte{
		"sound":             join(few, many),
		"damage":            join(few, many, broken, many),
		"damage at the end": join(few, many, broken),
		"long text":         join(few, many, long, many),
		"a large frame":     join(few, many, large, many),
		"no checksum":       join(few, other, many),
		"a torn frame":      join(few, many, encodeFrame(t, strings.Repeat(event, 100))[:60]),
		"half a header":     join(few, many, broken[:3]),
		"no frame":          join(few, many, []byte("junk junk")),
	} {
		want := story(t, data, Options{}, inTurn)
		if diff := cmp.Diff(want, story(t, data, Options{Jobs: 3}, inTurn)); diff != "" {
			t.Errorf("%s: (-in turn +ahead)\n%s", name, diff)
		}
	}
}

func TestAnErrorOfTheFileEndsFramesThatAreDecodedAhead(t *testing.T) {
	data := manyFrames(100_000)
	src := failingReader{bytes.NewReader(data), int64(len(data)) / 2}
	a := &frameAhead{src: src, walk: newFrameWalker(src, 0, int64(len(data))), jobs: 2}
	defer a.stop()
	for frames := 0; ; frames++ {
		f, _, err := a.next()
		switch {
		case err == errDisk && frames > 1000:
			return
		case err != nil || f == nil:
			t.Fatalf("error %v after %d frames", err, frames)
		case f.decoded && f.err == errDisk:
			return
		}
	}
}

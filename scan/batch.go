package scan

// A batch is as many lines as keep the cost of taking turns small, while their records
// stay in the cache of a processor.
const (
	batchText  = 64 << 10 // bytes; a longer line has a batch of its own
	batchLines = 256
)

// batch is some lines of a log.
type batch struct {
	first  int // number of the first line
	text   []byte
	lines  []line
	frames []endedFrame
	// before is closed once the batch before this one has been handed over, done once
	// this one has.
	before, done chan struct{}
}

// endedFrame is a frame whose end was seen before the line with an index in the
// batch, or behind all of them.
type endedFrame struct {
	FrameInfo
	before int
}

// reset makes b an empty batch behind another one, of which it is told by a channel
// when that has been handed over. One that had to grow for a long line lets go of it.
func (b *batch) reset(first int, before chan struct{}) {
	if len(b.text) > 2*batchText {
		b.text = nil
	}
	b.first, b.text, b.lines, b.frames = first, b.text[:0], b.lines[:0], b.frames[:0]
	b.before, b.done = before, make(chan struct{})
}

func (b *batch) add(l *line) {
	at := len(b.text)
	b.text = append(b.text, l.text...)
	b.lines = append(b.lines, *l)
	if !l.tooLong {
		b.lines[len(b.lines)-1].text = b.text[at:len(b.text):len(b.text)]
	}
}

// isNext reports whether the batch before b has been handed over.
func (b *batch) isNext() bool {
	select {
	case <-b.before:
		return true
	default:
		return false
	}
}

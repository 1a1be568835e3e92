package scan

import (
	"iter"

	"github.com/turnlint/turnlint/internal/inorder"
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// A batch is as many lines as keep the cost of handing it over small, and the
// memory of those under way.
const (
	batchText  = 64 << 10 // bytes; a longer line has a batch of its own
	batchLines = 256
	// maxBatches is how many there are of a log at a time: one at each of the three
	// stages, and one between two of them.
	maxBatches = 4
	// maxParsers is how many goroutines make records. More of them would wait for the
	// rules, which take as long.
	maxParsers = 2
)

// batch is some lines on their way from the decoder to those who want records.
type batch struct {
	first   int // number of the first line
	text    []byte
	lines   []line
	records []Record
	alike   *jsjson.Skeletons // of the texts of the records
	frames  []endedFrame
	// panicked is what parse panicked with.
	panicked any
}

func newBatch() *batch { return &batch{alike: session.NewSkeletons()} }

// endedFrame is a frame whose end was seen before the line with an index in the
// batch, or behind all of them.
type endedFrame struct {
	FrameInfo
	before int
}

// pipeline reads a log in three stages that run side by side: text and lines,
// records, and those who want them.
type pipeline struct {
	reader *Reader
	// maxText and maxLines bound a batch, but that a long line may have one of its own.
	maxText, maxLines int

	filling *batch
	onFrame func(FrameInfo)
	free    chan *batch
	stopped chan struct{} // closed when nobody wants more records
}

func newPipeline(r *Reader) *pipeline {
	p := &pipeline{reader: r, maxText: batchText, maxLines: batchLines, free: make(chan *batch, maxBatches), stopped: make(chan struct{})}
	for range maxBatches {
		p.free <- newBatch()
	}
	if text, ok := r.lines.src.(*frameText); ok {
		p.onFrame, text.onFrame = text.onFrame, p.noteFrame
	}
	return p
}

// records yields what [Reader.Records] does.
func (p *pipeline) records(yield func(*Record) bool) {
	for b := range inorder.Map(min(p.reader.jobs-1, maxParsers), p.batches(), (*batch).parse) {
		if !p.hand(b, yield) {
			return
		}
		p.free <- b
	}
}

// hand passes on the records of a batch, each behind the frames that ended
// before it, and reports whether more are wanted.
func (p *pipeline) hand(b *batch, yield func(*Record) bool) (more bool) {
	defer func() {
		if !more { // also where yield panics: the other stages must end
			close(p.stopped)
		}
	}()
	if b.panicked != nil {
		panic(b.panicked)
	}
	frames := b.frames
	for i := 0; ; i++ {
		for ; len(frames) > 0 && frames[0].before == i; frames = frames[1:] {
			p.onFrame(frames[0].FrameInfo)
		}
		if i == len(b.lines) {
			return true
		}
		if !yield(&b.records[i]) {
			return false
		}
	}
}

// batches yields the lines of the log.
func (p *pipeline) batches() iter.Seq[*batch] {
	return func(yield func(*batch) bool) {
		for number, more := 1, true; more; number += len(p.filling.lines) {
			if !p.take() {
				return
			}
			more = p.fill(number)
			if !yield(p.filling) {
				return
			}
		}
	}
}

// take waits for a free batch. One that had to grow for a long line is let alone
// through the stages, so that memory is that of one such line.
func (p *pipeline) take() bool {
	wait := 1
	if p.filling != nil && len(p.filling.text) > 2*p.maxText {
		wait = maxBatches
	}
	for range wait {
		select {
		case b := <-p.free:
			p.filling = b
		case <-p.stopped:
			return false
		}
	}
	if wait > 1 {
		p.filling = newBatch()
		for range maxBatches - 1 {
			p.free <- newBatch()
		}
	}
	return true
}

// fill reads lines into the batch and reports whether there are more.
func (p *pipeline) fill(number int) (more bool) {
	b := p.filling
	b.first, b.text, b.lines, b.frames = number, b.text[:0], b.lines[:0], b.frames[:0]
	for len(b.text) < p.maxText && len(b.lines) < p.maxLines {
		l, more := p.reader.nextLine()
		if !more {
			return false
		}
		b.add(l)
	}
	return true
}

func (b *batch) add(l *line) {
	at := len(b.text)
	b.text = append(b.text, l.text...)
	b.lines = append(b.lines, *l)
	if !l.tooLong {
		b.lines[len(b.lines)-1].text = b.text[at:len(b.text):len(b.text)]
	}
}

// noteFrame takes a frame that has ended.
func (p *pipeline) noteFrame(f FrameInfo) {
	if p.onFrame != nil {
		p.filling.frames = append(p.filling.frames, endedFrame{f, len(p.filling.lines)})
	}
}

// parse makes the records of the lines. A panic goes on in hand, which ends the
// other stages.
func (b *batch) parse() (self *batch) {
	defer func() { self, b.panicked = b, recover() }()
	for len(b.records) < len(b.lines) {
		b.records = append(b.records, Record{Doc: jsjson.Doc{Skeletons: b.alike}})
	}
	for i := range b.lines {
		b.records[i].set(&b.lines[i], b.first+i)
	}
	return b
}

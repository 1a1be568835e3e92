package scan

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

const (
	// maxWorkers is how many goroutines read a log. More of them would wait for their
	// turns most of the time.
	maxWorkers = 4
	// ahead is how many batches of a compressed log may be read before a worker has time
	// for them. With fewer, the one who reads would change.
	ahead = 4
	// patience is how often a worker asks for something before it sleeps. To wake it
	// takes longer than most waits.
	patience = 5000
)

// relay reads a log on several processors. Its workers make records side by side, each
// of the lines of a batch, and hand them over in the order of the log. Who makes records
// hands them over, too: to bring them to another processor takes about as long as to
// make them. One worker also reads the lines, and goes on with that as long as there is
// room for more, because the window of a frame is as costly to move.
type relay struct {
	reader *Reader
	// maxText and maxLines bound a batch, but that a long line may have one of its own.
	maxText, maxLines int

	yield   func(*Record) bool
	onFrame func(FrameInfo)
	free    chan *batch
	ready   chan *batch // in the order of the log; closed at its end

	keeper  atomic.Pointer[worker] // who reads
	reading sync.Mutex             // guards the text, and what follows
	filling *batch
	last    chan struct{} // done of the batch that was filled last
	number  int           // of the next line
	ended   bool          // there are no more lines

	stopped chan struct{} // closed when nobody wants more records
	// cause is what a worker panicked with.
	cause any
}

// worker makes records of one batch at a time.
type worker struct {
	records []Record
	alike   *jsjson.Skeletons // of their texts
}

func newRelay(r *Reader) *relay {
	p := &relay{
		reader: r, maxText: batchText, maxLines: batchLines, number: 1,
		last: make(chan struct{}), stopped: make(chan struct{}),
	}
	close(p.last)
	batches := min(r.jobs, maxWorkers)
	if text, ok := r.lines.src.(*frameText); ok {
		p.onFrame, text.onFrame = text.onFrame, p.noteFrame
		batches += ahead
	}
	p.free, p.ready = make(chan *batch, batches), make(chan *batch, batches)
	for range batches {
		p.free <- new(batch)
	}
	return p
}

// records yields what [Reader.Records] does.
func (p *relay) records(yield func(*Record) bool) {
	p.yield = yield
	var workers sync.WaitGroup
	for range min(p.reader.jobs, maxWorkers) {
		workers.Go(func() {
			w := &worker{alike: session.NewSkeletons()}
			for b := p.next(w); b != nil; b = p.next(w) {
				p.pass(w, b)
			}
		})
	}
	workers.Wait()
	if text, ok := p.reader.lines.src.(*frameText); ok && text.ahead != nil {
		text.ahead.stop()
	}
	if p.cause != nil {
		panic(p.cause) // where it can be recovered from
	}
}

// next returns the next batch for a worker, nil when there is none. It may read some
// more first.
func (p *relay) next(w *worker) *batch {
	for asked := 0; asked < patience; asked++ {
		if p.read(w) {
			continue
		}
		select {
		case <-p.stopped:
			return nil
		case b := <-p.ready:
			return b
		default:
			runtime.Gosched()
		}
	}
	select {
	case <-p.stopped:
		return nil
	case b := <-p.ready:
		return b
	}
}

// read fills a batch, if it is for the worker to do so: if it did so before, or nobody
// did. A batch with a long line is taken through at once, so that there is one such
// line at a time.
func (p *relay) read(w *worker) bool {
	if p.keeper.Load() != w && len(p.ready) > 0 || !p.reading.TryLock() {
		return false
	}
	defer p.reading.Unlock()
	if p.ended {
		return false
	}
	select {
	case p.filling = <-p.free:
	default:
		return false
	}
	p.keeper.Store(w)
	b := p.filling
	b.reset(p.number, p.last)
	p.last = b.done
	defer p.catch(b)
	p.fill(b)
	if len(b.text) > 2*p.maxText {
		p.pass(w, b)
	} else {
		p.ready <- b
	}
	if p.ended {
		close(p.ready)
	}
	return true
}

// fill reads lines into a batch.
func (p *relay) fill(b *batch) {
	for len(b.text) < p.maxText && len(b.lines) < p.maxLines {
		l, more := p.reader.nextLine()
		if !more {
			p.ended = true
			break
		}
		b.add(l)
	}
	p.number += len(b.lines)
}

// noteFrame takes a frame that has ended.
func (p *relay) noteFrame(f FrameInfo) {
	if p.onFrame != nil {
		p.filling.frames = append(p.filling.frames, endedFrame{f, len(p.filling.lines)})
	}
}

// pass makes the records of a batch, hands them over in its turn, and gives it back.
func (p *relay) pass(w *worker, b *batch) {
	defer func() { p.free <- b }()
	defer close(b.done)
	defer p.catch(b)
	w.parse(b)
	if p.await(b) {
		p.hand(w, b)
	}
}

// catch keeps what a worker panicked with, for the caller to panic with it once all
// that comes before has been handed over.
func (p *relay) catch(b *batch) {
	if cause := recover(); cause != nil && p.await(b) {
		p.cause = cause
		close(p.stopped)
	}
}

// await returns once it is the turn of a batch, or false when there is none any more.
func (p *relay) await(b *batch) bool {
	for asked := 0; asked < patience && !b.isNext(); asked++ {
		runtime.Gosched()
	}
	select {
	case <-b.before:
	case <-p.stopped:
	}
	select {
	case <-p.stopped:
		return false
	default:
		return true
	}
}

// parse makes the records of the lines.
func (w *worker) parse(b *batch) {
	for len(w.records) < len(b.lines) {
		w.records = append(w.records, Record{Doc: jsjson.Doc{Skeletons: w.alike}})
	}
	for i := range b.lines {
		w.records[i].set(&b.lines[i], b.first+i)
	}
}

// hand passes on the records of a batch, each behind the frames that ended before it.
func (p *relay) hand(w *worker, b *batch) {
	frames := b.frames
	for i := 0; ; i++ {
		for ; len(frames) > 0 && frames[0].before == i; frames = frames[1:] {
			p.onFrame(frames[0].FrameInfo)
		}
		if i == len(b.lines) {
			return
		}
		if !p.yield(&w.records[i]) {
			close(p.stopped)
			return
		}
	}
}

package cli

import (
	"os"
	"sync"
	"time"

	"github.com/urfave/cli/v2"
)

const progressFlag = "progress"

// ProgressFlag returns the flag that [StartProgress] reads.
func ProgressFlag() cli.Flag {
	return Choice(progressFlag, "on standard error, show how far a run over a second is: auto on a terminal, json for programs, `HOW`",
		"auto", "auto", "never", "json")
}

// Progress shows how far a run over inputs is. A nil one shows nothing.
type Progress struct {
	start time.Time
	stop  chan struct{}
	ended chan struct{}
	show  shower

	mu     sync.Mutex
	sizes  []int64 // bytes of each input, in order
	total  int64   // bytes of all of them
	before int64   // bytes of those that are done
	done   int     // inputs that are
	passes int64   // how often an input is read
	read   int64   // bytes of the current one that were read, in all passes
}

// shower is a way to show progress. Its methods are called one after the other.
type shower interface {
	begin(progressState) // a second after the start
	update(progressState)
	end(progressState) // only after begin
}

// progressState is how far a run is.
type progressState struct {
	files, totalFiles int
	bytes, totalBytes int64
	elapsed           time.Duration
}

// rate returns bytes per second.
func (s *progressState) rate() float64 { return float64(s.bytes) / max(s.elapsed.Seconds(), 1e-9) }

// left returns the time that the rest takes at the same rate; ok is false while
// nobody knows.
func (s *progressState) left() (left time.Duration, ok bool) {
	if s.bytes == 0 {
		return 0, false
	}
	return time.Duration(float64(s.totalBytes-s.bytes) / s.rate() * float64(time.Second)), true
}

// The time before progress is shown, and between two updates.
const (
	progressDelay    = time.Second
	progressInterval = 200 * time.Millisecond
	jsonInterval     = time.Second
)

// StartProgress starts to show how far a run over the inputs that args name is, which
// reads each of them so many times. Both ways of c.App to write go above the bar from
// then on. The caller calls [Progress.Close] in the end.
func StartProgress(c *cli.Context, args []string, passes int) *Progress {
	switch c.String(progressFlag) {
	case "json":
		return newProgress(args, passes, &jsonProgress{out: c.App.ErrWriter}, progressDelay, jsonInterval)
	case "auto":
		if file, ok := c.App.ErrWriter.(*os.File); ok && isTerminal(file) && os.Getenv("TERM") != "dumb" {
			bar := &barProgress{app: c.App, out: file}
			bar.wrap()
			return newProgress(args, passes, bar, progressDelay, progressInterval)
		}
	}
	return nil
}

func newProgress(args []string, passes int, show shower, delay, interval time.Duration) *Progress {
	p := &Progress{start: time.Now(), stop: make(chan struct{}), ended: make(chan struct{}), show: show, passes: int64(passes)}
	for path := range Inputs(args) {
		size := int64(0)
		if info, err := os.Stat(path.Name); err == nil && info.Mode().IsRegular() {
			size = info.Size()
		}
		p.sizes = append(p.sizes, size)
		p.total += size
	}
	go p.run(delay, interval)
	return p
}

func (p *Progress) run(delay, interval time.Duration) {
	defer close(p.ended)
	select {
	case <-p.stop:
		return
	case <-time.After(delay):
	}
	p.show.begin(p.state())
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-p.stop:
			p.show.end(p.state())
			return
		case <-ticker.C:
			p.show.update(p.state())
		}
	}
}

func (p *Progress) state() progressState {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := progressState{
		files: p.done, totalFiles: len(p.sizes), bytes: p.before, totalBytes: p.total, elapsed: time.Since(p.start),
	}
	if p.done < len(p.sizes) {
		s.bytes += min(p.read/p.passes, p.sizes[p.done])
	}
	return s
}

// Again says that the current input is read from its start.
func (p *Progress) Again() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.read = 0
}

// Read says that n bytes of the current input have been read.
func (p *Progress) Read(n int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.read += int64(n)
}

// Next says that the current input is done.
func (p *Progress) Next() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done < len(p.sizes) {
		p.before += p.sizes[p.done]
		p.done++
	}
	p.read = 0
}

// Close ends it. After that, nothing is in the way of other output.
func (p *Progress) Close() {
	if p == nil {
		return
	}
	close(p.stop)
	<-p.ended
	if bar, ok := p.show.(*barProgress); ok {
		bar.unwrap()
	}
}

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/urfave/cli/v2"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/turnlint/turnlint/internal/lang"
)

// jsonProgress shows progress as JSON, one object a line.
type jsonProgress struct{ out io.Writer }

// progressJSON is one of its lines.
type progressJSON struct {
	Kind           string   `json:"kind"` // progress
	Files          int      `json:"files"`
	TotalFiles     int      `json:"totalFiles"`
	Bytes          int64    `json:"bytes"`
	TotalBytes     int64    `json:"totalBytes"`
	BytesPerSecond float64  `json:"bytesPerSecond"`
	SecondsLeft    *float64 `json:"secondsLeft,omitempty"` // absent while nobody knows
}

func (j *jsonProgress) begin(s progressState) { j.update(s) }
func (j *jsonProgress) end(s progressState)   { j.update(s) }

func (j *jsonProgress) update(s progressState) {
	line := progressJSON{
		Kind: "progress", Files: s.files, TotalFiles: s.totalFiles, Bytes: s.bytes, TotalBytes: s.totalBytes,
		BytesPerSecond: s.rate(),
	}
	if left, ok := s.left(); ok {
		seconds := left.Seconds()
		line.SecondsLeft = &seconds
	}
	text, err := json.Marshal(line)
	if err == nil {
		// One write, so that the line does not mix with others. Nobody could be told
		// that it fails.
		_, _ = j.out.Write(append(text, '\n'))
	}
}

// barProgress shows progress as a bar at the bottom of a terminal.
type barProgress struct {
	app *cli.App
	out *os.File
	old [2]io.Writer // of the app, without the bar

	mu    sync.Mutex
	bars  *mpb.Progress // nil while there is no bar
	bar   *mpb.Bar
	state progressState
}

// wrap makes the app write above the bar.
func (b *barProgress) wrap() {
	b.old = [2]io.Writer{b.app.Writer, b.app.ErrWriter}
	b.app.ErrWriter = &aboveBar{b: b, file: b.out}
	if file, ok := b.app.Writer.(*os.File); ok && isTerminal(file) {
		b.app.Writer = &aboveBar{b: b, file: file}
	}
}

// unwrap gives the app its own streams back.
func (b *barProgress) unwrap() {
	for _, w := range []io.Writer{b.app.Writer, b.app.ErrWriter} {
		if above, ok := w.(*aboveBar); ok {
			_, _ = above.file.Write(above.rest)
		}
	}
	b.app.Writer, b.app.ErrWriter = b.old[0], b.old[1]
}

func (b *barProgress) begin(s progressState) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state = s
	b.bars = mpb.New(mpb.WithOutput(b.out), mpb.WithRefreshRate(progressInterval))
	b.bar = b.bars.AddBar(max(1, s.totalBytes),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return b.text() })))
	b.bar.SetCurrent(barValue(s))
}

// barValue returns the bytes that the bar shows. It would end at the total.
func barValue(s progressState) int64 { return max(0, min(s.bytes, s.totalBytes-1)) }

func (b *barProgress) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state.text(langOf(b.app))
}

func (b *barProgress) update(s progressState) {
	b.mu.Lock()
	b.state = s
	b.mu.Unlock()
	b.bar.SetCurrent(barValue(s))
}

func (b *barProgress) end(progressState) {
	b.mu.Lock()
	bars := b.bars
	b.bars = nil
	b.mu.Unlock()
	b.bar.Abort(true)
	bars.Wait()
}

// text returns bytes, files, rate and the time that is left.
func (s progressState) text(l *lang.Printer) string {
	text := l.Textf("%v of %v, %v of %v files, %v/s",
		size(float64(s.bytes)), size(float64(s.totalBytes)), s.files, s.totalFiles, size(s.rate()))
	if d, ok := s.left(); ok {
		text = l.Textf("%v, %v left", text, d.Round(time.Second))
	}
	return " " + text
}

// size returns bytes in the unit that fits.
func size(n float64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	for n >= 1024 && len(units) > 1 {
		n, units = n/1024, units[1:]
	}
	if units[0] == "B" {
		return fmt.Sprintf("%.0f B", n)
	}
	return fmt.Sprintf("%.1f %s", n, units[0])
}

// aboveBar writes whole lines to a terminal, above the bar while there is one.
type aboveBar struct {
	b    *barProgress
	file *os.File
	rest []byte // of a line that is not complete yet
}

// Write implements io.Writer.
func (a *aboveBar) Write(text []byte) (int, error) {
	a.rest = append(a.rest, text...)
	end := bytes.LastIndexByte(a.rest, '\n') + 1
	if end == 0 {
		return len(text), nil
	}
	var out io.Writer = a.file
	a.b.mu.Lock()
	if a.b.bars != nil {
		out = a.b.bars
	}
	a.b.mu.Unlock()
	if _, err := out.Write(a.rest[:end]); err != nil {
		return 0, err
	}
	a.rest = append(a.rest[:0], a.rest[end:]...)
	return len(text), nil
}

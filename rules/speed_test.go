package rules_test

import (
	"bytes"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/turnlint/turnlint/internal/biglog"
	"github.com/turnlint/turnlint/internal/ratio"
	"github.com/turnlint/turnlint/rules"
)

// The logs that speed is measured with, and how often.
const (
	speedSize   = 16 << 20 // bytes of text: beyond the caches of a processor
	speedRounds = 7
)

func bigLog(tb testing.TB, shape biglog.Shape, framing biglog.Framing, size int64) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := (biglog.Log{Shape: shape, Framing: framing, Size: size, Seed: 1}).Write(&b); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// split is the least that a reader of lines can do: it finds them.
func split(log []byte) func() {
	return func() {
		for rest := log; len(rest) > 0; {
			rest = rest[bytes.IndexByte(rest, '\n')+1:]
		}
	}
}

// decode is the least that a reader of a compressed log can do.
func decode(tb testing.TB, log []byte) func() {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(false))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(dec.Close)
	buf := make([]byte, 256<<10)
	return func() {
		if err := dec.Reset(bytes.NewReader(log)); err != nil {
			tb.Error(err)
		}
		if _, err := io.CopyBuffer(onlyWriter{io.Discard}, onlyReader{dec}, buf); err != nil {
			tb.Error(err)
		}
	}
}

type (
	onlyReader struct{ io.Reader }
	onlyWriter struct{ io.Writer }
)

// linting is everything: decode, lines, JSON and all rules.
func linting(tb testing.TB, log []byte, jobs int) func() {
	return func() {
		result, err := rules.Check(bytes.NewReader(log), int64(len(log)), rules.Options{Jobs: jobs})
		if err != nil || len(result.Findings) > 0 {
			tb.Errorf("error %v, findings %v", err, result.Findings)
		}
	}
}

// speedCase compares a check with the least work. On two processors, time is that
// of the clock on the wall. The floor is the part of the speed of the least work
// that a check has to reach; the goal is what there is to reach.
type speedCase struct {
	name        string
	shape       biglog.Shape
	framing     biglog.Framing
	least       func(tb testing.TB, log []byte) func()
	jobs        int
	floor, goal float64
}

func splitOf(_ testing.TB, log []byte) func()     { return split(log) }
func checkAlone(tb testing.TB, log []byte) func() { return linting(tb, log, 1) }

var speedCases = []speedCase{
	{"plain against newline split", biglog.Mixed, biglog.Plain, splitOf, 1, 1.0 / 18, 1.0 / 12},
	{"long results, plain, against newline split", biglog.Results, biglog.Plain, splitOf, 1, 1.0 / 18, 1.0 / 12},
	{"token deltas, plain, against newline split", biglog.Deltas, biglog.Plain, splitOf, 1, 1.0 / 24, 1.0 / 12},
	{"packed rows, plain, against newline split", biglog.Rows, biglog.Plain, splitOf, 1, 1.0 / 18, 1.0 / 12},
	{"one zstd frame against decode alone", biglog.Mixed, biglog.One, decode, 1, 0.40, 0.50},
	{"a zstd frame per batch against decode alone", biglog.Mixed, biglog.Batches, decode, 1, 0.40, 0.50},
	{"plain, two processors, against one", biglog.Mixed, biglog.Plain, checkAlone, 2, 1.5, 1.8},
	{"one zstd frame, two processors, against decode alone", biglog.Mixed, biglog.One, decode, 2, 0.60, 0.85},
	{"a zstd frame per batch, two processors, against decode alone", biglog.Mixed, biglog.Batches, decode, 2, 0.70, 1.20},
}

// speedAttempts is how often a speed is measured that seems too low, and speedPause the
// time between: other work on the machine makes it lower, and nothing makes it higher.
const (
	speedAttempts = 8
	speedPause    = 2 * time.Second
)

// TestSpeed takes half a minute.
func TestSpeed(t *testing.T) {
	if !ratio.Asked() {
		t.Skip("set " + ratio.Variable + "=1 to measure")
	}
	for _, c := range speedCases {
		t.Run(c.name, func(t *testing.T) { c.test(t) })
	}
}

func (c *speedCase) test(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(c.jobs))
	var got float64
	for range speedAttempts {
		if got = c.measure(t); got >= c.floor {
			return
		}
		time.Sleep(speedPause)
	}
	t.Errorf("%.3f of its speed, want at least %.3f", got, c.floor)
}

// measure returns the speed as a part of that of the least work. The log is made anew,
// since where it lies in memory makes a difference, too.
func (c *speedCase) measure(t *testing.T) float64 {
	log := bigLog(t, c.shape, c.framing, speedSize)
	clock := ratio.CPU
	if c.jobs > 1 {
		clock = ratio.Wall
		if spare := ratio.Processors(c.jobs); spare < 0.85*float64(c.jobs) {
			t.Skipf("other work leaves %.1f of %d processors", spare, c.jobs)
		}
	}
	times := ratio.Medians(clock, speedRounds, c.least(t, log), linting(t, log, c.jobs))
	got := float64(times[0]) / float64(times[1])
	t.Logf("%.3f of its speed, %v against %v; at least %.3f, goal %.3f", got, times[1], times[0], c.floor, c.goal)
	return got
}

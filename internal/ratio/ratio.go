// Package ratio compares pieces of code by the time that they take in one process.
// Times of different processes or machines say little: other work moves them by
// half, while the ratios of interleaved runs stay within a tenth.
package ratio

import (
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Variable is the environment variable that asks for measurements among the tests.
const Variable = "TURNLINT_SPEED"

// Asked reports whether it does.
func Asked() bool { return os.Getenv(Variable) != "" }

// Clock returns the time so far; only differences mean something.
type Clock func() time.Duration

// Wall is the time that passes, for work that uses several processors.
func Wall() time.Duration { return time.Since(epoch) }

var epoch = time.Now()

// Medians runs all works in turn, so many rounds, and returns the median time of
// each. Garbage of one is collected before the next.
func Medians(clock Clock, rounds int, works ...func()) []time.Duration {
	times := make([][]time.Duration, len(works))
	for range rounds {
		for i, work := range works {
			runtime.GC()
			start := clock()
			work()
			times[i] = append(times[i], clock()-start)
		}
	}
	medians := make([]time.Duration, len(works))
	for i := range times {
		slices.Sort(times[i])
		medians[i] = times[i][rounds/2]
	}
	return medians
}

// Processors returns how many processors other work leaves to so many goroutines,
// by what they get done together and one of them alone.
func Processors(goroutines int) float64 {
	const steps = 20_000_000
	times := Medians(Wall, 5, func() { spin(steps) }, func() {
		var all sync.WaitGroup
		for range goroutines {
			all.Go(func() { spin(steps) })
		}
		all.Wait()
	})
	return float64(goroutines) * float64(times[0]) / float64(times[1])
}

// spun makes the work of spin count for something.
var spun atomic.Uint64

// spin keeps a processor busy.
func spin(steps int) {
	var x uint64
	for range steps {
		x = x*6364136223846793005 + 1442695040888963407
	}
	spun.Store(x)
}

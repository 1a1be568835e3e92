package inorder_test

import (
	"iter"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/inorder"
)

func count(n int, taken *atomic.Int64) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			taken.Add(1)
			if !yield(i) {
				return
			}
		}
	}
}

func TestResultsComeInTheOrderOfTheItems(t *testing.T) {
	var taken atomic.Int64
	slowFirst := func(i int) int {
		if i%10 == 0 {
			time.Sleep(time.Millisecond)
		}
		return i * i
	}
	var want []int
	for i := range 200 {
		want = append(want, i*i)
	}
	got := slices.Collect(inorder.Map(runtime.GOMAXPROCS(0), count(200, &taken), slowFirst))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNoItemsGiveNoResults(t *testing.T) {
	var taken atomic.Int64
	if got := slices.Collect(inorder.Map(runtime.GOMAXPROCS(0), count(0, &taken), func(i int) int { return i })); len(got) > 0 {
		t.Errorf("results %v", got)
	}
}

func TestManyItemsTakeFewGoroutines(t *testing.T) {
	var taken atomic.Int64
	before, most := runtime.NumGoroutine(), 0
	for range inorder.Map(runtime.GOMAXPROCS(0), count(10_000, &taken), func(i int) int { return i }) {
		most = max(most, runtime.NumGoroutine()-before)
	}
	if limit := runtime.GOMAXPROCS(0) + 1; most > limit {
		t.Errorf("%d goroutines, want at most %d", most, limit)
	}
}

func TestItemsAreNotTakenFarAheadOfTheResults(t *testing.T) {
	var taken atomic.Int64
	done, limit := 0, int64(0)
	for range inorder.Map(runtime.GOMAXPROCS(0), count(10_000, &taken), func(i int) int { return i }) {
		if done++; done%1000 == 0 {
			limit = max(limit, taken.Load()-int64(done))
		}
	}
	if most := int64(20 * runtime.GOMAXPROCS(0)); limit > most {
		t.Errorf("%d items were taken ahead, want at most %d", limit, most)
	}
}

func TestAReaderThatStopsLeavesNothingRunning(t *testing.T) {
	var taken atomic.Int64
	before := runtime.NumGoroutine()
	for i := range inorder.Map(runtime.GOMAXPROCS(0), count(10_000, &taken), func(i int) int { return i }) {
		if i == 3 {
			break
		}
	}
	for wait := 0; runtime.NumGoroutine() > before; wait++ {
		if wait == 1000 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond) // the last ones are about to end
	}
	if taken.Load() == 10_000 {
		t.Error("all items were taken")
	}
}

func TestAPanicGoesOnWhereTheResultsAreRead(t *testing.T) {
	never := func(int) int { return 0 }
	for name, sequence := range map[string]iter.Seq[int]{
		"of the work":  inorder.Map(2, slices.Values([]int{1, 2, 3}), func(int) int { panic("lost") }),
		"of the items": inorder.Map(2, func(func(int) bool) { panic("lost") }, never),
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if cause := recover(); cause != "lost" {
					t.Errorf("recovered %v", cause)
				}
			}()
			for range sequence {
				t.Error("a result came")
			}
		})
	}
}

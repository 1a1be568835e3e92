package ratio_test

import (
	"testing"
	"time"

	"github.com/turnlint/turnlint/internal/ratio"
)

func TestMediansAreThoseOfInterleavedRuns(t *testing.T) {
	var now time.Duration
	var order string
	costs := map[string][]time.Duration{"a": {5, 1, 90}, "b": {2, 2, 3}}
	work := func(name string) func() {
		return func() {
			order += name
			now += costs[name][0]
			costs[name] = costs[name][1:]
		}
	}
	got := ratio.Medians(func() time.Duration { return now }, 3, work("a"), work("b"))
	if order != "ababab" || got[0] != 5 || got[1] != 2 {
		t.Errorf("order %s, medians %v, want ababab, [5 2]", order, got)
	}
}

func TestTheClocksGoOnWithWork(t *testing.T) {
	for name, clock := range map[string]ratio.Clock{"CPU": ratio.CPU, "Wall": ratio.Wall} {
		start := clock()
		for limit := time.Now().Add(50 * time.Millisecond); time.Now().Before(limit); {
		}
		if spent := clock() - start; spent <= 0 {
			t.Errorf("%s: %v", name, spent)
		}
	}
}

func TestOneGoroutineHasOneProcessor(t *testing.T) {
	if got := ratio.Processors(1); got < 0.3 || got > 3 {
		t.Errorf("%.2f processors", got)
	}
}

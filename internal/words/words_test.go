package words_test

import (
	"testing"

	"github.com/turnlint/turnlint/internal/words"
)

func TestOneThingIsNoPlural(t *testing.T) {
	for n, want := range map[int64]string{0: "0 events", 1: "1 event", 2: "2 events", 1200: "1200 events"} {
		if got := words.Count(n, "event"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

package rules

import (
	"math/rand/v2"
	"testing"

	"github.com/turnlint/turnlint/session"
)

func TestRecentTypesAreThoseOfTheLastEvents(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	kinds := []session.Type{session.AssistantChunk, session.UserMessage, session.StepStart, session.Unknown}
	var recent recentTypes
	all := make(map[int64]session.Type)
	seq, from := int64(0), int64(0)
	for range 4000 {
		if r.IntN(500) == 0 {
			seq += int64(r.IntN(100)) - 20
			seq = max(seq, 0)
			from = seq
		}
		kind, count := kinds[r.IntN(len(kinds))], int64(1+r.IntN(1+r.IntN(200)))
		recent.add(seq, count, kind)
		for range count {
			all[seq] = kind
			seq++
		}
		for _, asked := range []int64{seq, seq - 1, from, from - 1, seq - maxTypes, seq - maxTypes - 1, seq - int64(r.IntN(2000))} {
			kind := all[asked]
			known := asked >= max(from, seq-maxTypes) && asked < seq
			if want := known && kind != session.Unknown && !kind.Surface(); recent.isOther(asked) != want {
				t.Fatalf("event %d of %d to %d, %v: no message = %v, want %v", asked, from, seq, kind, !want, want)
			}
		}
	}
}

package jsjson

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestIntegersOfAnyLengthAreReadAsTheyAreWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		text := make([]byte, 1+r.IntN(maxExactDigits+2))
		for i := range text {
			text[i] = '0' + byte(r.IntN(10))
		}
		if r.IntN(2) == 0 {
			text[r.IntN(len(text))] = byte(r.IntN(256))
		}
		got, ok := natural(text)
		want, err := strconv.ParseUint(string(text), 10, 63)
		wantOK := err == nil && len(text) <= maxExactDigits
		if ok != wantOK || ok && got != int64(want) {
			t.Fatalf("%q: %d, %v; want %d, %v", text, got, ok, want, wantOK)
		}
	}
}

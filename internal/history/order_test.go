package history

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAnOrderIsThatOfAList does the same to an order and to a list, often enough for
// the order to forget what is gone several times.
func TestAnOrderIsThatOfAList(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var o Order
	var list []uint32
	for seq := range uint32(30_000) {
		if n := len(list); n == 0 || random.IntN(3) == 0 {
			o.Append(seq)
			list = append(list, seq)
		} else {
			first := random.IntN(n)
			last := min(n-1, first+random.IntN(3))
			checkSpan(t, &o, list, first, last)
			gone := slices.Clone(list[first : last+1])
			from, _ := o.Find(int64(list[first]))
			to, _ := o.Find(int64(list[last]))
			o.Replace(from, to, seq)
			list = slices.Replace(list, first, last+1, seq)
			for _, seq := range gone {
				if _, ok := o.Find(int64(seq)); ok {
					t.Fatalf("event %d is found after it was replaced", seq)
				}
			}
		}
		if o.Len() != len(list) {
			t.Fatalf("event %d: %d events, want %d", seq, o.Len(), len(list))
		}
	}
	if got := slices.Collect(o.All()); !slices.Equal(got, list) {
		t.Errorf("order %d, want %d", got, list)
	}
	if _, ok := o.Find(1 << 40); ok {
		t.Error("a seq that no log reaches is found")
	}
	if len(o.placed) > 2*o.live+pruneSlack {
		t.Errorf("%d places kept for %d events", len(o.placed), o.live)
	}
}

// checkSpan compares the events of a list from first to last with those of the order.
func checkSpan(t *testing.T, o *Order, list []uint32, first, last int) {
	t.Helper()
	from, okFrom := o.Find(int64(list[first]))
	to, okTo := o.Find(int64(list[last]))
	if !okFrom || !okTo || o.Index(from) != first || o.Index(to) != last || o.At(from) != list[first] {
		t.Fatalf("ends found %v at %d and %v at %d, want %d and %d", okFrom, o.Index(from), okTo, o.Index(to), first, last)
	}
	if got := slices.Collect(o.Span(from, to)); !slices.Equal(got, list[first:last+1]) {
		t.Fatalf("span %d, want %d", got, list[first:last+1])
	}
}

// BenchmarkReplace replaces one event after the other: the time for each must not
// follow the length of the order.
func BenchmarkReplace(b *testing.B) {
	for name, length := range map[string]uint32{"short": 1 << 10, "long": 1 << 20} {
		b.Run(name, func(b *testing.B) {
			var o Order
			for seq := range length {
				o.Append(seq)
			}
			seq, at := length, uint32(0)
			for b.Loop() {
				o.Replace(at%length, at%length, seq)
				if slot, ok := o.Find(int64(seq)); !ok || o.Index(slot) < 0 {
					b.Fatal("lost")
				}
				seq, at = seq+1, at+7919
			}
		})
	}
}

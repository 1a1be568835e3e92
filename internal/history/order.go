// Package history keeps the order of the events that a model sees as its history
// (docs/format.md §2.3).
package history

import (
	"cmp"
	"iter"
	"slices"
	"sort"
)

// Order is the surface: seqs in an order that is not theirs, because an event that
// replaces others takes their place. A log can replace as often as it has events, so
// nothing here takes longer than the logarithm of its length, and walking over what is
// then taken away. A seq is never that of two events. The zero value is an empty one.
type Order struct {
	slots  []slot
	placed []placed // the events that were given a slot, by seq; some are gone
	counts []uint32 // Fenwick tree over slots, from 1: how many of them have an event
	live   int      // events
}

// slot is a place on the surface. It has the event of the seq, which another one may
// have replaced, until it is taken away.
type slot struct {
	seq, next uint32
	gone      bool
}

type placed struct{ seq, slot uint32 }

// Len returns the number of events.
func (o *Order) Len() int { return o.live }

// Append puts an event at the end.
func (o *Order) Append(seq uint32) {
	n := uint32(len(o.slots))
	o.slots = append(o.slots, slot{seq: seq, next: n + 1})
	o.placed = append(o.placed, placed{seq, n})
	if n == 0 {
		o.counts = append(o.counts[:0], 0) // which a Fenwick tree does not use
	}
	count := uint32(1)
	for step := uint32(1); step < lowBit(n+1); step *= 2 {
		count += o.counts[n+1-step]
	}
	o.counts = append(o.counts, count)
	o.live++
}

func lowBit(n uint32) uint32 { return n & -n }

// Find returns the slot of an event that is on the surface. Slots have the order of
// their events, and that of the first event is 0. They are valid until the next change.
func (o *Order) Find(seq int64) (slot uint32, ok bool) {
	if seq != int64(uint32(seq)) {
		return 0, false
	}
	i := sort.Search(len(o.placed), func(i int) bool { return o.placed[i].seq >= uint32(seq) })
	if i == len(o.placed) || o.placed[i].seq != uint32(seq) {
		return 0, false
	}
	slot = o.placed[i].slot
	at := &o.slots[slot]
	return slot, at.seq == uint32(seq) && !at.gone
}

// At returns the event in a slot.
func (o *Order) At(slot uint32) uint32 { return o.slots[slot].seq }

// Index returns the number of events before a slot.
func (o *Order) Index(slot uint32) (n int) {
	for i := slot; i > 0; i -= lowBit(i) {
		n += int(o.counts[i])
	}
	return n
}

// Span yields the events from one slot to another.
func (o *Order) Span(first, last uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i := first; i <= last && yield(o.slots[i].seq); i = o.slots[i].next {
		}
	}
}

// All yields all events.
func (o *Order) All() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i := 0; i < len(o.slots) && yield(o.slots[i].seq); i = int(o.slots[i].next) {
		}
	}
}

// Replace puts an event in the place of those from one slot to another. Its seq is
// higher than all before.
func (o *Order) Replace(first, last, seq uint32) {
	for i := o.slots[first].next; i <= last; i = o.slots[i].next {
		o.slots[i].gone = true
		o.live--
		for n := i + 1; n < uint32(len(o.counts)); n += lowBit(n) {
			o.counts[n]--
		}
	}
	o.slots[first].seq, o.slots[first].next = seq, o.slots[last].next
	o.placed = append(o.placed, placed{seq, first})
	if len(o.placed) > 2*o.live+pruneSlack {
		o.prune()
	}
}

// pruneSlack is how many events more than there are may be remembered.
const pruneSlack = 4096

// prune forgets slots and events that are gone, so that memory follows the surface and
// not the length of the log.
func (o *Order) prune() {
	seqs := slices.Collect(o.All())
	*o = Order{slots: o.slots[:0], placed: o.placed[:0], counts: o.counts[:0]}
	for _, seq := range seqs {
		o.Append(seq)
	}
	slices.SortFunc(o.placed, func(a, b placed) int { return cmp.Compare(a.seq, b.seq) })
}

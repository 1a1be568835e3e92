package jsjson

import (
	"math"
	"slices"
	"unsafe"
)

// tape lists the values and keys of a parsed text in their order there. Behind an
// object stand its keys, each before its value, and behind an array its elements,
// so that what is inside a value is found without looking at its text again.
type tape struct {
	text    []byte
	items   []item
	current int  // the innermost open container; its next is the one around it
	partial bool // there was more than a tape holds, so that it is of no use
	repeats bool // an object repeats a key
}

// item is a value or a key.
type item struct {
	start, end uint32 // of its text
	next       uint32 // the first item that is not inside it
	kind       Kind
	plain      bool // the characters of a string are the bytes between its quotes
}

// maxItems keeps tapes small where a line is not: at a mebibyte. Values without a
// tape are read from their text. A tape of more than keptItems is not kept for the
// next text, since readers have hundreds of Docs.
const (
	maxItems  = 1 << 16
	keptItems = 1 << 10
)

func (t *tape) reset(text []byte) {
	if cap(t.items) > keptItems {
		t.items = nil
	}
	t.text, t.items, t.current = text, t.items[:0], 0
	t.partial = uint64(len(text)) > math.MaxUint32
}

// add appends a scalar or a key.
func (t *tape) add(kind Kind, start, end int, plain bool) {
	if len(t.items) == cap(t.items) {
		t.grow()
	}
	n := len(t.items)
	t.items = t.items[:n+1]
	// An item that is put together elsewhere first costs twice as much.
	i := &t.items[n]
	i.start, i.end, i.next, i.kind, i.plain = uint32(start), uint32(end), uint32(n+1), kind, plain
}

// grow makes room for an item. A tape that is full starts again, of no use.
func (t *tape) grow() {
	if len(t.items) >= maxItems {
		t.items, t.partial = t.items[:0], true
		return
	}
	t.items = slices.Grow(t.items, 1)
}

// open appends a container.
func (t *tape) open(kind Kind, start int) {
	t.add(kind, start, start, false)
	n := len(t.items) - 1
	t.items[n].next = uint32(t.current)
	t.current = n
}

// close ends the innermost container.
func (t *tape) close(end int) {
	if t.partial {
		return
	}
	n := &t.items[t.current]
	t.current = int(n.next)
	n.end, n.next = uint32(end), uint32(len(t.items))
}

// value returns the value or key at an index.
func (t *tape) value(at uint32) Value {
	n := &t.items[at]
	return Value{Kind: n.kind, item: at, text: view(t.text[n.start:n.end]), tape: t}
}

// get returns the value of a member of the object at an index, as [Value.Get] does.
func (t *tape) get(object uint32, key string) (last Value) {
	end := t.items[object].next
	for at := object + 1; at < end; at = t.items[at+1].next {
		if !t.spells(at, key) {
			continue
		}
		last = t.value(at + 1)
		if !t.repeats {
			break
		}
	}
	return last
}

// spells tells whether the characters of a key are key.
func (t *tape) spells(at uint32, key string) bool {
	n := &t.items[at]
	if n.plain {
		return string(t.text[n.start+1:n.end-1]) == key
	}
	return t.value(at).EqualText(key)
}

// onTape returns the item of v, nil if v has none. The text may be another one
// than that on the tape: a copy, or one put in its place.
func (v *Value) onTape() *item {
	if v.tape == nil || int(v.item) >= len(v.tape.items) || v.text == "" {
		return nil
	}
	n := &v.tape.items[v.item]
	if int(n.end-n.start) != len(v.text) || int(n.start) >= len(v.tape.text) || &v.tape.text[n.start] != unsafe.StringData(v.text) {
		return nil
	}
	return n
}

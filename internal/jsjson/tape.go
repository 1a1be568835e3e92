package jsjson

import (
	"math"
	"slices"
	"unsafe"
)

// tape lists the values and keys of a parsed text in their order there. Behind an
// object stand its keys, each before its value, and behind an array its elements,
// so that what is inside a value is found without looking at its text again.
//
// The items of a text with a skeleton are those of all texts with it. Only the
// places of its parts are its own.
type tape struct {
	text     []byte
	items    []item
	base     [maxParts]uint32 // where the parts of the text start, the first at 0
	lists    [maxParts]list   // what is known of those behind the parts
	skeleton *Skeleton
	own      []item // memory for the items of a text without a skeleton
	current  int    // the innermost open container; its next is the one around it
	partial  bool   // there was more than a tape holds, so that it is of no use
	repeats  bool   // an object repeats a key
}

// item is a value or a key.
type item struct {
	start, end    uint32 // of its text, behind the start of a part
	next          uint32 // the first item that is not inside it
	kind          Kind
	plain         bool  // the characters of a string are the bytes between its quotes; an array is a list, not on the tape
	part, endPart uint8 // of a text without a skeleton there is one, part 0
}

// maxItems keeps tapes small where a line is not: at a mebibyte. Values without a
// tape are read from their text. A tape of more than keptItems is not kept for the
// next text, since readers have hundreds of Docs.
const (
	maxItems  = 1 << 16
	keptItems = 1 << 10
)

// reset forgets the items of another text.
func (t *tape) reset() {
	if cap(t.own) > keptItems {
		t.own = nil
	}
	t.items, t.skeleton, t.current = t.own[:0], nil, 0
	t.partial = uint64(len(t.text)) > math.MaxUint32
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
	t.own = slices.Grow(t.items, 1)
	t.items = t.own
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
	start, end := t.span(n)
	return Value{Kind: n.kind, item: at, text: view(t.text[start:end]), tape: t}
}

// span returns where in the text an item is.
func (t *tape) span(n *item) (start, end uint32) {
	return t.base[n.part%maxParts] + n.start, t.base[n.endPart%maxParts] + n.end
}

// get returns the value of a member of the object at an index, as [Value.Get] does.
func (t *tape) get(object uint32, key string) Value {
	var at uint32
	if t.skeleton == nil {
		at = t.find(object, key)
	} else {
		l := t.skeleton.lookup(object, key)
		if l.object != object+1 || l.key != key {
			*l = lookup{key, object + 1, t.find(object, key)}
		}
		at = l.value
	}
	if at == 0 {
		return Value{}
	}
	return t.value(at)
}

// find returns the index of the value of a member of the object at an index, 0 if
// it has none such.
func (t *tape) find(object uint32, key string) (last uint32) {
	end := t.items[object].next
	for at := object + 1; at < end; at = t.items[at+1].next {
		if t.spells(at, key) {
			if last = at + 1; !t.repeats {
				break
			}
		}
	}
	return last
}

// spells tells whether the characters of a key are key.
func (t *tape) spells(at uint32, key string) bool {
	n := &t.items[at]
	if n.plain {
		start, end := t.span(n)
		return string(t.text[start+1:end-1]) == key
	}
	return t.value(at).EqualText(key)
}

// onTape tells whether v is the value of its item. The text may be another one than
// that on the tape: a copy, or one put in its place.
func (v *Value) onTape() bool {
	if v.tape == nil || int(v.item) >= len(v.tape.items) {
		return false
	}
	start, end := v.tape.span(&v.tape.items[v.item])
	return int(end-start) == len(v.text) && v.tape.address(start) == unsafe.StringData(v.text)
}

// list returns what is known of v, nil if it is no list of a text with a skeleton.
func (v *Value) list() *list {
	if v.Kind != Array || !v.onTape() || !v.tape.items[v.item].plain {
		return nil
	}
	return &v.tape.lists[v.tape.items[v.item].part%maxParts]
}

// address returns where in memory an offset of the text is.
func (t *tape) address(offset uint32) *byte {
	return (*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(t.text)), offset))
}

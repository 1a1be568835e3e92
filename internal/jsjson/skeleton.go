package jsjson

import "unsafe"

// Skeleton is what many lines of a log have in common, as those of one writer do:
// all of the text but what stands in its holes. A hole holds a string, an integer
// from 0 on as JSON.stringify writes it and of at most 15 digits, or a list: an
// array of one such string or integer or more. Keys, literals, other numbers and
// the strings that tell shapes apart are no holes.
//
// A text with a skeleton has no [Features]. The methods of a nil Skeleton, which
// other texts have, do nothing and find nothing.
type Skeleton struct {
	items []item // with offsets within the parts of the text
	depth int
	paths []uint32 // the items at all paths, 0 for none
	notes []uint32
	found [64]lookup
}

// lookup is a key that was looked for, and what was found. Those who look for keys
// do so in each text again.
type lookup struct {
	key    string
	object uint32 // one more than the index of its item
	value  uint32 // index of the item, 0 if there is none
}

// lookup returns where the lookup of a key is kept. Keys are constants of the
// program, which are told apart by where they are in memory.
func (s *Skeleton) lookup(object uint32, key string) *lookup {
	const golden = 0x9E3779B97F4A7C15 // 2^64 divided by the golden ratio
	hash := (uint64(uintptr(unsafe.Pointer(unsafe.StringData(key)))) + uint64(object)) * golden
	return &s.found[hash>>58]
}

// Skeleton returns the skeleton of the text that v is the root of, nil if it has
// none or v is no root.
func (v Value) Skeleton() *Skeleton {
	t := v.tape
	if t == nil || v.item != 0 || len(v.text) != len(t.text) || unsafe.StringData(v.text) != unsafe.SliceData(t.text) {
		return nil
	}
	return t.skeleton
}

// Fixed tells whether all texts with the skeleton of the text that v is from have
// the same value there, letter for letter. It is false where there is no skeleton,
// and inside of lists.
func (v Value) Fixed() bool {
	if !v.onTape() || v.tape.skeleton == nil {
		return false
	}
	n := &v.tape.items[v.item]
	return n.part == n.endPart
}

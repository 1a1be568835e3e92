package jsjson

import (
	"hash/maphash"
	"slices"
	"sort"
)

// maxSkeletons bounds the texts that are remembered. When there are more, all are
// forgotten: the log has changed.
const maxSkeletons = 128

// maxTag bounds the strings, in bytes with quotes, that tell shapes apart. Longer
// ones are prose.
const maxTag = 40

// maxSketch bounds what is kept of a text, in bytes.
const maxSketch = 2 << 10

// learner makes skeletons of texts.
type learner struct {
	parts   []part
	items   []item
	indices []uint32 // of the items of a tape among items
	sketch  []byte   // the text of the parts
	seed    maphash.Seed
	seen    [256]uint64 // hashes of the last sketches
	next    uint8       // where in seen the next one goes
}

// part is a part of a text while a skeleton is made.
type part struct {
	from, to int // offsets of the text that is compared
	hole     hole
}

// learn remembers the parsed text of d, which did not fit, when it comes the
// second time: many messages are the only ones of their shape.
func (s *Skeletons) learn(d *Doc) {
	if s == nil {
		return
	}
	s.missed++
	if s.resting() || d.Root.Kind != Object || d.Root.tape == nil || d.Features.Any() || !s.divide(d) {
		return
	}
	hash := maphash.Bytes(s.seed, s.sketch)
	if !slices.Contains(s.seen[:], hash) {
		s.seen[s.next] = hash
		s.next++
		return
	}
	if s.size >= maxSkeletons {
		s.root, s.size = branch{}, 0
	}
	s.add(d)
}

// divide finds the parts of a text, and reports whether they are not too many or
// too long.
func (s *Skeletons) divide(d *Doc) bool {
	s.parts, s.items, s.indices, s.sketch = s.parts[:0], s.items[:0], s.indices[:0], s.sketch[:0]
	from := 0
	for at := 0; at < len(d.tape.items); {
		n := d.tape.items[at]
		hole, start, next := s.holeAt(d, at)
		if hole != noHole {
			s.addPart(d, part{from, start, hole})
			from = int(n.end)
			n.plain = n.kind == Array
		}
		for ; at < next; at++ {
			s.indices = append(s.indices, uint32(len(s.items)))
		}
		s.items = append(s.items, n)
	}
	s.indices = append(s.indices, uint32(len(s.items)))
	s.addPart(d, part{from, len(d.text), noHole})
	return len(s.parts) <= maxParts && len(s.sketch) <= maxSketch
}

func (s *Skeletons) addPart(d *Doc, p part) {
	s.parts = append(s.parts, p)
	s.sketch = append(append(s.sketch, d.text[p.from:p.to]...), byte(p.hole))
}

// holeAt returns the hole for the value of an item, where it starts, and the item
// that goes on behind it: that of a list is the only one for its elements.
func (s *Skeletons) holeAt(d *Doc, at int) (h hole, start, next int) {
	n := &d.tape.items[at]
	switch n.kind {
	case Number:
		if isInteger(d.text, n) {
			return integerHole, int(n.start), at + 1
		}
	case String:
		if !s.isFixed(d, at) {
			return stringHole, int(n.start) + 1, at + 1
		}
	case Array:
		if h := listOf(d.text, d.tape.items[at+1:n.next]); h != noHole {
			return h, int(n.start) + 1, int(n.next)
		}
	}
	return noHole, 0, at + 1
}

// listOf returns the hole for an array with the items, if it is a list.
func listOf(text []byte, items []item) hole {
	strings, integers := len(items) > 0, len(items) > 0
	for i := range items {
		strings = strings && items[i].kind == String
		integers = integers && items[i].kind == Number && isInteger(text, &items[i])
	}
	switch {
	case strings:
		return stringsHole
	case integers:
		return integersHole
	}
	return noHole
}

// isInteger tells whether a hole holds a number.
func isInteger(text []byte, n *item) bool { return integerEnd(text, int(n.start)) == int(n.end) }

// isFixed tells whether a string is a key, or the value of a key that tells shapes
// apart. The text has no whitespace.
func (s *Skeletons) isFixed(d *Doc, at int) bool {
	n := &d.tape.items[at]
	if d.text[n.end] == ':' {
		return true
	}
	return d.text[n.start-1] == ':' && n.plain && n.end-n.start <= maxTag && slices.ContainsFunc(s.tags, func(tag string) bool {
		return d.tape.spells(uint32(at-1), tag)
	})
}

// add adds the skeleton of the text that has been divided.
func (s *Skeletons) add(d *Doc) {
	at := &s.root
	for _, p := range s.parts {
		at = at.enter(string(d.text[p.from:p.to]), p.hole)
	}
	if at.leaf == nil {
		at.leaf = s.skeleton(d)
		s.size++
	}
}

// skeleton makes the skeleton of the text.
func (s *Skeletons) skeleton(d *Doc) *Skeleton {
	made := &Skeleton{items: slices.Clone(s.items), depth: d.Depth, paths: make([]uint32, len(paths)), notes: make([]uint32, numNotes)}
	for i := range made.items {
		n := &made.items[i]
		n.start, n.part = s.place(n.start)
		n.end, n.endPart = s.place(n.end)
		n.next = s.indices[n.next]
	}
	for i, p := range paths {
		if v := d.Root.At(p); v.Exists() {
			made.paths[i] = s.indices[v.item]
		}
	}
	return made
}

// place returns the part that holds an offset, or the hole behind it, and the
// offset from where the part starts.
func (s *Skeletons) place(offset uint32) (within uint32, index uint8) {
	i := sort.Search(len(s.parts), func(i int) bool { return s.parts[i].from > int(offset) }) - 1
	return offset - uint32(s.parts[i].from), uint8(i)
}

// enter returns the branch behind b with a part, which it adds if there is none. It
// is the first to be tried from now on, should others fit the same text.
func (b *branch) enter(text string, h hole) *branch {
	i := slices.IndexFunc(b.next, func(next *branch) bool { return next.text == text && next.hole == h })
	if i < 0 {
		i = len(b.next)
		b.next = append(b.next, &branch{text: text, hole: h})
	}
	b.next[0], b.next[i] = b.next[i], b.next[0]
	return b.next[0]
}

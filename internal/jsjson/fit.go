package jsjson

import (
	"hash/maphash"
	"math"
)

// Skeletons are the skeletons of the texts of a log. Docs that share them, and the
// values of their texts, are for one goroutine at a time. Memory is bounded, whatever
// the log.
type Skeletons struct {
	tags   []string
	root   branch
	size   int // leaves behind root
	missed int // texts since one fitted
	learner
}

// NewSkeletons returns skeletons in which the strings that are values of the keys
// tags are no holes: those tell texts of different shapes apart.
func NewSkeletons(tags ...string) *Skeletons {
	return &Skeletons{tags: tags, learner: learner{seed: maphash.MakeSeed()}}
}

// branch is a part of a text, which is compared, with the hole behind it. The
// branches behind it are alternatives, of which the last that fitted is first.
type branch struct {
	text string
	hole hole
	next []*branch
	leaf *Skeleton // of a text that is complete here
}

// maxParts bounds the parts of a skeleton.
const maxParts = 64

// Where nothing has fitted for patience texts, only one of patience is tried, so
// that logs without skeletons do not pay for them.
const patience = 32

// resting tells whether to let a text be.
func (s *Skeletons) resting() bool {
	return s == nil || s.missed > patience && s.missed%patience != 0
}

// fit puts the text of d on its tape if it has a skeleton.
func (d *Doc) fit() bool {
	s, text := d.Skeletons, d.text
	if uint64(len(text)) > math.MaxUint32 {
		return false
	}
	b, pos := &s.root, 0
	for part := range maxParts {
		d.tape.base[part] = uint32(pos)
		i, end := 0, 0
		for ; i < len(b.next); i++ {
			if end = b.next[i].end(text, pos, &d.tape.lists[part]); end > 0 {
				break
			}
		}
		if end == 0 {
			return false
		}
		if i > 0 {
			b.next[0], b.next[i] = b.next[i], b.next[0]
		}
		b, pos = b.next[0], end
		if b.leaf != nil && pos == len(text) {
			s.missed = 0
			d.put(b.leaf)
			return true
		}
	}
	return false
}

// put makes the text one with a skeleton.
func (d *Doc) put(s *Skeleton) {
	d.tape.items, d.tape.skeleton, d.tape.repeats = s.items, s, false
	d.Depth = s.depth
	d.Root = Value{Kind: Object, text: view(d.text), tape: &d.tape}
}

// end returns the offset after the part at pos and its hole, 0 if they are not there.
// It sets l to what is known of a list in the hole.
func (b *branch) end(text []byte, pos int, l *list) int {
	at := pos + len(b.text)
	if at > len(text) || string(text[pos:at]) != b.text {
		return 0
	}
	switch b.hole {
	case stringHole:
		return stringEnd(text, at)
	case integerHole:
		return integerEnd(text, at)
	case stringsHole:
		return stringsEnd(text, at, l)
	case integersHole:
		return integersEnd(text, at, l)
	}
	return at
}

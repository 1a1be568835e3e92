package jsjson

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// key is a key of an open object. d.keys holds those of all open objects, the
// innermost last; each object's keys follow an entry whose at is the base of the
// object around it.
//
// It has no pointers: the stack is cheap to fill, and keeps no text alive.
type key struct {
	at      int    // offset of the opening quote
	decoded int    // where its characters start in d.decoded; -1 if they are those behind the quote
	size    int    // of its characters, in bytes
	hash    uint64 // equal for equal characters
}

// chars returns the characters of k.
func (d *Doc) chars(k *key) []byte {
	if k.decoded >= 0 {
		return d.decoded[k.decoded : k.decoded+k.size]
	}
	return d.text[k.at+1 : k.at+1+k.size]
}

// maxLinearKeys bounds the keys that are compared one by one as they come. The
// keys of a larger object are sorted once it closes, so that no object costs
// quadratic time.
const maxLinearKeys = 16

func (d *Doc) openKeys() {
	d.keys = append(d.keys, key{at: d.base})
	d.base = len(d.keys)
}

func (d *Doc) closeKeys() {
	if keys := d.keys[d.base:]; len(keys) > maxLinearKeys {
		d.findDuplicates(keys)
	}
	outer := d.base - 1
	d.base = d.keys[outer].at
	d.keys = d.keys[:outer]
}

// addKey takes note of the key at d.text[at:end], quotes included, and of its
// features. plain tells that its characters are those between the quotes.
func (d *Doc) addKey(at, end int, plain bool) {
	text, decoded := d.text[at+1:end-1], -1
	if !plain {
		decoded = len(d.decoded)
		d.decoded = appendDecoded(d.decoded, text)
		text = d.decoded[decoded:]
	}
	keys, hash := d.keys[d.base:], hashKey(text)
	if len(keys) <= maxLinearKeys {
		for i := range keys {
			if keys[i].hash == hash && bytes.Equal(d.chars(&keys[i]), text) {
				d.Features.add(DuplicateKey, at)
			}
		}
	}
	if len(text) > 0 && isDigit(text[0]) && d.movesForward(keys, text) {
		d.Features.add(IndexKey, at)
	}
	if string(text) == "__proto__" {
		d.Features.add(ProtoKey, at)
	}
	d.keys = append(d.keys, key{at: at, decoded: decoded, size: len(text), hash: hash})
}

// hashKey mixes the length and the first eight bytes: enough to tell the keys of
// one small object apart.
func hashKey(text []byte) uint64 {
	var head uint64
	if cap(text) >= 8 {
		// What lies behind a short key is part of the line: one load and a mask.
		head = binary.LittleEndian.Uint64(text[:8])
		if len(text) < 8 {
			head &= 1<<(8*len(text)) - 1
		}
	} else {
		for i, c := range text {
			head |= uint64(c) << (8 * i)
		}
	}
	return head ^ uint64(len(text))<<56
}

// movesForward tells whether JavaScript would move the key text, which follows
// keys in its object, to an earlier place. It is enough to look at the last of
// keys: if an earlier one was out of place, it has been reported itself.
func (d *Doc) movesForward(keys []key, text []byte) bool {
	index, ok := arrayIndex(text)
	if !ok || len(keys) == 0 {
		return false
	}
	last, ok := arrayIndex(d.chars(&keys[len(keys)-1]))
	return !ok || index < last
}

// arrayIndex returns the number that text spells if, as a key, it is an array
// index of ECMA-262 §6.1.7: "0" to "4294967294" without leading zeros.
func arrayIndex(text []byte) (index uint32, ok bool) {
	if len(text) == 0 || len(text) > 10 || text[0] == '0' && len(text) > 1 {
		return 0, false
	}
	var n uint64
	for _, c := range text {
		if !isDigit(c) {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return uint32(n), n < 1<<32-1
}

// findDuplicates reports the first key that repeats an earlier one. It reorders keys.
func (d *Doc) findDuplicates(keys []key) {
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), bytes.Compare(d.chars(&a), d.chars(&b)), cmp.Compare(a.at, b.at))
	})
	for i := 1; i < len(keys); i++ {
		if keys[i].hash == keys[i-1].hash && bytes.Equal(d.chars(&keys[i]), d.chars(&keys[i-1])) {
			d.Features.add(DuplicateKey, keys[i].at)
		}
	}
}

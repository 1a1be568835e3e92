package jsjson

import (
	"bytes"
	"cmp"
	"slices"
)

// entry is one member of an object while its members are put in order.
type entry struct {
	text  []byte // the decoded key
	place int    // its place in the text
	key   int    // what the caller calls the key, and the value
	value int
}

// keyText returns the characters of a key's text, quotes included.
func keyText(raw []byte) []byte {
	body := NewValue(String, raw).body()
	if isPlain(body) {
		return body
	}
	return appendDecoded(nil, body)
}

// sortByKey sorts entries by key text and collapses duplicates into one entry
// with the place and key of the first and the value of the last.
func sortByKey(entries []entry) []entry {
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(bytes.Compare(a.text, b.text), cmp.Compare(a.place, b.place))
	})
	kept := entries[:0]
	for _, e := range entries {
		if n := len(kept); n > 0 && bytes.Equal(kept[n-1].text, e.text) {
			kept[n-1].value = e.value
			continue
		}
		kept = append(kept, e)
	}
	return kept
}

// sortByOwnOrder puts entries with distinct keys into the order of JavaScript's
// own keys: array indices ascending, then the others by place (ECMA-262 §10.1.11.1).
func sortByOwnOrder(entries []entry) {
	slices.SortFunc(entries, func(a, b entry) int {
		i, aIndex := arrayIndex(a.text)
		j, bIndex := arrayIndex(b.text)
		switch {
		case aIndex && bIndex:
			return cmp.Compare(i, j)
		case aIndex:
			return -1
		case bIndex:
			return 1
		}
		return cmp.Compare(a.place, b.place)
	})
}

// OwnMembers appends the members of an object as JavaScript enumerates them:
// array indices first and ascending, the other keys by first occurrence, each
// once and with its last value. It appends nothing if v is not an object.
func (v Value) OwnMembers(dst []Member) []Member {
	from := len(dst)
	for m := range v.Members() {
		dst = append(dst, m)
	}
	if inOwnOrder(dst[from:]) {
		return dst
	}
	members := slices.Clone(dst[from:])
	entries := make([]entry, len(members))
	for i, m := range members {
		entries[i] = entry{text: keyText(m.Key.Raw()), place: i, key: i, value: i}
	}
	entries = sortByKey(entries)
	sortByOwnOrder(entries)
	dst = dst[:from]
	for _, e := range entries {
		dst = append(dst, Member{Key: members[e.key].Key, Value: members[e.value].Value})
	}
	return dst
}

// inOwnOrder tells, without decoding, that a few members are in own order
// already: their keys are distinct, and none is or could be an array index.
func inOwnOrder(members []Member) bool {
	if len(members) > maxLinearKeys {
		return false
	}
	for i, m := range members {
		body := m.Key.body()
		if len(body) > 0 && isDigit(body[0]) || !isPlain(body) {
			return false
		}
		for _, earlier := range members[:i] {
			if bytes.Equal(earlier.Key.Raw(), m.Key.Raw()) {
				return false
			}
		}
	}
	return true
}

// Without returns the members but for those with one of the keys, in their order.
func Without(members []Member, keys ...string) []Member {
	kept := make([]Member, 0, len(members))
	for _, m := range members {
		if !slices.ContainsFunc(keys, m.Key.EqualText) {
			kept = append(kept, m)
		}
	}
	return kept
}

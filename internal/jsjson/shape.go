package jsjson

import "slices"

// HasExactly reports whether v is an object whose own keys are exactly the
// given ones, at most 64, in any order.
func (v Value) HasExactly(keys ...string) bool {
	if v.Kind != Object {
		return false
	}
	var seen uint64
	next := 0 // objects mostly have their keys in the order in which they are asked for
	for c := v.Inside(); c.More(); c.Next() {
		i := next
		if i >= len(keys) || !c.KeyIs(keys[i]) {
			i = slices.IndexFunc(keys, c.KeyIs)
		}
		if i < 0 {
			return false
		}
		seen |= 1 << i
		next = i + 1
	}
	return seen == 1<<len(keys)-1
}

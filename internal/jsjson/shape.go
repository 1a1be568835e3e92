package jsjson

// HasExactly reports whether v is an object whose own keys are exactly the
// given ones, at most 64, in any order.
func (v Value) HasExactly(keys ...string) bool {
	if v.Kind != Object {
		return false
	}
	var seen uint64
	for m := range v.Members() {
		i := 0
		for i < len(keys) && !m.Key.EqualText(keys[i]) {
			i++
		}
		if i == len(keys) {
			return false
		}
		seen |= 1 << i
	}
	return seen == 1<<len(keys)-1
}

// Fields are the members of one object, found in one pass over its text, for
// those who look up several. The zero Fields is that of an absent value; Read
// reuses its memory.
type Fields struct{ members []Member }

// Read finds the members of v. Of anything but an object there are none.
func (f *Fields) Read(v Value) {
	f.members = f.members[:0]
	for m := range v.Members() {
		f.members = append(f.members, m)
	}
}

// Get returns the member with the given key, the last of duplicates, as
// [Value.Get] does.
func (f *Fields) Get(key string) Value {
	for i := len(f.members) - 1; i >= 0; i-- {
		if f.members[i].Key.EqualText(key) {
			return f.members[i].Value
		}
	}
	return Value{}
}

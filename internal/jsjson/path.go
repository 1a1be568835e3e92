package jsjson

// Path leads from a value to one inside it, by the keys of objects.
type Path struct {
	id   int
	keys []string
}

var paths []*Path

// NewPath returns the path through the keys. It is for variables of packages.
func NewPath(keys ...string) *Path {
	p := &Path{len(paths), keys}
	paths = append(paths, p)
	return p
}

// At returns what [Value.Get] gives for the keys of the path, one after the other.
// Where the text has a [Skeleton] and v is its root, nothing is searched.
func (v Value) At(p *Path) Value {
	if s := v.Skeleton(); s != nil {
		if at := s.paths[p.id]; at > 0 {
			return v.tape.value(at)
		}
		return Value{}
	}
	for _, key := range p.keys {
		v = v.Get(key)
	}
	return v
}

// AtEach sets each of values to what [Value.At] gives for the path in its place.
func (v Value) AtEach(paths []*Path, values ...*Value) {
	s := v.Skeleton()
	if s == nil {
		for i, p := range paths {
			*values[i] = v.At(p)
		}
		return
	}
	for i, p := range paths {
		if at := s.paths[p.id]; at > 0 {
			*values[i] = v.tape.value(at)
		} else {
			*values[i] = Value{}
		}
	}
}

// IntAt returns what [Value.SafeInt] gives for the value at a path.
func (v Value) IntAt(p *Path) (n int64, ok bool) {
	s := v.Skeleton()
	if s == nil {
		return v.At(p).SafeInt()
	}
	at := s.paths[p.id]
	if at == 0 || s.items[at].kind != Number {
		return 0, false
	}
	start, end := v.tape.span(&s.items[at])
	if n, ok = natural(v.tape.text[start:end]); ok {
		return n, true
	}
	return v.tape.value(at).SafeInt()
}

// ListAt returns how many elements the list at a path has, and the sum of a list of
// integers, -1 if it is no safe integer, of more than 9,000 elements and of strings. ok
// is false for what is no list, and where the text has no [Skeleton].
func (v Value) ListAt(p *Path) (count int, sum int64, ok bool) {
	s := v.Skeleton()
	if s == nil {
		return 0, 0, false
	}
	at := &s.items[s.paths[p.id]]
	if at.kind != Array || !at.plain {
		return 0, 0, false
	}
	l := &v.tape.lists[at.part%maxParts]
	return l.count, l.sum, true
}

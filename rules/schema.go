package rules

import (
	"fmt"
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// shape is what a JSON value may be. A value fits if it is one of the kinds, one
// of the literals, or an object or array whose parts fit. Shapes are written in
// the notation of docs/format.md §2.5:
//
//	string, number, int, bool, null, any   a kind of value; int is a safe integer
//	word                                   the string "word", or the number or true so spelled
//	[shape]                                an array of such values
//	{key: shape, key?: shape}              an object; further members are allowed
//	{kind: a, …} | {kind: b, …} | ...      objects that their first member tells apart;
//	                                       with "..." others fit too
//	shape | shape                          either
//	$name                                  a shape that has a name
type shape struct {
	kinds    uint16 // bits by jsjson.Kind
	integers bool   // of numbers, only safe integers
	literals []string
	element  *shape
	objects  []object
	open     bool // objects with an unknown tag fit
}

// object is a shape of an object. Of several, the tag tells which is meant.
type object struct {
	tags    []string // values of the first member, none if that tells nothing
	members []member
}

type member struct {
	key      string
	optional bool
	shape    *shape
}

// fits is noted of the skeleton of events whose data has the shape of their type,
// whatever else is in them: the type.
var fits = jsjson.NewNote()

// checkData returns how the data of an event breaks the shape of its type, or nil.
func checkData(e *session.Event) *flaw {
	if fits.Of(e.Skeleton()) == uint32(e.Kind) {
		return nil
	}
	var f fitting
	flaw := f.data(shapes[e.Kind], e)
	if flaw == nil && !f.varies {
		fits.Set(e.Skeleton(), uint32(e.Kind))
	}
	return flaw
}

// flaw is how a value breaks its shape.
type flaw struct {
	path string // to the offending value, "" for the value itself
	have string // what it is
	want string
}

func (f *flaw) String() string {
	if f.path == "" {
		return fmt.Sprintf("data is %s, want %s", f.have, f.want)
	}
	return fmt.Sprintf("%s is %s, want %s", f.path, f.have, f.want)
}

// fitting checks a value against a shape.
type fitting struct {
	// varies tells that the text of a value counted that is not the same in all
	// events with the skeleton.
	varies bool
}

// check returns how v breaks the shape, or nil. It allocates nothing where v fits.
func (f *fitting) check(s *shape, v jsjson.Value) *flaw {
	switch {
	case s.kinds&(1<<v.Kind) != 0:
		if !s.integers || v.Kind != jsjson.Number {
			return nil
		}
		if _, safe := v.SafeInt(); safe { // as all numbers in holes are
			return nil
		}
	case v.Kind == jsjson.Object && len(s.objects) > 0:
		return f.object(s, v)
	case v.Kind == jsjson.Array && s.element != nil:
		return f.elements(s, v)
	case s.isLiteral(v), isPlaceholder(v):
		f.varies = f.varies || !v.Fixed()
		return nil
	}
	return &flaw{have: s.describe(v), want: s.wanted()}
}

// data returns how the data of an event breaks the shape, or nil. Of several
// flaws it is that of the first member in the shape.
func (f *fitting) data(s *shape, e *session.Event) *flaw {
	if e.Data.Kind != jsjson.Object || len(s.objects) != 1 || len(s.objects[0].tags) > 0 {
		return f.check(s, e.Data)
	}
	members := s.objects[0].members
	for i := range members {
		if flaw := f.member(&members[i], e.Field(members[i].key)); flaw != nil {
			return flaw
		}
	}
	return nil
}

// member returns how the value of a member breaks its shape. An absent one does
// unless it is optional.
func (f *fitting) member(m *member, v jsjson.Value) *flaw {
	switch {
	case v.Exists():
		if flaw := f.check(m.shape, v); flaw != nil {
			return flaw.under(m.key)
		}
	case !m.optional:
		return &flaw{path: m.key, have: "missing", want: m.shape.wanted()}
	}
	return nil
}

func (f *fitting) elements(s *shape, v jsjson.Value) *flaw {
	i := 0
	for c := v.Inside(); c.More(); c.Next() {
		if flaw := f.check(s.element, c.Value()); flaw != nil {
			return flaw.under(fmt.Sprintf("[%d]", i))
		}
		i++
	}
	return nil
}

func (f *fitting) object(s *shape, v jsjson.Value) *flaw {
	o := &s.objects[0]
	if len(o.tags) > 0 {
		key := o.members[0].key
		tag := v.Get(key)
		f.varies = f.varies || !tag.Fixed()
		if o = s.tagged(tag); o == nil {
			if s.open && tag.Kind == jsjson.String || isPlaceholder(tag) {
				return nil
			}
			tags := shape{literals: s.tags()}
			return &flaw{path: key, have: tags.describe(tag), want: tags.wanted()}
		}
	}
	return f.members(o, v)
}

// members looks up each member in one pass over the object. Writers keep the order
// of the shape, so that the member behind the last one found is tried first.
func (f *fitting) members(o *object, v jsjson.Value) *flaw {
	var seen uint64
	next := 0
	for c := v.Inside(); c.More(); c.Next() {
		i := o.find(&c, next)
		if i < 0 {
			continue
		}
		seen |= 1 << i
		next = i + 1
		if i == 0 && len(o.tags) > 0 {
			continue // it has chosen the object
		}
		if flaw := f.member(&o.members[i], c.Value()); flaw != nil {
			return flaw
		}
	}
	if seen == 1<<len(o.members)-1 {
		return nil
	}
	for i := range o.members {
		if seen&(1<<i) == 0 {
			if flaw := f.member(&o.members[i], jsjson.Value{}); flaw != nil {
				return flaw
			}
		}
	}
	return nil
}

// find returns the index of the member at a cursor, -1 if the shape has none such.
func (o *object) find(c *jsjson.Cursor, first int) int {
	if first < len(o.members) && c.KeyIs(o.members[first].key) {
		return first
	}
	for i := range o.members {
		if c.KeyIs(o.members[i].key) {
			return i
		}
	}
	return -1
}

// under puts the path of the flaw under a key or an index.
func (f *flaw) under(part string) *flaw {
	switch {
	case f.path == "":
		f.path = part
	case f.path[0] == '[':
		f.path = part + f.path
	default:
		f.path = part + "." + f.path
	}
	return f
}

func (s *shape) tagged(tag jsjson.Value) *object {
	for i := range s.objects {
		for _, text := range s.objects[i].tags {
			if isLiteral(tag, text) {
				return &s.objects[i]
			}
		}
	}
	return nil
}

func (s *shape) tags() (all []string) {
	for i := range s.objects {
		all = append(all, s.objects[i].tags...)
	}
	return all
}

func (s *shape) isLiteral(v jsjson.Value) bool {
	for _, l := range s.literals {
		if isLiteral(v, l) {
			return true
		}
	}
	return false
}

// isLiteral reports whether v is a string, a number or true that is spelled so.
func isLiteral(v jsjson.Value, text string) bool {
	switch v.Kind {
	case jsjson.String:
		return v.EqualText(text)
	case jsjson.Number, jsjson.True:
		return string(v.Raw()) == text
	}
	return false
}

// describe says what a value is: an enumerated string by its text, anything else
// by its kind, since it may be private.
func (s *shape) describe(v jsjson.Value) string {
	const longest = 40 // bytes of text: the names of the format are shorter
	switch v.Kind {
	case jsjson.Absent:
		return "missing"
	case jsjson.Null:
		return "null"
	case jsjson.True, jsjson.False:
		return string(v.Raw())
	case jsjson.Number:
		return "the number " + v.JSString()
	case jsjson.String:
		if text := v.Text(); len(s.literals) > 0 && len(text) <= longest {
			return fmt.Sprintf("%q", text)
		}
		return "a string"
	case jsjson.Array:
		return "an array"
	}
	return "an object"
}

var kindWords = []struct {
	kind jsjson.Kind
	text string
}{
	{jsjson.String, "a string"}, {jsjson.Number, "a number"}, {jsjson.True, "true or false"}, {jsjson.Null, "null"},
}

// wanted names all that fits.
func (s *shape) wanted() string {
	if s.kinds == anyKind {
		return "any value"
	}
	words := append([]string(nil), s.literals...)
	for _, k := range kindWords {
		switch {
		case s.kinds&(1<<k.kind) == 0:
		case k.kind == jsjson.Number && s.integers:
			words = append(words, "an integer")
		default:
			words = append(words, k.text)
		}
	}
	if s.element != nil {
		words = append(words, "an array")
	}
	if len(s.objects) > 0 {
		words = append(words, "an object")
	}
	if len(words) == 1 {
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

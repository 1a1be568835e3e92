package upgrade

import (
	"slices"
	"strconv"
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// place is where in the payload of an event a value lies, in the words of the
// refusals: "request/header 7 header tools[0]".
type place struct {
	up    *place
	event *Event // at the root, unless that has a name
	name  string // of the root, or of the member; "" is the place up itself
	index int    // in an array, -1 for a member
}

func (p *place) member(name string) *place {
	return &place{up: p, name: name, index: -1}
}

func (p *place) element(index int) *place {
	return &place{up: p, index: index}
}

func (p *place) String() string {
	switch {
	case p.event != nil:
		return p.event.Get("type").JSString() + " " + strconv.FormatInt(p.event.Seq, 10)
	case p.up == nil:
		return p.name
	case p.index >= 0:
		return p.up.String() + "[" + strconv.Itoa(p.index) + "]"
	case p.name == "":
		return p.up.String()
	}
	return p.up.String() + " " + p.name
}

// shape checks a value of the event with seq and returns a [fault] at the first
// thing that is not as the generation has it. It allows nothing that it does not name.
type shape func(v jsjson.Value, at *place, seq int64) error

func wrong(at *place, format string, args ...any) error {
	return refuse("%s "+format, append([]any{at}, args...)...)
}

// The shapes of single values.

func anything(jsjson.Value, *place, int64) error { return nil }

func natural(v jsjson.Value, at *place, _ int64) error {
	if _, ok := count(v); !ok {
		return wrong(at, "must be a non-negative safe integer")
	}
	return nil
}

func positive(v jsjson.Value, at *place, seq int64) error {
	if err := natural(v, at, seq); err != nil {
		return err
	}
	if n, _ := v.SafeInt(); n == 0 {
		return wrong(at, "must be positive")
	}
	return nil
}

func integer(v jsjson.Value, at *place, _ int64) error {
	if _, ok := safeInt(v); !ok {
		return wrong(at, "must be a safe integer")
	}
	return nil
}

// earlier is the seq of an event before this one.
func earlier(v jsjson.Value, at *place, seq int64) error {
	if err := natural(v, at, seq); err != nil {
		return err
	}
	if n, _ := v.SafeInt(); n >= seq {
		return wrong(at, "must identify an earlier event")
	}
	return nil
}

func finite(v jsjson.Value, at *place, _ int64) error {
	if v.Kind != jsjson.Number {
		return wrong(at, "must be a finite number")
	}
	return nil
}

func str(v jsjson.Value, at *place, _ int64) error {
	if v.Kind != jsjson.String {
		return wrong(at, "must be a string")
	}
	return nil
}

func word(v jsjson.Value, at *place, _ int64) error {
	if !v.NonEmptyString() {
		return wrong(at, "must be a non-empty string")
	}
	return nil
}

func boolean(v jsjson.Value, at *place, _ int64) error {
	if v.Kind != jsjson.True && v.Kind != jsjson.False {
		return wrong(at, "must be boolean")
	}
	return nil
}

func record(v jsjson.Value, at *place, _ int64) error {
	if v.Kind != jsjson.Object {
		return wrong(at, "must be a JSON object")
	}
	return nil
}

// oneOf admits the given strings, numbers and truths only, spelled as in JSON
// but for the quotes.
func oneOf(words ...string) shape {
	return func(v jsjson.Value, at *place, _ int64) error {
		if v.Kind != jsjson.Object && v.Kind != jsjson.Array && slices.Contains(words, v.JSString()) {
			return nil
		}
		return wrong(at, "must be one of %s", strings.Join(words, ", "))
	}
}

// orNull also admits null.
func orNull(s shape) shape {
	return func(v jsjson.Value, at *place, seq int64) error {
		if v.Kind == jsjson.Null {
			return nil
		}
		return s(v, at, seq)
	}
}

// list is an array of values of one shape.
func list(element shape) shape {
	return func(v jsjson.Value, at *place, seq int64) error {
		if v.Kind != jsjson.Array {
			return wrong(at, "must be an array")
		}
		i := 0
		for e := range v.Elements() {
			if err := element(e, at.element(i), seq); err != nil {
				return err
			}
			i++
		}
		return nil
	}
}

// nonEmpty is an array that is not empty.
func nonEmpty(array shape) shape {
	return func(v jsjson.Value, at *place, seq int64) error {
		if v.Kind == jsjson.Array && v.Len() == 0 {
			return wrong(at, "must be non-empty")
		}
		return array(v, at, seq)
	}
}

// field is a member that an object may or must have.
type field struct {
	key      string
	optional bool
	shape    shape
}

// fields makes a list of fields from keys and shapes in turn. A key that ends in
// "?" is optional.
func fields(pairs ...any) []field {
	list := make([]field, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		key, optional := strings.CutSuffix(pairs[i].(string), "?")
		list = append(list, field{key, optional, asShape(pairs[i+1])})
	}
	return list
}

func asShape(v any) shape {
	if f, ok := v.(func(jsjson.Value, *place, int64) error); ok {
		return f
	}
	return v.(shape)
}

// object has exactly the given members, in any order. dsh looks for foreign
// members first, then for missing ones, then at the values.
func object(pairs ...any) shape { return members(fields(pairs...), (*place).self) }

// flat is an object whose members' places leave out the name of the object.
func flat(pairs ...any) shape { return members(fields(pairs...), (*place).outer) }

func (p *place) self() *place  { return p }
func (p *place) outer() *place { return p.up }

func members(list []field, inside func(*place) *place) shape {
	return func(v jsjson.Value, at *place, seq int64) error {
		own := ObjectOf(v)
		if err := exactMembers(v, own, at, list); err != nil {
			return err
		}
		base := inside(at)
		for i := range list {
			m := own.Get(list[i].key)
			if !m.Exists() {
				continue
			}
			if err := list[i].shape(m, base.member(list[i].key), seq); err != nil {
				return err
			}
		}
		return nil
	}
}

// exactly checks which members an object has.
func exactly(v jsjson.Value, at *place, list []field) error {
	return exactMembers(v, ObjectOf(v), at, list)
}

// exactMembers is exactly for one who has the members already.
func exactMembers(v jsjson.Value, own Object, at *place, list []field) error {
	if v.Kind != jsjson.Object {
		return wrong(at, "must be a JSON object")
	}
	for _, m := range own {
		known := func(f field) bool { return m.Key.EqualText(f.key) }
		if !slices.ContainsFunc(list, known) {
			return wrong(at, "has unexpected member %s", jsjson.AppendCanonical(nil, m.Key))
		}
	}
	for i := range list {
		if !list[i].optional && !own.Has(list[i].key) {
			return wrong(at, `lacks required member "%s"`, list[i].key)
		}
	}
	return nil
}

// named replaces the name of the place that a value is said to lie in.
func named(name string, s shape) shape {
	return func(v jsjson.Value, at *place, seq int64) error {
		return s(v, at.up.member(name), seq)
	}
}

// tagged is an object that one of its members, a non-empty string, tells the
// shape of. An object with an unknown tag may be anything.
func tagged(tag string, shapes map[string]shape) shape {
	return func(v jsjson.Value, at *place, seq int64) error {
		if v.Kind != jsjson.Object {
			return wrong(at, "must be a JSON object")
		}
		kind := v.Get(tag)
		if err := word(kind, at.member(tag), seq); err != nil {
			return err
		}
		if s := shapes[kind.Text()]; s != nil {
			return s(v, at, seq)
		}
		return nil
	}
}

// also checks a relation between the members of a value once its shape is right.
func also(s shape, relation shape) shape {
	return func(v jsjson.Value, at *place, seq int64) error {
		if err := s(v, at, seq); err != nil {
			return err
		}
		return relation(v, at, seq)
	}
}

// count reads a non-negative safe integer that is not -0.
func count(v jsjson.Value) (int64, bool) {
	n, ok := safeInt(v)
	return n, ok && n >= 0
}

// safeInt reads a safe integer that is not -0.
func safeInt(v jsjson.Value) (int64, bool) {
	n, ok := v.SafeInt()
	return n, ok && !v.NegZero()
}

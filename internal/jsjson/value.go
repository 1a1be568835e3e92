package jsjson

import (
	"bytes"
	"iter"
	"math"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Kind is the kind of a JSON value. The zero Kind, Absent, is JavaScript's
// undefined: there is no value.
type Kind uint8

// The kinds of values.
const (
	Absent Kind = iota
	Null
	False
	True
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"absent", "null", "false", "true", "number", "string", "array", "object"}

// String names the kind in lower case.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Value is one JSON value: its kind and its text. The zero Value is absent, as
// JavaScript's undefined.
//
// A Value that comes from a Doc knows what is inside it until the next Parse, and
// reads its text again after that.
//
// Its size and its number of fields are the most that the compiler keeps in
// registers; a check of a log costs twice as much with more.
type Value struct {
	Kind Kind
	item uint32 // on the tape
	text string // a view of the text that was parsed
	tape *tape
}

// NewValue returns the value of a kind whose text is raw, without whitespace
// around it; a string's includes the quotes. raw must be a text that Doc.Parse
// accepts, or part of one, and stay as it is while the value is in use.
func NewValue(kind Kind, raw []byte) Value { return Value{Kind: kind, text: view(raw)} }

// view returns b as a string over the same memory.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Raw returns the text of the value, nothing for an absent one. It is that of the
// line, which must not be written to.
func (v Value) Raw() []byte { return unsafe.Slice(unsafe.StringData(v.text), len(v.text)) }

// String returns the text of the value, as [Value.Raw].
func (v Value) String() string { return strings.Clone(v.text) }

// Clone returns v over memory of its own.
func (v Value) Clone() Value { return Value{Kind: v.Kind, text: strings.Clone(v.text)} }

// Member is a member of an object.
type Member struct {
	Key   Value // a String
	Value Value
}

// valueAt returns the value that starts at pos in validated text.
func valueAt(text []byte, pos int) Value {
	return NewValue(kindOf[text[pos]], text[pos:skipValue(text, pos)])
}

// Offset returns the byte offset in v of a value that is part of it.
func (v Value) Offset(part Value) int {
	return int(uintptr(unsafe.Pointer(unsafe.StringData(part.text))) - uintptr(unsafe.Pointer(unsafe.StringData(v.text))))
}

// Exists tells whether there is a value; null is one.
func (v Value) Exists() bool { return v.Kind != Absent }

// Is tells whether the value is of kind k.
func (v Value) Is(k Kind) bool { return v.Kind == k }

// Members yields the members of an object in text order, duplicates included;
// nothing if v is not an object.
func (v Value) Members() iter.Seq[Member] {
	return func(yield func(Member) bool) {
		if v.Kind != Object {
			return
		}
		for c := v.Inside(); c.More(); c.Next() {
			if !yield(Member{c.Key(), c.Value()}) {
				return
			}
		}
	}
}

// Elements yields the elements of an array; nothing if v is not an array.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind != Array {
			return
		}
		for c := v.Inside(); c.More(); c.Next() {
			if !yield(c.Value()) {
				return
			}
		}
	}
}

// nextItem returns the offset of the next key or value inside a container, from
// pos after the previous one; the text's length if there is none.
func nextItem(text []byte, pos int) int {
	for ; pos < len(text); pos++ {
		switch text[pos] {
		case ',', ':', ' ', '\t', '\n', '\r':
		case '}', ']':
			return len(text)
		default:
			return pos
		}
	}
	return len(text)
}

// Get returns the value of a member of an object, the last one when the key
// occurs more than once; absent if v is not an object or has no such member.
func (v Value) Get(key string) Value {
	if v.Kind != Object {
		return Value{}
	}
	if v.onTape() {
		return v.tape.get(v.item, key)
	}
	var last Value
	for c := v.Inside(); c.More(); c.Next() {
		if c.KeyIs(key) {
			last = c.Value()
		}
	}
	return last
}

// Has tells whether v is an object with the member key, whatever its value.
func (v Value) Has(key string) bool { return v.Get(key).Exists() }

// Len counts the elements of an array or the distinct keys of an object; it is
// 0 for other values.
func (v Value) Len() int {
	if v.Kind == Object {
		var buf [maxLinearKeys]Member
		return len(v.OwnMembers(buf[:0]))
	}
	if l := v.list(); l != nil {
		return l.count
	}
	n := 0
	for c := v.Inside(); c.More(); c.Next() {
		n++
	}
	return n
}

// Only returns the element of an array of one; absent for other values.
func (v Value) Only() Value {
	c := v.Inside()
	if v.Kind != Array || !c.More() {
		return Value{}
	}
	only := c.Value()
	if c.Next(); c.More() {
		return Value{}
	}
	return only
}

// Float returns a number as JavaScript holds it, ±Inf when it is out of range;
// NaN if v is not a number.
func (v Value) Float() float64 {
	if v.Kind != Number {
		return math.NaN()
	}
	if n, ok := smallInt(v.Raw()); ok {
		return float64(n)
	}
	return parseFloat(v.Raw())
}

// SafeInt returns a number that JavaScript's Number.isSafeInteger accepts: an
// integer of at most 2^53-1 either way. The spelling does not matter: 3.0 is 3,
// and -0 is 0.
func (v Value) SafeInt() (n int64, ok bool) {
	if v.Kind != Number {
		return 0, false
	}
	if n, ok := smallInt(v.Raw()); ok {
		return n, true
	}
	f := parseFloat(v.Raw())
	if math.Abs(f) > maxSafeInt || f != math.Trunc(f) {
		return 0, false
	}
	return int64(f), true
}

// NegZero tells whether v is a number that JavaScript reads as -0.
func (v Value) NegZero() bool {
	f := v.Float()
	return f == 0 && math.Signbit(f)
}

// body returns the text between the quotes of a string, nil if v is none.
func (v Value) body() []byte {
	if v.Kind != String || len(v.text) < 2 {
		return nil
	}
	return v.Raw()[1 : len(v.text)-1]
}

// isPlain tells whether the characters of a string body are its own bytes.
func isPlain(body []byte) bool {
	return bytes.IndexByte(body, '\\') < 0 && utf8.Valid(body)
}

// Text returns the characters of a string as WTF-8; invalid UTF-8 reads as
// U+FFFD. It is empty if v is not a string.
func (v Value) Text() string {
	body := v.body()
	if isPlain(body) {
		return string(body)
	}
	return string(appendDecoded(nil, body))
}

// AppendText appends the characters of a string as WTF-8, as Text.
func (v Value) AppendText(dst []byte) []byte { return appendDecoded(dst, v.body()) }

// EqualText tells whether v is a string with the characters s, in WTF-8.
func (v Value) EqualText(s string) bool {
	if v.Kind != String {
		return false
	}
	body := v.body()
	i := 0
	for i < len(body) && i < len(s) && body[i] == s[i] && isOrdinary(body[i]) {
		i++
	}
	if i == len(body) || isOrdinary(body[i]) {
		return i == len(body) && i == len(s)
	}
	return equalDecoded(body[i:], s[i:])
}

// HasPrefix tells whether v is a string that starts with the characters s, which
// are ASCII.
func (v Value) HasPrefix(s string) bool {
	body := v.body()
	if bytes.IndexByte(body, '\\') >= 0 {
		return strings.HasPrefix(v.Text(), s)
	}
	return v.Kind == String && len(body) >= len(s) && string(body[:len(s)]) == s
}

// isOrdinary tells whether a byte of a string body is a character of its own.
func isOrdinary(c byte) bool { return c != '\\' && c < utf8.RuneSelf }

// equalDecoded tells whether the characters of a string body are s.
func equalDecoded(body []byte, s string) bool {
	var buf [utf8.UTFMax]byte
	for len(body) > 0 {
		var piece []byte
		piece, body = nextPiece(body, &buf)
		if len(s) < len(piece) || s[:len(piece)] != string(piece) {
			return false
		}
		s = s[len(piece):]
	}
	return s == ""
}

// NonEmptyString tells whether v is a string of one character or more.
func (v Value) NonEmptyString() bool { return len(v.body()) > 0 }

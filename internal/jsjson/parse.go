package jsjson

import (
	"fmt"
	"slices"
	"sync"
)

// Doc parses one text at a time. The zero Doc is ready; a reused one keeps its
// memory, so that parsing allocates nothing once it has seen texts alike.
// Everything in it refers to the parsed text, which must not change meanwhile.
type Doc struct {
	// Root is the whole value, without the whitespace around it.
	Root Value
	// Members are the top-level members when Root is an object, in text order
	// and with duplicates; empty otherwise. Valid until the next Parse.
	Members []Member
	// Features are the properties seen anywhere in the text. After an error they
	// cover what precedes it.
	Features Features
	// Depth is the deepest nesting of arrays and objects; 0 for a scalar.
	Depth int

	text    []byte
	open    []byte // the opening bytes of the containers around the position
	keys    []key  // the keys of the open objects; see keys.go
	base    int    // where the innermost open object's keys begin
	decoded []byte // characters of the keys that are spelled with escapes
	valueAt int    // start of the value of the last top-level member
	err     *SyntaxError
}

// SyntaxError tells where a text stops being JSON.
type SyntaxError struct {
	Offset int    // byte offset of the offending byte; the text's length at an unexpected end
	Msg    string // what is wrong there
}

// Error gives the offset in bytes and the message.
func (e *SyntaxError) Error() string { return fmt.Sprintf("offset %d: %s", e.Offset, e.Msg) }

// failed is the position that reading functions return once d.err is set.
const failed = -1

// Parse reads text, which must hold exactly one value and otherwise only space,
// TAB, LF and CR (RFC 8259 §2); a byte order mark is an error. Invalid UTF-8
// inside strings is a [Feature], not an error. The error is nil or a
// *[SyntaxError]; after an error Root is absent.
func (d *Doc) Parse(text []byte) error {
	d.reset(text)
	_, start := d.next(0)
	end := start
	for {
		var complete bool
		if end, complete = d.value(end); end == failed {
			return d.err
		}
		if !complete {
			continue
		}
		if end = d.afterValue(end); end == failed {
			return d.err
		}
		if len(d.open) == 0 {
			break
		}
	}
	if _, rest := d.next(end); rest < len(text) {
		d.unexpected(rest, "after value")
		return d.err
	}
	d.Root = Value{Kind: kindOf[text[start]], Raw: d.text[start:end]}
	return nil
}

// Offset returns the byte offset of v in the parsed text, of which v must be a part.
func (d *Doc) Offset(v Value) int {
	// Views share their end with the text that they were cut from.
	return cap(d.text) - cap(v.Raw)
}

func (d *Doc) reset(text []byte) {
	*d = Doc{
		Members: d.Members[:0],
		text:    slices.Clip(text), // hashKey reads up to the capacity
		open:    d.open[:0],
		keys:    d.keys[:0],
		decoded: d.decoded[:0],
	}
}

// at returns the byte at pos. At the end it returns NUL, which no JSON text has
// outside strings.
func (d *Doc) at(pos int) byte {
	if pos < len(d.text) {
		return d.text[pos]
	}
	return 0
}

// next returns the first byte at or after pos that is not whitespace, as at does,
// and its offset. It is too large to be inlined, so where it counts the reading
// functions look with at first: most texts have no whitespace.
func (d *Doc) next(pos int) (byte, int) {
	end := skipSpace(d.text, pos)
	if end < len(d.text) {
		if end > pos {
			d.Features.add(Whitespace, pos)
		}
		return d.text[end], end
	}
	last := end
	if last > pos && d.text[last-1] == '\r' {
		last--
		d.Features.add(TrailingCR, last)
	}
	if last > pos {
		d.Features.add(Whitespace, pos)
	}
	return 0, end
}

// value reads the value expected at pos. Scalars and empty containers are
// complete; of other containers it reads what precedes the first value inside.
func (d *Doc) value(pos int) (next int, complete bool) {
	c := d.at(pos)
	if c <= ' ' {
		c, pos = d.next(pos)
	}
	if len(d.open) == 1 {
		d.valueAt = pos
	}
	switch kindOf[c] {
	case String:
		next, _ = d.string(pos)
		return next, true
	case Number:
		return d.number(pos), true
	case Object:
		return d.openObject(pos)
	case Array:
		return d.openArray(pos)
	case True:
		return d.literal(pos, "true"), true
	case False:
		return d.literal(pos, "false"), true
	case Null:
		return d.literal(pos, "null"), true
	}
	return d.unexpected(pos, "at start of value"), true
}

// afterValue reads what follows the complete value that ends at pos: the closers
// of the containers it completes, then a comma and, in an object, the next key.
func (d *Doc) afterValue(pos int) int {
	for len(d.open) > 0 {
		container := d.open[len(d.open)-1]
		if len(d.open) == 1 && container == '{' {
			d.Members[len(d.Members)-1].Value = Value{Kind: kindOf[d.text[d.valueAt]], Raw: d.text[d.valueAt:pos]}
		}
		c, at := d.at(pos), pos
		if c <= ' ' {
			c, at = d.next(pos)
		}
		if c == ',' {
			if container == '{' {
				return d.key(at + 1)
			}
			return at + 1
		}
		if c != closer(container) {
			return d.unexpected(at, "after value in "+kindOf[container].String())
		}
		d.closeContainer()
		pos = at + 1
	}
	return pos
}

func (d *Doc) openArray(pos int) (next int, complete bool) {
	d.push('[')
	c, at := d.next(pos + 1)
	if c == ']' {
		d.closeContainer()
		return at + 1, true
	}
	return at, false
}

func (d *Doc) openObject(pos int) (next int, complete bool) {
	d.push('{')
	d.openKeys()
	c, at := d.next(pos + 1)
	if c == '}' {
		d.closeContainer()
		return at + 1, true
	}
	return d.key(at), false
}

func (d *Doc) push(container byte) {
	d.open = append(d.open, container)
	d.Depth = max(d.Depth, len(d.open))
}

func (d *Doc) closeContainer() {
	last := len(d.open) - 1
	if d.open[last] == '{' {
		d.closeKeys()
	}
	d.open = d.open[:last]
}

// key reads the key expected at pos and its colon, and returns the position after.
func (d *Doc) key(pos int) int {
	c, at := d.at(pos), pos
	if c <= ' ' {
		c, at = d.next(pos)
	}
	if c != '"' {
		return d.unexpected(at, "at start of key")
	}
	end, plain := d.string(at)
	if end == failed {
		return failed
	}
	d.addKey(at, end, plain)
	if len(d.open) == 1 {
		d.Members = append(d.Members, Member{Key: Value{Kind: String, Raw: d.text[at:end]}})
	}
	if c, at = d.at(end), end; c <= ' ' {
		c, at = d.next(end)
	}
	if c != ':' {
		return d.unexpected(at, "after key")
	}
	return at + 1
}

func (d *Doc) literal(pos int, word string) int {
	for i := range len(word) {
		if pos+i == len(d.text) || d.text[pos+i] != word[i] {
			return d.unexpected(pos+i, "in "+word)
		}
	}
	return pos + len(word)
}

// unexpected fails because of the byte at pos, or of the end if there is none.
func (d *Doc) unexpected(pos int, where string) int {
	if pos == len(d.text) {
		return d.fail(pos, "unexpected end of text")
	}
	c := d.text[pos]
	if c < ' ' || c >= 0x7F {
		return d.fail(pos, fmt.Sprintf("unexpected byte 0x%02x %s", c, where))
	}
	return d.fail(pos, fmt.Sprintf("unexpected character %q %s", c, where))
}

func (d *Doc) fail(pos int, msg string) int {
	d.err = &SyntaxError{Offset: pos, Msg: msg}
	return failed
}

// Get returns the value of a top-level member of a root object, the last one
// when the key occurs more than once, as JSON.parse does. The key is compared
// with the decoded keys. The result is absent when there is no such member.
func (d *Doc) Get(key string) Value {
	for i := len(d.Members) - 1; i >= 0; i-- {
		if d.Members[i].Key.EqualText(key) {
			return d.Members[i].Value
		}
	}
	return Value{}
}

var docs = sync.Pool{New: func() any { return new(Doc) }}

// Valid tells whether JSON.parse accepts text (decoded as UTF-8 with replacement).
func Valid(text []byte) bool {
	d := docs.Get().(*Doc)
	defer d.release()
	return d.Parse(text) == nil
}

// release gives d back to the pool without holding on to the text.
func (d *Doc) release() {
	clear(d.Members)
	d.reset(nil)
	docs.Put(d)
}

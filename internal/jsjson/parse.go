package jsjson

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"
)

// Doc parses one text at a time. The zero Doc is ready; a reused one keeps its
// memory, so that parsing allocates nothing once it has seen texts alike.
// Everything in it refers to the parsed text, which must not change meanwhile.
type Doc struct {
	// Root is the whole value, without the whitespace around it.
	Root Value
	// Features are the properties seen anywhere in the text. After an error they
	// cover what precedes it.
	Features Features
	// Depth is the deepest nesting of arrays and objects; 0 for a scalar.
	Depth int
	// Skeletons, unless nil, make the parsing of texts alike faster.
	Skeletons *Skeletons

	text    []byte
	open    []byte // the opening bytes of the containers around the position
	tape    tape
	keys    []key  // the keys of the open objects; see keys.go
	base    int    // where the innermost open object's keys begin
	decoded []byte // characters of the keys that are spelled with escapes
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
	d.text = slices.Clip(text) // hashKey reads up to the capacity
	d.tape.text, d.Features.set = d.text, 0
	if !d.Skeletons.resting() && d.fit() {
		return nil
	}
	return d.parse()
}

// parse reads a text that has no skeleton yet.
func (d *Doc) parse() error {
	d.reset()
	_, start := d.next(0)
	end := d.read(start)
	if end == failed {
		return d.err
	}
	if _, rest := d.next(end); rest < len(d.text) {
		d.unexpected(rest, "after value")
		return d.err
	}
	d.setRoot(start, end)
	d.Skeletons.learn(d)
	return nil
}

// setRoot hands over the whole value.
func (d *Doc) setRoot(start, end int) {
	d.Root = NewValue(kindOf[d.text[start]], d.text[start:end])
	if !d.tape.partial {
		d.tape.repeats = d.Features.Has(DuplicateKey)
		d.Root.tape = &d.tape
	}
}

// Offset returns the byte offset of v in the parsed text, of which v must be a part.
func (d *Doc) Offset(v Value) int {
	return int(uintptr(unsafe.Pointer(unsafe.StringData(v.text))) - uintptr(unsafe.Pointer(unsafe.SliceData(d.text))))
}

// reset forgets what was read of another text.
func (d *Doc) reset() {
	d.Root, d.Depth, d.err = Value{}, 0, nil
	d.open, d.keys, d.base, d.decoded = d.open[:0], d.keys[:0], 0, d.decoded[:0]
	d.tape.reset()
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

// read reads the value expected at pos, with all that is inside it, and returns the
// offset after it. Each turn of the loop takes one value and what follows it.
func (d *Doc) read(pos int) int {
	text := d.text
	for {
		c := d.at(pos)
		if c <= ' ' {
			c, pos = d.next(pos)
		}
		kind, start, plain := kindOf[c], pos, false
		switch kind {
		case String:
			if pos = shortString(text, start); pos > 0 {
				plain = true
			} else {
				pos, plain = d.string(start)
			}
		case Number:
			pos = d.number(start)
		case Object, Array:
			var empty bool
			if pos, empty = d.openContainer(kind, start); !empty {
				if kind == Object {
					pos = d.key(pos)
				}
				if pos == failed {
					return failed
				}
				continue
			}
		default:
			pos = d.literal(start, c)
		}
		if pos == failed {
			return failed
		}
		if kind < Array {
			d.tape.add(kind, start, pos, plain)
		}
		if d.at(pos) == ',' && len(d.open) > 0 && d.open[len(d.open)-1] == '[' {
			pos++ // as afterValue does, for the many elements of packed rows
			continue
		}
		var complete bool
		if pos, complete = d.afterValue(pos); complete || pos == failed {
			return pos
		}
	}
}

// afterValue reads what follows the complete value that ends at pos: the closers
// of the containers it completes, then a comma and, in an object, the next key.
// Where the root is complete, so is everything.
func (d *Doc) afterValue(pos int) (next int, complete bool) {
	for len(d.open) > 0 {
		container := d.open[len(d.open)-1]
		c, at := d.at(pos), pos
		if c <= ' ' {
			c, at = d.next(pos)
		}
		if c == ',' {
			if container == '{' {
				return d.key(at + 1), false
			}
			return at + 1, false
		}
		if c != closer(container) {
			return d.unexpected(at, "after value in "+kindOf[container].String()), false
		}
		pos = at + 1
		d.closeContainer(container, pos)
	}
	return pos, true
}

// openContainer reads the opening bracket at pos, and the closing one where
// nothing is between them.
func (d *Doc) openContainer(kind Kind, pos int) (next int, empty bool) {
	container := d.text[pos]
	d.open = append(d.open, container)
	d.Depth = max(d.Depth, len(d.open))
	d.tape.open(kind, pos)
	if kind == Object {
		d.openKeys()
	}
	c, at := d.at(pos+1), pos+1
	if c <= ' ' {
		c, at = d.next(at)
	}
	if c != closer(container) {
		return at, false
	}
	d.closeContainer(container, at+1)
	return at + 1, true
}

func (d *Doc) closeContainer(container byte, end int) {
	if container == '{' {
		d.closeKeys()
	}
	d.tape.close(end)
	d.open = d.open[:len(d.open)-1]
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
	end, plain := shortString(d.text, at), true
	if end == 0 {
		if end, plain = d.string(at); end == failed {
			return failed
		}
	}
	d.addKey(at, end, plain)
	d.tape.add(String, at, end, plain)
	if c, at = d.at(end), end; c <= ' ' {
		c, at = d.next(end)
	}
	if c != ':' {
		return d.unexpected(at, "after key")
	}
	return at + 1
}

var literals = [256]string{'t': "true", 'f': "false", 'n': "null"}

// literal reads the literal that starts with c at pos.
func (d *Doc) literal(pos int, c byte) int {
	word := literals[c]
	if word == "" {
		return d.unexpected(pos, "at start of value")
	}
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

// Get returns the value of a top-level member of a root object, as [Value.Get].
func (d *Doc) Get(key string) Value { return d.Root.Get(key) }

var docs = sync.Pool{New: func() any { return new(Doc) }}

// Valid tells whether JSON.parse accepts text (decoded as UTF-8 with replacement).
func Valid(text []byte) bool {
	d := docs.Get().(*Doc)
	defer d.release()
	return d.Parse(text) == nil
}

// release gives d back to the pool without holding on to the text.
func (d *Doc) release() {
	d.text, d.tape.text = nil, nil
	d.reset()
	docs.Put(d)
}

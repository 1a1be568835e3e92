package jsjson

import (
	"encoding/binary"
	"math/bits"
)

// kindOf tells the kind of a value from its first byte; Absent for bytes that
// start none.
var kindOf = [256]Kind{
	'n': Null, 'f': False, 't': True, '"': String, '[': Array, '{': Object, '-': Number,
	'0': Number, '1': Number, '2': Number, '3': Number, '4': Number,
	'5': Number, '6': Number, '7': Number, '8': Number, '9': Number,
}

// closer returns the byte that closes the container: in ASCII each closing
// bracket stands two after the opening one.
func closer(container byte) byte { return container + 2 }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// skipSpace returns the offset of the first byte at or after pos that is not
// JSON whitespace.
func skipSpace(text []byte, pos int) int {
	for pos < len(text) && (text[pos] == ' ' || text[pos] == '\t' || text[pos] == '\n' || text[pos] == '\r') {
		pos++
	}
	return pos
}

const (
	eachByte = 0x0101010101010101
	topBits  = 0x80 * eachByte
)

// stopBytes marks, by its top bit, the lowest of eight bytes that ends a plain
// run inside a string: a quote, a backslash or a control character. It is 0 if
// there is none; only the lowest mark counts.
//
// A byte b is a quote or a control character iff b^0x02 < 0x21, since the
// exclusive or swaps 0x22 with 0x20 and 0x21 with 0x23; it is a backslash iff
// b^0x5C < 1. A subtraction sets the top bit of a byte that is too small, and its
// borrow may reach the bytes above.
func stopBytes(eight uint64) uint64 {
	return (((eight ^ 0x02*eachByte) - 0x21*eachByte) | ((eight ^ '\\'*eachByte) - eachByte)) & ^eight & topBits
}

// scanPlain returns the offset of the first byte at or after pos that ends a
// plain run inside a string, or the end of text. ascii tells whether all bytes
// before it are below 0x80.
func scanPlain(text []byte, pos int) (end int, ascii bool) {
	var seen uint64
	for ; pos+8 <= len(text); pos += 8 {
		x := binary.LittleEndian.Uint64(text[pos:])
		if stops := stopBytes(x); stops != 0 {
			bit := bits.TrailingZeros64(stops)
			seen |= x & (1<<bit - 1)
			return pos + bit/8, seen&topBits == 0
		}
		seen |= x
	}
	for ; pos < len(text); pos++ {
		c := text[pos]
		if c < ' ' || c == '"' || c == '\\' {
			break
		}
		seen |= uint64(c)
	}
	return pos, seen&topBits == 0
}

// skipString returns the offset after the string that starts at pos, in
// validated text.
func skipString(text []byte, pos int) int {
	for pos++; ; pos++ {
		pos, _ = scanPlain(text, pos)
		if pos >= len(text) {
			return len(text)
		}
		switch text[pos] {
		case '"':
			return pos + 1
		case '\\':
			pos++
		}
	}
}

// skipValue returns the offset after the value that starts at pos, in validated
// text.
func skipValue(text []byte, pos int) int {
	depth := 0
	for pos < len(text) {
		switch text[pos] {
		case '"':
			pos = skipString(text, pos)
		case '{', '[':
			depth++
			pos++
			continue
		case '}', ']':
			depth--
			pos++
		case ',', ':', ' ', '\t', '\n', '\r':
			pos++
			continue
		default:
			pos = skipWord(text, pos)
		}
		if depth <= 0 {
			return pos
		}
	}
	return pos
}

// skipWord returns the offset after the number or literal that starts at pos, in
// validated text.
func skipWord(text []byte, pos int) int {
	for pos++; pos < len(text); pos++ {
		switch text[pos] {
		case ',', ':', ']', '}', ' ', '\t', '\n', '\r':
			return pos
		}
	}
	return pos
}

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

// skipDigits returns the offset of the first byte at or after pos that is no digit.
func skipDigits(text []byte, pos int) int {
	for ; pos+8 <= len(text); pos += 8 {
		if others := noDigits(binary.LittleEndian.Uint64(text[pos:]) ^ '0'*eachByte); others != 0 {
			return pos + bits.TrailingZeros64(others)/8
		}
	}
	for pos < len(text) && isDigit(text[pos]) {
		pos++
	}
	return pos
}

// wordAt returns the eight bytes at pos, with NUL, which ends numbers and strings, in
// place of those behind the end of text.
func wordAt(text []byte, pos int) uint64 {
	if pos+8 <= len(text) {
		return binary.LittleEndian.Uint64(text[pos:])
	}
	return lastWord(text, pos)
}

func lastWord(text []byte, pos int) (word uint64) {
	if len(text) >= 8 {
		return binary.LittleEndian.Uint64(text[len(text)-8:]) >> (8 * (pos + 8 - len(text)))
	}
	for i, c := range text[pos:] {
		word |= uint64(c) << (8 * i)
	}
	return word
}

// noDigits marks, by their top bits, those of eight bytes that are no digits without
// the high bits of digits, which are less than 10.
func noDigits(eight uint64) uint64 { return (eight&^topBits + (0x80-10)*eachByte | eight) & topBits }

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

// stopBytes marks, by its top bit, the lowest of eight bytes that ends a run of
// plain ASCII inside a string: a quote, a backslash, a control character or one
// beyond ASCII. It is 0 if there is none; only the lowest mark counts.
//
// A byte b is a quote or a control character iff b^0x02 < 0x21, since the
// exclusive or swaps 0x22 with 0x20 and 0x21 with 0x23; it is a backslash iff
// b^0x5C < 1. A subtraction sets the top bit of a byte that is too small, and its
// borrow may reach the bytes above.
func stopBytes(eight uint64) uint64 {
	return (((eight ^ 0x02*eachByte) - 0x21*eachByte) | ((eight ^ '\\'*eachByte) - eachByte) | eight) & topBits
}

// shortString returns the offset after the string that starts at pos if it is of
// fewer than eight characters, all of them plain ASCII; else 0. Most keys are.
func shortString(text []byte, pos int) int {
	if pos+9 > len(text) {
		return 0
	}
	stops := stopBytes(binary.LittleEndian.Uint64(text[pos+1:]))
	end := pos + 1 + bits.TrailingZeros64(stops)/8
	if stops == 0 || text[end] != '"' {
		return 0
	}
	return end + 1
}

// scanASCII returns the offset of the first byte at or after pos that ends a run
// of plain ASCII inside a string, or the end of text.
func scanASCII(text []byte, pos int) int {
	for {
		if stops := stopBytes(wordAt(text, pos)); stops != 0 {
			return pos + bits.TrailingZeros64(stops)/8
		}
		pos += 8
	}
}

// skipString returns the offset after the string that starts at pos, in
// validated text.
func skipString(text []byte, pos int) int {
	for pos++; pos < len(text); pos++ {
		if pos = scanASCII(text, pos); pos == len(text) {
			break
		}
		switch text[pos] {
		case '"':
			return pos + 1
		case '\\':
			pos++
		}
	}
	return len(text)
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

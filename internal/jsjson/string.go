package jsjson

import (
	"fmt"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// string reads the string whose opening quote is at start and returns the offset
// after its closing quote. plain tells that its characters are those between the
// quotes: no escapes, no invalid UTF-8.
func (d *Doc) string(start int) (end int, plain bool) {
	text, pos := d.text, start+1
	plain = true
	for {
		var escapes bool
		pos, escapes = skipSound(text, pos)
		plain = plain && !escapes
		if pos == len(text) {
			return d.fail(pos, "unexpected end of text in string"), false
		}
		switch c := text[pos]; {
		case c == '"':
			return pos + 1, plain
		case c == '\\':
			plain = false
			if pos = d.escape(pos); pos == failed {
				return failed, false
			}
		case c < ' ':
			return d.fail(pos, fmt.Sprintf("control character 0x%02x in string", c)), false
		default:
			plain = false
			d.Features.add(InvalidUTF8, pos)
			pos++
		}
	}
}

// skipSound passes over the characters of a string from pos on that are as
// JSON.stringify writes them: ASCII, UTF-8 and escapes of two characters. It
// returns the offset of the first byte that is something else, or the end of text.
func skipSound(text []byte, pos int) (end int, escapes bool) {
	for near := pos + 32; ; {
		stops := stopBytes(wordAt(text, pos))
		if stops == 0 {
			if pos += 8; pos >= near {
				rest, some := skipBlocks(text, pos)
				pos, escapes = rest, escapes || some
			}
			continue
		}
		if pos += bits.TrailingZeros64(stops) / 8; pos == len(text) {
			return pos, escapes
		}
		size := soundLen(text, pos)
		if size == 0 {
			return pos, escapes
		}
		escapes = escapes || text[pos] == '\\'
		pos += size
	}
}

// soundLen returns the length in bytes of the canonical escape of two characters,
// or the character beyond ASCII, at pos; 0 if there is neither.
func soundLen(text []byte, pos int) int {
	if text[pos] != '\\' {
		return characterLen(text, pos)
	}
	if pos+1 < len(text) && isCanonicalEscape[text[pos+1]] {
		return 2
	}
	return 0
}

// isCanonicalEscape has the characters behind the backslash of the escapes of two
// characters that JSON.stringify writes.
var isCanonicalEscape = [256]bool{'"': true, '\\': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// escape reads an escape that is not canonical with two characters, whose
// backslash is at pos, and returns the offset after it.
func (d *Doc) escape(pos int) int {
	if pos+1 == len(d.text) {
		return d.fail(pos+1, "unexpected end of text in string")
	}
	switch c := d.text[pos+1]; c {
	case '/':
		d.Features.add(NonCanonicalEscape, pos)
		return pos + 2
	case 'u':
		return d.unicodeEscape(pos)
	}
	return d.unexpected(pos+1, "after backslash")
}

// unicodeEscape reads the \uXXXX escape, or the surrogate pair of two, at pos.
func (d *Doc) unicodeEscape(pos int) int {
	for i := pos + 2; i < pos+6; i++ {
		if i == len(d.text) {
			return d.fail(i, "unexpected end of text in string")
		}
		if hexValue[d.text[i]] < 0 {
			return d.unexpected(i, "in unicode escape")
		}
	}
	unit, size := decodeEscape(d.text[pos:])
	if utf16.IsSurrogate(unit) {
		d.Features.add(LoneSurrogate, pos)
	}
	if size == 12 || !canonicalEscape(unit, d.text[pos+2:pos+6]) {
		d.Features.add(NonCanonicalEscape, pos)
	}
	return pos + size
}

// canonicalEscape tells whether JSON.stringify writes the code unit as \u and
// these digits: control characters without a short form and lone surrogates,
// both in lower case (ECMA-262 §25.5.2.3).
func canonicalEscape(unit rune, digits []byte) bool {
	for _, c := range digits {
		if 'A' <= c && c <= 'F' {
			return false
		}
	}
	return utf16.IsSurrogate(unit) || unit < ' ' && shortEscape[unit] == 0
}

// shortEscape gives the letter of the two-character escape of a control
// character, 0 if it has none.
var shortEscape = [' ']byte{'\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

// hexValue gives the value of a hexadecimal digit, -1 for other bytes.
var hexValue = func() (table [256]int8) {
	for c := range table {
		table[c] = -1
	}
	for i, c := range []byte("0123456789abcdef") {
		table[c] = int8(i)
	}
	for i, c := range []byte("ABCDEF") {
		table[c] = int8(10 + i)
	}
	return table
}()

// appendDecoded appends the characters of the string body, the validated text
// between two quotes, as WTF-8.
func appendDecoded(dst, body []byte) []byte {
	var buf [utf8.UTFMax]byte
	for len(body) > 0 {
		var piece []byte
		piece, body = nextPiece(body, &buf)
		dst = append(dst, piece...)
	}
	return dst
}

// nextPiece decodes the first piece of a string body that is not empty: a run of
// characters that stand for themselves, or one character put into buf.
func nextPiece(body []byte, buf *[utf8.UTFMax]byte) (piece, rest []byte) {
	if body[0] == '\\' {
		r, size := decodeEscape(body)
		return appendCodePoint(buf[:0], r), body[size:]
	}
	if n := plainPrefix(body); n > 0 {
		return body[:n], body[n:]
	}
	return append(buf[:0], "\uFFFD"...), body[invalidPrefix(body):]
}

// plainPrefix returns the length of the longest prefix without a backslash that
// is UTF-8.
func plainPrefix(body []byte) int {
	n := 0
	for n < len(body) && body[n] != '\\' {
		size := 1
		if body[n] >= utf8.RuneSelf {
			var r rune
			if r, size = utf8.DecodeRune(body[n:]); r == utf8.RuneError && size == 1 {
				break
			}
		}
		n += size
	}
	return n
}

// decodeEscape decodes the escape that body starts with, and its length. A pair
// of surrogate escapes is one character; a surrogate without its partner is
// returned as it is.
func decodeEscape(body []byte) (r rune, size int) {
	if len(body) < 2 {
		return utf8.RuneError, len(body)
	}
	switch c := body[1]; c {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		return decodeUnicodeEscape(body)
	default:
		return rune(c), 2
	}
}

func decodeUnicodeEscape(body []byte) (r rune, size int) {
	unit, ok := codeUnit(body)
	if !ok {
		return utf8.RuneError, 2
	}
	if utf16.IsSurrogate(unit) {
		if low, ok := codeUnit(body[6:]); ok {
			if pair := utf16.DecodeRune(unit, low); pair != utf8.RuneError {
				return pair, 12
			}
		}
	}
	return unit, 6
}

// codeUnit decodes the \uXXXX that body starts with; ok is false if it does not.
func codeUnit(body []byte) (unit rune, ok bool) {
	if len(body) < 6 || body[0] != '\\' || body[1] != 'u' {
		return 0, false
	}
	for _, c := range body[2:6] {
		digit := hexValue[c]
		if digit < 0 {
			return 0, false
		}
		unit = unit<<4 | rune(digit)
	}
	return unit, true
}

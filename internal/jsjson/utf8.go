package jsjson

import (
	"unicode/utf16"
	"unicode/utf8"
)

// characterLen returns the length in bytes of the character beyond ASCII at pos, 0
// if there is none.
func characterLen(text []byte, pos int) int {
	c := text[pos]
	if 0xC2 <= c && c < 0xE0 && pos+1 < len(text) && isContinuation(text[pos+1]) {
		return 2
	}
	if 0xE1 <= c && c < 0xED && pos+2 < len(text) && isContinuation(text[pos+1]) && isContinuation(text[pos+2]) {
		return 3
	}
	_, size := utf8.DecodeRune(text[pos:])
	if size == 1 {
		return 0
	}
	return size
}

func isContinuation(c byte) bool { return c&0xC0 == 0x80 }

// firstInvalid returns the offset of the first byte of b that is not part of
// UTF-8; b must have one.
func firstInvalid(b []byte) int {
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(b)
}

// invalidPrefix returns how many bytes of b, which does not start with a UTF-8
// character, one U+FFFD replaces: the longest prefix that could have become a
// character, at least one byte (the WHATWG Encoding Standard's UTF-8 decoder,
// docs/format.md §3.7). utf8.DecodeRune would replace each byte.
func invalidPrefix[T string | []byte](b T) int {
	low, high, need := byte(0x80), byte(0xBF), 0
	switch c := b[0]; {
	case 0xC2 <= c && c <= 0xDF:
		need = 1
	case 0xE0 <= c && c <= 0xEF:
		need = 2
		if c == 0xE0 {
			low = 0xA0 // below are overlong forms
		} else if c == 0xED {
			high = 0x9F // above are surrogates
		}
	case 0xF0 <= c && c <= 0xF4:
		need = 3
		if c == 0xF0 {
			low = 0x90 // below are overlong forms
		} else if c == 0xF4 {
			high = 0x8F // above is past U+10FFFF
		}
	}
	n := 1
	for n <= need && n < len(b) && low <= b[n] && b[n] <= high {
		low, high = 0x80, 0xBF
		n++
	}
	return n
}

// ReplacedLen returns the length in bytes of b after JavaScript has decoded and
// encoded it again: each U+FFFD that replaces invalid bytes takes three.
func ReplacedLen(b []byte) int {
	n := len(b)
	for len(b) > 0 {
		b = b[firstInvalid(b):]
		if len(b) > 0 {
			bad := invalidPrefix(b)
			n += utf8.RuneLen(utf8.RuneError) - bad
			b = b[bad:]
		}
	}
	return n
}

// appendCodePoint appends r as WTF-8: like utf8.AppendRune, but surrogates keep
// their own encoding.
func appendCodePoint(dst []byte, r rune) []byte {
	if utf16.IsSurrogate(r) {
		return append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0xBF, 0x80|byte(r)&0xBF)
	}
	return utf8.AppendRune(dst, r)
}

// decodeCodePoint returns the first character of the WTF-8 string s, which is not
// empty, and its length in bytes. Two surrogates that meet, as when strings are
// joined, are one character; other invalid bytes read as U+FFFD.
func decodeCodePoint(s string) (r rune, size int) {
	r, size = utf8.DecodeRuneInString(s)
	if r != utf8.RuneError || size != 1 {
		return r, size
	}
	unit, ok := decodeSurrogate(s)
	if !ok {
		return utf8.RuneError, invalidPrefix(s)
	}
	if low, ok := decodeSurrogate(s[3:]); ok {
		if pair := utf16.DecodeRune(unit, low); pair != utf8.RuneError {
			return pair, 6
		}
	}
	return unit, 3
}

// decodeSurrogate decodes the encoded surrogate that s starts with, if it does.
func decodeSurrogate(s string) (unit rune, ok bool) {
	if len(s) < 3 || s[0] != 0xED || s[1]&0xE0 != 0xA0 || s[2]&0xC0 != 0x80 {
		return 0, false
	}
	return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), true
}

// AppendUTF16 appends the code units of a WTF-8 string, which are what a
// JavaScript string consists of.
func AppendUTF16(dst []uint16, wtf8 string) []uint16 {
	for len(wtf8) > 0 {
		r, size := decodeCodePoint(wtf8)
		wtf8 = wtf8[size:]
		if utf16.IsSurrogate(r) {
			dst = append(dst, uint16(r))
		} else {
			dst = utf16.AppendRune(dst, r)
		}
	}
	return dst
}

// ToValidUTF8 replaces the lone surrogates of a WTF-8 string by U+FFFD, as
// JavaScript does when it encodes a string for a file or a terminal.
func ToValidUTF8(wtf8 string) string {
	if utf8.ValidString(wtf8) {
		return wtf8
	}
	dst := make([]byte, 0, len(wtf8))
	for len(wtf8) > 0 {
		r, size := decodeCodePoint(wtf8)
		wtf8 = wtf8[size:]
		dst = utf8.AppendRune(dst, r)
	}
	return string(dst)
}

// Decode returns b as JavaScript's TextDecoder reads it: each longest prefix of a
// character that breaks off becomes one U+FFFD.
func Decode(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	text := make([]byte, 0, ReplacedLen(b))
	for len(b) > 0 {
		sound := firstInvalid(b)
		text = append(text, b[:sound]...)
		if b = b[sound:]; len(b) > 0 {
			text = utf8.AppendRune(text, utf8.RuneError)
			b = b[invalidPrefix(b):]
		}
	}
	return string(text)
}

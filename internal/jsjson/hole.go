package jsjson

import "math/bits"

// hole is what may stand behind a part of a text.
type hole uint8

// The holes. A string's begins behind its quote, that of a list behind its bracket.
const (
	noHole hole = iota
	stringHole
	integerHole
	stringsHole
	integersHole
)

// stringEnd returns the offset after the string whose first character is at pos; 0
// if it is none, or one with features.
func stringEnd(text []byte, pos int) int {
	stops := stopBytes(wordAt(text, pos))
	pos += bits.TrailingZeros64(stops) / 8 // 8 if there are none
	if stops != 0 && pos < len(text) && text[pos] == '"' {
		return pos + 1
	}
	end, _ := skipSound(text, pos)
	if end == len(text) || text[end] != '"' {
		return 0
	}
	return end + 1
}

// integerEnd returns the offset after the integer at pos; 0 if it is none that a
// hole holds.
func integerEnd(text []byte, pos int) int {
	n := bits.TrailingZeros64(noDigits(wordAt(text, pos)^'0'*eachByte)) / 8
	if n == 8 {
		n += bits.TrailingZeros64(noDigits(wordAt(text, pos+8)^'0'*eachByte)) / 8
	}
	if n == 0 || n > maxExactDigits || n > 1 && text[pos] == '0' {
		return 0
	}
	return pos + n
}

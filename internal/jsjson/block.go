package jsjson

import (
	"encoding/binary"
	"math/bits"
)

// skipBlocks passes over a string from pos on, 64 bytes at a time, as long as there
// is nothing but plain ASCII and canonical escapes of two characters. It returns the
// offset of the first byte that it leaves to others: another stop, or the first of
// less than 64 bytes. escapes tells that there were some.
//
// Tool results have an escape every few words. A branch for each of them, at a
// distance that no processor predicts, costs more than the marks of a whole block.
func skipBlocks(text []byte, pos int) (end int, escapes bool) {
	for pos+64 <= len(text) {
		next := pos + 64
		for stops := blockStops((*[64]byte)(text[pos:])); stops != 0; {
			i := bits.TrailingZeros64(stops)
			at := pos + i
			if text[at] != '\\' || at+1 == len(text) || !isCanonicalEscape[text[at+1]] {
				return at, escapes
			}
			escapes = true
			stops &^= 3 << i // the escaped character too
			next = max(next, at+2)
		}
		pos = next
	}
	return pos, escapes
}

// blockStops has a bit for each of 64 bytes that [stopBytes] stops at.
func blockStops(block *[64]byte) (stops uint64) {
	m0 := allStops(binary.LittleEndian.Uint64(block[0:]))
	m1 := allStops(binary.LittleEndian.Uint64(block[8:]))
	m2 := allStops(binary.LittleEndian.Uint64(block[16:]))
	m3 := allStops(binary.LittleEndian.Uint64(block[24:]))
	m4 := allStops(binary.LittleEndian.Uint64(block[32:]))
	m5 := allStops(binary.LittleEndian.Uint64(block[40:]))
	m6 := allStops(binary.LittleEndian.Uint64(block[48:]))
	m7 := allStops(binary.LittleEndian.Uint64(block[56:]))
	if m0|m1|m2|m3|m4|m5|m6|m7 == 0 {
		return 0
	}
	return gather(m0) | gather(m1)<<8 | gather(m2)<<16 | gather(m3)<<24 |
		gather(m4)<<32 | gather(m5)<<40 | gather(m6)<<48 | gather(m7)<<56
}

// gather returns the top bits of eight bytes as one byte.
func gather(marks uint64) uint64 { return marks >> 7 * 0x0102040810204080 >> 56 }

// allStops marks, by their top bits, all of eight bytes that [stopBytes] stops at.
// No sum carries into the byte above, since the top bits are taken out before.
func allStops(eight uint64) uint64 {
	low := eight &^ topBits
	printable := low + (0x80-' ')*eachByte
	noQuote := (low ^ '"'*eachByte) + 0x7F*eachByte
	noBackslash := (low ^ '\\'*eachByte) + 0x7F*eachByte
	return (^(printable & noQuote & noBackslash) | eight) & topBits
}

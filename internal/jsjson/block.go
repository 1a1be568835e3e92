package jsjson

import (
	"encoding/binary"
	"math/bits"
)

// blockMarks has a bit for each of 64 bytes of a string.
type blockMarks struct {
	// stops are quotes, control characters and bytes beyond ASCII, and bytes that a
	// backslash escapes although JSON.stringify does not write that.
	stops   uint64
	escaped uint64 // bytes that a backslash escapes
}

// skipBlocks does what [skipSound] does, 64 bytes at a time. It may also return an
// offset where less than 64 bytes are left.
//
// Tool results have an escape every few words. A branch for each of them, at a
// distance that no processor predicts, costs more than the marks of many blocks.
func skipBlocks(text []byte, pos int) (end int, escapes bool) {
	var buf [8]blockMarks
	for most := 2; len(text)-pos >= 64; most = len(buf) { // most strings are short
		marks := buf[:min(most, (len(text)-pos)/64)]
		markBlocks(marks, text[pos:])
		next := pos
		for i := range marks {
			m, block := &marks[i], pos+64*i
			stops := m.stops
			if next > block { // behind a character that began before
				stops = stops >> (next - block) << (next - block)
			}
			for ; stops != 0; stops = stops >> (next - block) << (next - block) {
				n := bits.TrailingZeros64(stops)
				wrong := m.escaped >> n & 1
				size := characterLen(text, block+n)
				if size == 0 || wrong == 1 {
					return block + n - int(wrong), escapes || m.escaped<<(64-n) != 0
				}
				next = block + n + size
			}
			escapes = escapes || m.escaped != 0
		}
		pos = max(next, pos+64*len(marks))
		if text[pos-1] == '\\' && marks[len(marks)-1].escaped>>63 == 0 {
			pos-- // it escapes a byte of the next block
		}
	}
	return pos, escapes
}

// markBlocksGo is markBlocks on any processor.
func markBlocksGo(marks []blockMarks, text []byte) {
	carry := uint64(0)
	for i := range marks {
		marks[i] = markBlock((*[64]byte)(text[64*i:]), &carry)
	}
}

// markBlock returns the marks of a block. carry is 1 if a backslash before the block
// escapes its first byte, and becomes what that is for the block behind.
func markBlock(block *[64]byte, carry *uint64) (m blockMarks) {
	var backslashes uint64
	for i := range 8 {
		s, b := markEight(binary.LittleEndian.Uint64(block[8*i:]))
		m.stops |= gather(s) << (8 * i)
		backslashes |= gather(b) << (8 * i)
	}
	m.escaped = escapedBy(backslashes, carry)
	m.stops &^= m.escaped
	for left := m.escaped; left != 0; left &= left - 1 {
		if i := bits.TrailingZeros64(left); !isCanonicalEscape[block[i]] {
			m.stops |= 1 << i
		}
	}
	return m
}

// escapedBy returns the bytes that backslashes escape. In a run of backslashes each
// second one is escaped, and the byte behind it if their number is odd. The sum
// carries through the runs that start at odd bytes, so that they too leave a bit
// where one that starts at an even byte ends.
func escapedBy(backslashes uint64, carry *uint64) uint64 {
	const even = 0x5555555555555555
	first := backslashes &^ *carry
	behind := first<<1 | *carry
	var sum uint64
	sum, *carry = bits.Add64(first, first&^even&^behind, 0)
	return (even ^ sum<<1) & behind
}

// gather returns the top bits of eight bytes as one byte.
func gather(marks uint64) uint64 { return marks >> 7 * 0x0102040810204080 >> 56 }

// markEight marks, by their top bits, the stops and the backslashes among eight
// bytes. No sum carries into the byte above, since the top bits are taken out before.
func markEight(eight uint64) (stops, backslashes uint64) {
	low := eight &^ topBits
	printable := low + (0x80-' ')*eachByte
	noQuote := (low ^ '"'*eachByte) + 0x7F*eachByte
	noBackslash := (low ^ '\\'*eachByte) + 0x7F*eachByte
	return (^(printable & noQuote) | eight) & topBits, ^(noBackslash | eight) & topBits
}

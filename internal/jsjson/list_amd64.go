//go:build !purego

package jsjson

import "golang.org/x/sys/cpu"

// hasListMarks tells whether the marks of lists cost less than to go byte by byte.
var hasListMarks = cpu.X86.HasAVX2

//go:noescape
func markPairsAVX2(text *byte) (quotes, commas uint64)

//go:noescape
func markDigitsAVX2(m *digitMarks, text *byte)

// markPairs returns where the quotes and commas in the first 64 bytes of text are.
func markPairs(text []byte) (quotes, commas uint64) {
	_ = text[63]
	return markPairsAVX2(&text[0])
}

// markDigits sets m to the marks of the first 64 bytes of text.
func markDigits(m *digitMarks, text []byte) {
	_ = text[63]
	markDigitsAVX2(m, &text[0])
}

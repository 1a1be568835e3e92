//go:build !purego

package jsjson

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// hasListMarks tells whether the marks of lists cost less than to go byte by byte.
var hasListMarks = cpu.X86.HasAVX2 && cpu.X86.HasPOPCNT

//go:noescape
func passElementsAVX2(text *byte, size int) (passed, separators int)

//go:noescape
func markDigitsAVX2(m *digitMarks, text *byte)

// passElements passes over elements of a list of strings that are plain ASCII and what
// separates them, from within one on. It returns how many bytes these are and how
// many separators: up to something else, or some text of less than 64 bytes more.
func passElements(text []byte) (passed, separators int) {
	return passElementsAVX2(unsafe.SliceData(text), len(text))
}

// markDigits sets m to the marks of the first 64 bytes of text.
func markDigits(m *digitMarks, text []byte) {
	_ = text[63]
	markDigitsAVX2(m, &text[0])
}

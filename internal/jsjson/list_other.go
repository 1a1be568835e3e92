//go:build !amd64 || purego

package jsjson

// hasListMarks tells whether the marks of lists cost less than to go byte by byte.
const hasListMarks = false

func passElements([]byte) (passed, separators int) { return 0, 0 }

func markDigits(m *digitMarks, text []byte) { markDigitsGo(m, text) }

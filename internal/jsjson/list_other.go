//go:build !amd64 || purego

package jsjson

// hasListMarks tells whether the marks of lists cost less than to go byte by byte.
const hasListMarks = false

func markPairs(text []byte) (quotes, commas uint64) { return markPairsGo(text) }

func markDigits(m *digitMarks, text []byte) { markDigitsGo(m, text) }

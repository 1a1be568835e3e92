//go:build gofuzz

package fuzz

import "github.com/turnlint/turnlint/internal/jsjson"

// Fuzz is the entry point of go-fuzz for logs. Corpora for it come from
// go run ./fuzz/gen -seed LOG -out DIR.
func Fuzz(data []byte) int {
	if err := CheckChunking(data); err != nil {
		panic(err)
	}
	return 0
}

// FuzzLine is the entry point of go-fuzz for the text of one line; it prefers
// inputs that are JSON.
func FuzzLine(data []byte) int {
	if err := CheckJSON(data); err != nil {
		panic(err)
	}
	if jsjson.Valid(data) {
		return 1
	}
	return 0
}

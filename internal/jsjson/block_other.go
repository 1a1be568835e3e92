//go:build !amd64 || purego

package jsjson

// markBlocks sets each of marks to those of a block of text, which holds them
// all, one after the other.
func markBlocks(marks []blockMarks, text []byte) { markBlocksGo(marks, text) }

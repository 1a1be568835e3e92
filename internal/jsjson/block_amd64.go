//go:build !purego

package jsjson

import "golang.org/x/sys/cpu"

// markBlocksAVX2 is markBlocks for one block or more.
//
//go:noescape
func markBlocksAVX2(marks *blockMarks, text *byte, blocks int)

// markBlocks sets each of marks to those of a block of text, which holds them
// all, one after the other.
func markBlocks(marks []blockMarks, text []byte) {
	if len(marks) == 0 || !cpu.X86.HasAVX2 {
		markBlocksGo(marks, text)
		return
	}
	_ = text[64*len(marks)-1]
	markBlocksAVX2(&marks[0], &text[0], len(marks))
}

package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
)

// The edits below damage a finished text. They panic when the text is not what
// the caller thinks it is, which is a mistake in this program.

// replace changes the first occurrence of old.
func replace(text []byte, old, with string) []byte {
	i := at(text, old)
	return slices.Concat(text[:i], []byte(with), text[i+len(old):])
}

// at returns the offset of the first occurrence of part.
func at(text []byte, part string) int {
	i := bytes.Index(text, []byte(part))
	if i < 0 {
		panic(fmt.Sprintf("no %q in the text", part))
	}
	return i
}

// cutAfter keeps the text up to and including the first occurrence of part.
func cutAfter(text []byte, part string) []byte {
	return slices.Clone(text[:at(text, part)+len(part)])
}

// lines splits text behind each LF.
func lines(text []byte) [][]byte { return slices.Collect(bytes.Lines(text)) }

// line returns a copy of one line with its LF; line 0 is the header.
func line(text []byte, n int) []byte { return slices.Clone(lines(text)[n]) }

// editLines returns text after edit has changed its lines.
func editLines(text []byte, edit func([][]byte) [][]byte) []byte {
	return bytes.Join(edit(lines(text)), nil)
}

func insertLine(text []byte, n int, with ...string) []byte {
	return editLines(text, func(all [][]byte) [][]byte {
		for i, s := range with {
			all = slices.Insert(all, n+i, []byte(s))
		}
		return all
	})
}

// without drops the first line that holds part.
func without(text []byte, part string) []byte {
	return deleteLine(text, bytes.Count(text[:at(text, part)], []byte("\n")))
}

func deleteLine(text []byte, n int) []byte {
	return editLines(text, func(all [][]byte) [][]byte { return slices.Delete(all, n, n+1) })
}

// renumber gives the events of a text without rows the seqs 0, 1, 2, …, so that
// a line that was taken out leaves no gap. References keep their numbers.
func renumber(text []byte) []byte {
	return editLines(text, func(all [][]byte) [][]byte {
		for i, l := range all[1:] {
			all[i+1] = seqMember.ReplaceAll(l, fmt.Appendf(nil, `"seq":%d,"time"`, i))
		}
		return all
	})
}

var seqMember = regexp.MustCompile(`"seq":\d+,"time"`)

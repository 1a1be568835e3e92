package columns

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks a text where it is wider than first for its first line, and than rest for the
// others: at a blank, which goes, or beside a character of East Asia, but not before
// punctuation. A word that is wider than a line stays whole.
func Wrap(text string, first, rest int) (lines []string) {
	for width := first; Width(text) > width; width = rest {
		end := breakWithin(text, width)
		if end == 0 {
			break
		}
		lines = append(lines, strings.TrimRight(text[:end], " "))
		text = strings.TrimLeft(text[end:], " ")
	}
	return append(lines, text)
}

// neverFirst may not start a line.
const neverFirst = "，。；：、！？）》」』】”’…,.;:!?)]}"

// breakWithin returns the last offset within a width at which a text may be broken; 0 for none.
func breakWithin(text string, width int) (end int) {
	used, before := 0, ' '
	for i, r := range text {
		if used > width {
			break
		}
		may := r == ' ' || before != ' ' && (wide(before) || wide(r)) && !strings.ContainsRune(neverFirst, r)
		if may && strings.TrimSpace(text[:i]) != "" {
			end = i
		}
		used += Width(string(r))
		before = r
	}
	return end
}

func wide(r rune) bool { return r >= utf8.RuneSelf && Width(string(r)) > 1 }

package picture

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// Space says what an offset counts.
type Space uint8

// The spaces.
const (
	File Space = iota // bytes of the file
	Text              // bytes of the decoded text
)

// Dump is some bytes of a log, to be shown as hex and as text.
type Dump struct {
	Space    Space
	Off      int64 // of the first byte
	Bytes    []byte
	From, To int64 // offsets of the bytes in question, which are marked
	// structure says that the marked bytes are such of a frame, and say nothing.
	structure bool
	hidden    []bool
}

// Row is up to 16 bytes of a dump.
type Row struct {
	Off   int64 // of the first cell, which is a multiple of 16 but in the first row
	Cells []Cell
}

// Cell is one byte of a dump.
type Cell struct {
	Byte byte
	// Glyph is the character that begins with the byte; a picture of it for a control
	// character, U+FFFD for a byte that is no character or one that does not
	// show, and "" inside of a character. It is one that is safe to print.
	Glyph string
	// Hidden says that neither may be shown, since the byte is part of what the log
	// says.
	Hidden bool
	Marked bool // it is one of the bytes in question
}

// rowLen is the bytes in a row of a dump.
const rowLen = 16

// Rows yields the dump row by row.
func (d *Dump) Rows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		glyphs := glyphs(d.Bytes)
		for i := 0; i < len(d.Bytes); {
			row := Row{Off: d.Off + int64(i)}
			for n := rowLen - int(row.Off%rowLen); n > 0 && i < len(d.Bytes); n-- {
				at := d.Off + int64(i)
				row.Cells = append(row.Cells, Cell{
					Byte: d.Bytes[i], Glyph: glyphs[i], Hidden: d.hidden != nil && d.hidden[i], Marked: d.From <= at && at < d.To,
				})
				i++
			}
			if !yield(row) {
				return
			}
		}
	}
}

// Hides reports whether any byte is hidden.
func (d *Dump) Hides() bool {
	for _, h := range d.hidden {
		if h {
			return true
		}
	}
	return false
}

// glyphs returns the glyph of each byte.
func glyphs(text []byte) []string {
	all := make([]string, len(text))
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		all[i] = glyph(r, n)
		i += n
	}
	return all
}

// controlPictures is the character that shows U+0000; those of the other control
// characters follow.
const controlPictures = '\u2400'

func glyph(r rune, size int) string {
	switch {
	case r == utf8.RuneError && size == 1:
		return "\uFFFD"
	case r < ' ':
		return string(controlPictures + r)
	case r == 0x7F:
		return "\u2421"
	case !unicode.IsPrint(r) || unicode.Is(unicode.M, r): // what joins the character before it
		return "\uFFFD"
	}
	return string(r)
}

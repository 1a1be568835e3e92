package escape

import (
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// JSONWriter returns a writer of JSON texts, which writes characters that do not print as
// escapes, so that what it writes can be looked at in a terminal. Outside of strings there are
// none. Each Write has to be a valid text of its own.
func JSONWriter(w io.Writer) io.Writer { return jsonWriter{w} }

type jsonWriter struct{ w io.Writer }

// Write implements [io.Writer].
func (j jsonWriter) Write(text []byte) (int, error) {
	if _, err := j.w.Write(JSON(text)); err != nil {
		return 0, err
	}
	return len(text), nil
}

// JSON returns a JSON text in valid UTF-8 with such escapes; the text
// itself if it needs none.
func JSON(text []byte) []byte {
	var escaped []byte
	done := 0
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		if r > '~' && !strconv.IsPrint(r) {
			escaped = append(escaped, text[done:i]...)
			for _, unit := range utf16.AppendRune(nil, r) {
				escaped = fmt.Appendf(escaped, `\u%04x`, unit)
			}
			done = i + size
		}
		i += size
	}
	if done == 0 {
		return text
	}
	return append(escaped, text[done:]...)
}

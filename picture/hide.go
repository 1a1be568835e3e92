package picture

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/turnlint/turnlint/session"
)

// hide hides the bytes that may be part of what the log says. Of text it leaves the
// punctuation of JSON, known names, numbers of the envelope, and what does not
// belong into a text; of compressed bytes, all that do not read as text.
func (d *Dump) hide(isText bool) {
	d.hidden = make([]bool, len(d.Bytes))
	if !isText {
		d.hideRuns()
		if d.structure {
			clear(d.hidden[d.From-d.Off : d.To-d.Off])
		}
		return
	}
	for i := 0; i < len(d.Bytes); {
		r, n := utf8.DecodeRune(d.Bytes[i:])
		secret := shows(r, n) && !strings.ContainsRune(`{}[]:,"\`, r)
		for j := range n {
			d.hidden[i+j] = secret
		}
		i += n
	}
	for _, known := range knownText {
		for _, at := range known.FindAllIndex(d.Bytes, -1) {
			clear(d.hidden[at[0]:at[1]])
		}
	}
}

// shows reports whether a character of so many bytes is one that can be read.
func shows(r rune, size int) bool {
	return (r != utf8.RuneError || size > 1) && unicode.IsPrint(r)
}

// knownText finds what the format itself says in a text (docs/format.md §2). In the
// strings of a body the quotes are escaped, so that nothing is found in them.
var knownText = []*regexp.Regexp{
	regexp.MustCompile(`"(?:type|seq|seq0|time|time0|data|surfaceOp|sourceEventSeqs|ignorable|turn|step|index|version|id|createdAt|cwd|delegationDepth)" *:`),
	regexp.MustCompile(`"(?:seq|seq0|time|time0|turn|step|index|version|createdAt)" *: *-?[0-9][0-9.eE+-]*`),
	regexp.MustCompile(`"type" *: *"(?:session|text-chunks|reasoning-chunks|tool-call-chunks|` + typeNames() + `)"`),
}

func typeNames() string {
	var names []string
	for _, t := range session.Types() {
		names = append(names, regexp.QuoteMeta(t.String()))
	}
	return strings.Join(names, "|")
}

// minRun is the bytes from which on characters in a row are taken for text. By
// chance, compressed bytes seldom hold so many.
const minRun = 3

// hideRuns hides characters in a row: a block that does not compress holds the text
// as it is (RFC 8878 §3.1.1.2.2), and so may the literals of one that does.
func (d *Dump) hideRuns() {
	start := 0
	for i := 0; i < len(d.Bytes); {
		r, n := utf8.DecodeRune(d.Bytes[i:])
		i += n
		if shows(r, n) {
			if i-start >= minRun {
				fill(d.hidden[start:i])
			}
			continue
		}
		start = i
	}
}

func fill(b []bool) {
	for i := range b {
		b[i] = true
	}
}

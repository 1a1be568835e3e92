// Package escape makes text from logs and file names safe to print: a name or a
// message must not be able to move the cursor, hide what follows or break a
// line in two.
package escape

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Line returns s as one line of valid UTF-8 that a terminal shows as it stands:
// characters that do not print become Go escapes such as \n, \x1b or \u202e, and
// bytes that are not UTF-8 become \xNN. Everything else is unchanged.
func Line(s string) string {
	return escaped(s, strconv.IsPrint)
}

// UTF8 returns s with bytes that are not UTF-8 as \xNN, for formats that escape
// control characters themselves but cannot hold arbitrary bytes.
func UTF8(s string) string {
	return escaped(s, func(rune) bool { return true })
}

func escaped(s string, keep func(rune) bool) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case keep(r):
			b.WriteString(s[i : i+size])
		default:
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		i += size
	}
	return b.String()
}

// ShellArg returns a word that a POSIX shell, or for unusual bytes bash and zsh,
// reads as the file name s, and that no command takes for a flag.
func ShellArg(s string) string {
	if strings.HasPrefix(s, "-") && s != "-" {
		s = "./" + s
	}
	switch {
	case s != "" && strings.Trim(s, shellSafe) == "":
		return s
	case Line(s) == s:
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return ansiQuoted(s)
}

const shellSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%"

// ansiQuoted writes every byte that is not plain ASCII as an octal escape,
// because those end after three digits, whatever follows.
func ansiQuoted(s string) string {
	var b strings.Builder
	b.WriteString("$'")
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' || c == '\'' || c == '\\' {
			fmt.Fprintf(&b, `\%03o`, c)
			continue
		}
		b.WriteByte(c)
	}
	b.WriteByte('\'')
	return b.String()
}

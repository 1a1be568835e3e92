package jsjson

import "unicode/utf16"

const lowerHex = "0123456789abcdef"

// AppendQuoted appends a WTF-8 string as JSON.stringify writes it (ECMA-262
// §25.5.2.3): only quotes, backslashes, control characters and lone surrogates
// are escaped, with lower-case digits. Bytes that are not WTF-8 become U+FFFD.
func AppendQuoted(dst []byte, wtf8 string) []byte {
	dst = append(dst, '"')
	for len(wtf8) > 0 {
		if n := verbatimPrefix(wtf8); n > 0 {
			dst, wtf8 = append(dst, wtf8[:n]...), wtf8[n:]
			continue
		}
		r, size := decodeCodePoint(wtf8)
		dst, wtf8 = appendEscaped(dst, r), wtf8[size:]
	}
	return append(dst, '"')
}

// verbatimPrefix returns how many bytes from the start are printable ASCII that
// needs no escape.
func verbatimPrefix(s string) int {
	n := 0
	for n < len(s) && ' ' <= s[n] && s[n] < 0x80 && s[n] != '"' && s[n] != '\\' {
		n++
	}
	return n
}

func appendEscaped(dst []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(dst, '\\', byte(r))
	case r < ' ' && shortEscape[r] != 0:
		return append(dst, '\\', shortEscape[r])
	case r < ' ' || utf16.IsSurrogate(r):
		return append(dst, '\\', 'u', lowerHex[r>>12], lowerHex[r>>8&15], lowerHex[r>>4&15], lowerHex[r&15])
	}
	return appendCodePoint(dst, r)
}

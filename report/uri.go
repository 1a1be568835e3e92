package report

import (
	"net/url"
	"path/filepath"
	"strings"
)

// fileURI returns a path as a URI reference (RFC 3986): relative for a relative
// path. Bytes that are not unreserved are percent-encoded, so that it is ASCII
// for any path, and no colon in it makes its start a scheme.
func fileURI(path string) string {
	slashed := filepath.ToSlash(path)
	var b strings.Builder
	if filepath.IsAbs(path) {
		b.WriteString(fileScheme)
		if !strings.HasPrefix(slashed, "/") { // a drive
			b.WriteByte('/')
		}
	}
	for _, c := range []byte(slashed) {
		if c == '/' || isUnreserved(c) {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(upperHex[c>>4])
		b.WriteByte(upperHex[c&15])
	}
	return b.String()
}

const (
	fileScheme = "file://"
	upperHex   = "0123456789ABCDEF"
)

func isUnreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// pathOfURI is the inverse of [fileURI], but for backslashes, which become slashes.
func pathOfURI(uri string) (string, error) {
	rest, absolute := strings.CutPrefix(uri, fileScheme)
	path, err := url.PathUnescape(rest)
	if err != nil {
		return "", err
	}
	if absolute && filepath.IsAbs(strings.TrimPrefix(path, "/")) { // a drive
		path = path[1:]
	}
	return path, nil
}

package session

import (
	"errors"
	"fmt"
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// The names of a log in its session directory (docs/format.md §1.1).
const (
	PlainName = "session.jsonl"
	ZstdName  = "session.jsonl.zstd"
)

// noProject is the project directory of sessions without a working directory.
const noProject = "_no-cwd"

// maxProject is the number of characters that a project name keeps of the
// encoded working directory: 255, a file system's usual limit, less the four
// dashes around it.
const maxProject = 251

// ErrNoName says that a session id or working directory cannot name a path.
var ErrNoName = errors.New("cannot name a storage path")

// EncodeID returns the name of the directory of the session with the given id,
// a WTF-8 string: every UTF-16 unit outside A-Z a-z 0-9 . _ - becomes ~XXXX
// (docs/format.md §7.1). An empty id gives [ErrNoName].
func EncodeID(id string) (string, error) {
	switch id {
	case "":
		return "", ErrNoName
	case ".":
		return "~002E", nil
	case "..":
		return "~002E~002E", nil
	}
	var b strings.Builder
	for _, u := range jsjson.AppendUTF16(nil, id) {
		writeUnit(&b, u)
	}
	return b.String(), nil
}

// DecodeID reverses [EncodeID]. The second result is false when name is not
// what EncodeID returns for any id.
func DecodeID(name string) (string, bool) {
	var quoted []byte // the id as a JSON string, which can spell lone surrogates
	quoted = append(quoted, '"')
	for i := 0; i < len(name); i++ {
		if name[i] != '~' {
			quoted = append(quoted, name[i])
			continue
		}
		if i+5 > len(name) {
			return "", false
		}
		quoted = append(append(quoted, `\u`...), name[i+1:i+5]...)
		i += 4
	}
	quoted = append(quoted, '"')
	var doc jsjson.Doc
	if doc.Parse(quoted) != nil {
		return "", false
	}
	id := doc.Root.Text()
	again, err := EncodeID(id)
	return id, err == nil && again == name
}

// ProjectKey returns the name of the project directory for the cwd member of a
// header (docs/format.md §7.2). Different directories may share a name. A cwd
// for which dsh itself finds no name gives [ErrNoName].
func ProjectKey(cwd jsjson.Value) (string, error) {
	switch cwd.Kind {
	case jsjson.Absent:
		return noProject, nil
	case jsjson.Null, jsjson.Array:
		return "", ErrNoName
	case jsjson.String:
		return projectKey(cwd.Text())
	}
	return "--root--", nil // a number, boolean or object has no characters to encode
}

func projectKey(cwd string) (string, error) {
	if cwd == "" {
		return "", ErrNoName
	}
	var b strings.Builder
	separator := false
	for _, u := range jsjson.AppendUTF16(nil, cwd) {
		if u == '/' || u == '\\' || u == ':' {
			separator = true
			continue
		}
		if separator {
			b.WriteByte('-')
			separator = false
		}
		writeUnit(&b, u)
	}
	if separator {
		b.WriteByte('-')
	}
	key := strings.TrimLeft(b.String(), "-")
	if key == "" {
		key = "root"
	}
	return "--" + key[:min(len(key), maxProject)] + "--", nil
}

// writeUnit writes one UTF-16 unit, escaped unless it is in the safe set.
func writeUnit(b *strings.Builder, u uint16) {
	if u < 0x80 && (isLetter(byte(u)) || '0' <= u && u <= '9' || u == '.' || u == '_' || u == '-') {
		b.WriteByte(byte(u))
		return
	}
	fmt.Fprintf(b, "~%04X", u)
}

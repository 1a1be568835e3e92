package session

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// Header is the first record of a log: who the session is (docs/format.md §2.1).
// Members that only the build of a session checks are kept as they stand.
type Header struct {
	ID              string // WTF-8: an id may hold lone surrogates
	Version         float64
	CreatedAt       int64 // epoch ms
	DelegationDepth int64

	CWD           jsjson.Value
	ParentSession jsjson.Value
	SeedLength    jsjson.Value
	Origin        jsjson.Value
	AgentPreset   jsjson.Value

	// Seeded says that the log begins with the events of another session. Headers
	// say so from format v2 on (docs/generations.md §1.2).
	Seeded bool
}

// ParseHeader reads a header record, without its LF, as dsh 0.1.1-rc.2 does; see
// [ParseFirst].
func ParseHeader(line []byte) (*Header, *Refusal) { return ParseFirst(line, Version) }

// ParseFirst reads a header record, without its LF, for format v0 or v1, which
// have the same headers, in the order of dsh's own checks: JSON, version, shape,
// retired members. On a refusal the header holds what could be read of it, so that
// a report can still name the session. Unlike an event, the header keeps its own
// copy of the line.
func ParseFirst(line []byte, generation int64) (*Header, *Refusal) {
	var doc jsjson.Doc
	h := &Header{}
	if doc.Parse(bytes.Clone(line)) != nil {
		return h, Refuse("corrupt session log: header line is not valid JSON")
	}
	version := doc.Get("version")
	h.ID = doc.Get("id").Text()
	h.Version = version.Float()
	if version.Kind == jsjson.Number && h.Version != float64(generation) {
		return h, &Refusal{ClassUnsupported, otherVersion(doc.Get("id").JSString(), version, generation)}
	}
	if !h.readShape(&doc) {
		return h, Refuse("corrupt session log: first line is not a session header")
	}
	return h, retired(&doc)
}

// ParseListed parses a header record, without its LF, as dsh does to list
// sessions (docs/format.md §1.1): any number will do as the version, and what is
// no header is passed over, for which the header is nil. A refusal makes the
// listing of all sessions fail.
func ParseListed(line []byte) (*Header, *Refusal) {
	var doc jsjson.Doc
	h := &Header{}
	if doc.Parse(bytes.Clone(line)) != nil || !h.readShape(&doc) {
		return nil, nil
	}
	h.ID, h.Version = doc.Get("id").Text(), doc.Get("version").Float()
	return h, retired(&doc)
}

// retired refuses a header with members of the policy that headers once held.
func retired(doc *jsjson.Doc) *Refusal {
	if doc.Get("sandboxMode").Exists() || doc.Get("approvalPolicy").Exists() {
		return Refuse("session header uses retired policy baseline fields")
	}
	return nil
}

// otherVersion is what a dsh of one generation says of a log of another one.
func otherVersion(id string, version jsjson.Value, own int64) string {
	if version.Float() > float64(own) {
		return fmt.Sprintf("session \"%s\" uses log format v%s, but this harness reads only v%d: "+
			"the log was written by a newer harness — upgrade the harness to open it", id, version.JSString(), own)
	}
	return fmt.Sprintf("session \"%s\" uses log format v%s, older than the supported v%d, "+
		"and this build ships no upgrade path for it", id, version.JSString(), own)
}

// readShape fills h and reports whether the record has the shape of a header.
func (h *Header) readShape(doc *jsjson.Doc) bool {
	h.CWD = doc.Get("cwd")
	h.ParentSession = doc.Get("parentSession")
	h.SeedLength = doc.Get("seedLength")
	h.Origin = doc.Get("origin")
	h.AgentPreset = doc.Get("agentPreset")
	created, createdOK := count(doc.Get("createdAt"))
	depth, depthOK := count(doc.Get("delegationDepth"))
	h.CreatedAt, h.DelegationDepth = created, depth

	return doc.Root.Kind == jsjson.Object &&
		doc.Get("type").EqualText("session") &&
		doc.Get("version").Kind == jsjson.Number &&
		doc.Get("id").Kind == jsjson.String &&
		createdOK && depthOK &&
		(!h.Origin.Exists() || h.Origin.EqualText("subagent")) &&
		(!h.AgentPreset.Exists() || h.AgentPreset.Kind == jsjson.String)
}

// count reads a safe integer that is neither negative nor -0.
func count(v jsjson.Value) (int64, bool) {
	n, ok := v.SafeInt()
	return n, ok && n >= 0 && !v.NegZero()
}

// CheckBuild runs the header checks of the session constructor that can fail
// after a clean read, and returns dsh's message for the first that does, or "".
func (h *Header) CheckBuild() string {
	if h.CWD.Exists() {
		if h.CWD.Kind != jsjson.String {
			return "session header cwd must be a string"
		}
		if cwd := h.CWD.Text(); !absolute(cwd, runtime.GOOS) {
			return `session header cwd must be an absolute path, got "` + cwd + `"`
		}
	}
	if h.ParentSession.Exists() && h.ParentSession.Kind != jsjson.String {
		return "session header parentSession must be a string"
	}
	if h.SeedLength.Exists() {
		if n, ok := h.SeedLength.SafeInt(); !ok || n < 0 {
			return "session header seedLength must be a non-negative safe integer"
		}
	}
	return ""
}

// IsAbsolute reports whether dsh takes a path for absolute on this system.
func IsAbsolute(path string) bool { return absolute(path, runtime.GOOS) }

// absolute is path.isAbsolute of Node.js on the given system.
func absolute(path, goos string) bool {
	if goos != "windows" {
		return strings.HasPrefix(path, "/")
	}
	if strings.HasPrefix(path, "/") || strings.HasPrefix(path, `\`) {
		return true
	}
	return len(path) > 2 && isLetter(path[0]) && path[1] == ':' && (path[2] == '/' || path[2] == '\\')
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

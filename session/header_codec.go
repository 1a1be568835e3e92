package session

import (
	"bytes"
	"fmt"
	"runtime"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// headerKeys are the members of a header in the order in which dsh looks for
// them; the required ones first.
type headerKeys struct {
	required, optional []string
}

var (
	// Formats v0 and v1 have the length of an inherited start in the header.
	firstHeaderKeys = headerKeys{
		[]string{"type", "version", "id", "createdAt", "delegationDepth"},
		[]string{"seedLength", "cwd", "parentSession", "origin", "agentPreset"},
	}
	// Later ones say only whether there is one.
	laterHeaderKeys = headerKeys{
		[]string{"type", "version", "id", "createdAt", "delegationDepth", "isSeeded"},
		[]string{"cwd", "parentSession", "origin", "agentPreset"},
	}
)

// HeaderFault returns what dsh's codec of a generation, at most [Newest], says of
// a header that is not one of that generation, or "" (docs/generations.md §1.2).
// The members that the codecs of v3 and v4 share with v2 are refused as those of
// v2.
func HeaderFault(doc *jsjson.Doc, generation int64) string {
	name := fmt.Sprintf("v%d", min(generation, 2))
	switch {
	case !lossless(doc) && generation == 3:
		return "format v3 physical header is not lossless JSON"
	case !lossless(doc):
		return "released " + name + " physical header is not lossless JSON"
	}
	if fault := headerKeysFault(doc, generation); fault != "" {
		return "released " + name + " physical header " + fault
	}
	if !doc.Get("type").EqualText("session") {
		return "expected released " + name + " physical Session header"
	}
	if fault := headerValuesFault(doc); fault != "" {
		return "released " + name + " header " + fault
	}
	if cwd := doc.Get("cwd"); cwd.Exists() && !absolute(cwd.Text(), runtime.GOOS) {
		return "format " + name + " header cwd must be absolute"
	}
	return ""
}

// lossless reports whether JSON can hold the values that JavaScript read.
func lossless(doc *jsjson.Doc) bool {
	return !doc.Features.Has(jsjson.NegativeZero) && !doc.Features.Has(jsjson.NumberOverflow)
}

func headerKeysFault(doc *jsjson.Doc, generation int64) string {
	keys, lacks, unexpected := laterHeaderKeys, "lacks %s", "has unexpected field %s"
	if generation < 2 {
		keys, lacks, unexpected = firstHeaderKeys, `lacks required member "%s"`, `has unexpected member "%s"`
	}
	return KeysFault(doc.Root, keys.required, keys.optional, lacks, unexpected)
}

// KeysFault checks that an object has the required members and none but these and
// the optional ones. It returns the text for the first required member that is
// missing, else for the first member of the object that is neither, or "". The
// formats get the name of the member.
func KeysFault(object jsjson.Value, required, optional []string, lacks, unexpected string) string {
	for _, key := range required {
		if !object.Has(key) {
			return fmt.Sprintf(lacks, key)
		}
	}
	for _, m := range object.OwnMembers(nil) {
		if !oneOf(m.Key, required) && !oneOf(m.Key, optional) {
			return fmt.Sprintf(unexpected, m.Key.Text())
		}
	}
	return ""
}

func oneOf(key jsjson.Value, names []string) bool {
	for _, name := range names {
		if key.EqualText(name) {
			return true
		}
	}
	return false
}

// headerValuesFault checks the kinds of the members in the order of dsh.
func headerValuesFault(doc *jsjson.Doc) string {
	for _, key := range []string{"createdAt", "delegationDepth", "seedLength"} {
		if v := doc.Get(key); v.Exists() {
			if _, ok := count(v); !ok {
				return key + " must be a non-negative safe integer"
			}
		}
	}
	if seeded := doc.Get("isSeeded"); seeded.Exists() && seeded.Kind != jsjson.True && seeded.Kind != jsjson.False {
		return "isSeeded must be boolean"
	}
	for _, key := range []string{"id", "cwd", "parentSession", "agentPreset"} {
		if v := doc.Get(key); v.Exists() && v.Kind != jsjson.String {
			return key + " must be a string"
		}
	}
	if origin := doc.Get("origin"); origin.Exists() && !origin.EqualText("subagent") {
		return `origin must be "subagent"`
	}
	return ""
}

// ParseGeneration reads a header record, without its LF, as a dsh does whose own
// format has the given version, from 2 on (docs/generations.md §1.2). On a refusal
// the header holds what could be read of it, as that of [ParseHeader].
func ParseGeneration(line []byte, generation int64) (*Header, *Refusal) {
	var doc jsjson.Doc
	h := &Header{}
	if doc.Parse(bytes.Clone(line)) != nil {
		return h, Refuse("corrupt session log: header line is not valid JSON")
	}
	h.readLater(&doc)
	version := doc.Get("version")
	switch {
	case doc.Root.Kind != jsjson.Object:
		return h, Refuse("corrupt session log: first line is not a JSON object")
	case version.Kind == jsjson.Number && h.Version != float64(generation):
		return h, &Refusal{ClassUnsupported, otherVersion(doc.Get("id").JSString(), version, generation)}
	}
	if refusal := retired(&doc); refusal != nil {
		return h, refusal
	}
	if version.Kind != jsjson.Number || !ownHeader(&doc, generation) {
		return h, Refuse("corrupt session log: first line is not a session header")
	}
	return h, nil
}

// ownHeader reports whether a header is one of the generation. Nobody knows what
// a fork has added to those of its own.
func ownHeader(doc *jsjson.Doc, generation int64) bool {
	if generation > Newest {
		return doc.Get("type").EqualText("session") && doc.Get("id").Kind == jsjson.String
	}
	return HeaderFault(doc, generation) == ""
}

// Foreign returns the refusal of a dsh of the newest known generation for a log
// of the header's, which is a later one.
func (h *Header) Foreign() *Refusal {
	return h.Unsupported(Newest)
}

// Unsupported returns the refusal of a dsh of the given generation for a log of the
// header's, nil when that is the same.
func (h *Header) Unsupported(own int64) *Refusal {
	if h.Version == float64(own) {
		return nil
	}
	version := jsjson.NewValue(jsjson.Number, jsjson.AppendNumber(nil, h.Version))
	return &Refusal{ClassUnsupported, otherVersion(h.ID, version, own)}
}

// ParseMigrated reads a header record, without its LF, as a newer dsh does that
// takes the log, a file of the given generation by its name, for a migration.
func ParseMigrated(line []byte, generation int64) (*Header, *Refusal) {
	var doc jsjson.Doc
	h := &Header{}
	if doc.Parse(bytes.Clone(line)) != nil {
		return h, Refuse("corrupt session log: header line is not valid JSON")
	}
	h.readLater(&doc)
	version, ok := count(doc.Get("version"))
	switch {
	case doc.Root.Kind != jsjson.Object:
		return h, Refuse("corrupt session log: first line is not a JSON object")
	case !ok:
		return h, Refuse("corrupt session log: header version is not a non-negative safe integer")
	case version != generation:
		return h, Refuse(fmt.Sprintf("resolved JSONL source filename identifies v%d, but its header identifies v%d", generation, version))
	}
	if fault := HeaderFault(&doc, generation); fault != "" {
		return h, &Refusal{ClassFormat, fault}
	}
	return h, nil
}

// readLater fills h with the members that a later header has, of any kind.
func (h *Header) readLater(doc *jsjson.Doc) {
	h.readShape(doc)
	h.ID, h.Version = doc.Get("id").Text(), doc.Get("version").Float()
	h.Seeded = doc.Get("isSeeded").Kind == jsjson.True
}

package session

import (
	"bytes"
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// HeaderStatus is what a dsh that lists sessions thinks of a header
// (docs/generations.md §1.4).
type HeaderStatus string

// The statuses. Sessions with one of the last three are left out of the list.
const (
	HeaderCurrent     HeaderStatus = "current"
	HeaderMigrates    HeaderStatus = "migration-required"
	HeaderUnsupported HeaderStatus = "unsupported"
	HeaderMalformed   HeaderStatus = "malformed"
	HeaderUnparsable  HeaderStatus = "unparsable"
)

// Listing is how a header looks to a dsh that lists sessions.
type Listing struct {
	Status HeaderStatus
	// Version is the format version of the header, -1 where it has none.
	Version int64
	// Reason is what dsh's catalog says of a header that it does not take.
	Reason string
	// Refusal makes the listing of all sessions fail. It can stand beside any status.
	Refusal *Refusal
}

// ListGeneration lists the header record of a log, without its LF, as the dsh
// does whose own format version is own. named is the generation in the name of
// the log.
func ListGeneration(line []byte, named, own int64) Listing {
	var doc jsjson.Doc
	if doc.Parse(bytes.Clone(line)) != nil {
		return Listing{Status: HeaderUnparsable, Version: -1}
	}
	version, ok := count(doc.Get("version"))
	switch {
	case doc.Root.Kind != jsjson.Object:
		return Listing{HeaderMalformed, -1, "Session header must be a JSON object", nil}
	case !ok:
		return Listing{HeaderMalformed, -1, "Session format version must be a non-negative safe integer", nil}
	}
	l := Listing{Version: version, Refusal: retired(&doc)}
	if l.Refusal == nil && version != named {
		l.Refusal = Refuse(fmt.Sprintf("session generation filename identifies v%d, but its header identifies v%d", named, version))
	}
	l.Status, l.Reason = headerStatus(&doc, version, own)
	return l
}

func headerStatus(doc *jsjson.Doc, version, own int64) (HeaderStatus, string) {
	if version > own {
		return HeaderUnsupported, fmt.Sprintf("stored Session uses newer format v%d; this build writes v%d", version, own)
	}
	if fault := HeaderFault(doc, version); fault != "" {
		return HeaderMalformed, fault
	}
	if version < own {
		return HeaderMigrates, ""
	}
	return HeaderCurrent, ""
}

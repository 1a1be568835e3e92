package session

import (
	"strconv"
	"strings"
)

// LogName is what the name of a log in its session directory says
// (docs/generations.md §1).
type LogName struct {
	Generation int64 // version of the format; 0 has no number in the name
	Zstd       bool
}

const zstdSuffix = ".zstd"

// ParseLogName returns what a name such as "session.v4.jsonl.zstd" says. ok is
// false when it is not exactly one that dsh gives: v0, leading zeros, capitals
// and numbers that are no safe integers are not.
func ParseLogName(name string) (n LogName, ok bool) {
	name, n.Zstd = strings.CutSuffix(name, zstdSuffix)
	if name == PlainName {
		return n, true
	}
	number, prefixed := strings.CutPrefix(name, "session.v")
	number, suffixed := strings.CutSuffix(number, ".jsonl")
	generation, err := strconv.ParseInt(number, 10, 64)
	if !prefixed || !suffixed || err != nil || generation < 1 || generation > maxSafe ||
		strconv.FormatInt(generation, 10) != number {
		return LogName{}, false
	}
	n.Generation = generation
	return n, true
}

// String returns the name.
func (n LogName) String() string {
	name := PlainName
	if n.Generation > 0 {
		name = "session.v" + strconv.FormatInt(n.Generation, 10) + ".jsonl"
	}
	if n.Zstd {
		name += zstdSuffix
	}
	return name
}

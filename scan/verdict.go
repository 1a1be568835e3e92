package scan

import (
	"bytes"

	"github.com/turnlint/turnlint/session"
)

// verdict sums up a reading (docs/format.md §8). isLog says that the file is a
// session log at all, intact that dsh refuses it although its bytes and order are
// as its writer meant them.
func (r *Reading) verdict(c *Container, isLog, intact bool) Verdict {
	refusal := r.Refusal()
	switch {
	case !isLog:
		return Unreadable
	case refusal != nil && intact:
		return Incompatible
	case refusal != nil, r.Bricks, r.Spent:
		return Damaged
	case r.Dropped > 0, c.Hidden.Found:
		return Loses
	case r.Scan.Torn, len(r.Closers) > 0:
		return Recovers
	}
	return Opens
}

// isLog reports whether the file is a session log at all, whole or not: it has
// something like a header or an event, or is a zstd file whose text cannot be seen.
func isLog(c *Container, logLike bool) bool {
	return logLike || c.Encoding == Zstd && c.Size > 0 && c.TextLen == 0
}

// headerStart is how dsh starts every log.
var headerStart = []byte(`{"type":"session"`)

// startsLog reports whether text starts like a header, or is the start of one.
func startsLog(text []byte) bool {
	return len(text) > 0 && (bytes.HasPrefix(text, headerStart) || bytes.HasPrefix(headerStart, text))
}

// intact reports whether dsh refuses a log whose bytes and order are as its
// writer meant them: written for another reader, or with retired vocabulary.
func (m *Model) intact(refusal *session.Refusal) bool {
	if refusal == nil || refusal.Class == session.ClassUnsupported {
		return true
	}
	return m.scan.fatal == nil && m.scan.headerErr == nil && m.load.first != nil && m.load.first.Legacy
}

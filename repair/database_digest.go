package repair

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// eventsDigest hashes the canonical texts of events, each with its LF and its members in
// the order of a database: a log and a database with the same events have the same
// digest, whichever order the log has, and however its events are packed.
type eventsDigest struct {
	hash   hash.Hash
	events int64
	text   []byte
}

func newEventsDigest() *eventsDigest { return &eventsDigest{hash: sha256.New()} }

// add takes the events of a record.
func (d *eventsDigest) add(r *scan.Record) {
	switch r.Kind {
	case scan.Event:
		d.text = append(appendOrdered(d.text[:0], &r.Event), '\n')
		d.hash.Write(d.text)
	case scan.Row:
		for member := range r.Row.Events() {
			d.text = append(append(d.text[:0], member...), '\n')
			d.hash.Write(d.text)
		}
	default:
		return
	}
	d.events += r.Events()
}

// sum returns the SHA-256 in lower-case hex.
func (d *eventsDigest) sum() string { return hex.EncodeToString(d.hash.Sum(nil)) }

// digestOfEvents returns the digest of all events of a reader.
func digestOfEvents(r *scan.Reader) (*eventsDigest, error) {
	d := newEventsDigest()
	for record := range r.Records() {
		d.add(record)
	}
	return d, r.Err()
}

// appendOrdered appends the canonical text of an event with its members in the order in
// which a database gives them (docs/format.md §10.3), and behind them those that a
// database has no columns for.
func appendOrdered(dst []byte, e *session.Event) []byte {
	dst = append(dst, '{')
	for _, m := range []struct {
		key   string
		value jsjson.Value
	}{
		{"type", e.Type},
		{"seq", e.Seq},
		{"time", e.Time},
		{"data", e.Data},
		{"sourceEventSeqs", e.Sources},
		{"surfaceOp", e.Surface},
		{"ignorable", e.Ignorable},
	} {
		if m.value.Exists() {
			dst = append(append(append(dst, '"'), m.key...), `":`...)
			dst = append(jsjson.AppendCanonical(dst, m.value), ',')
		}
	}
	if e.Foreign.Exists() {
		dst = appendForeign(dst, e)
	}
	return append(dst[:len(dst)-1], '}') // every event has a type
}

// appendForeign appends the members that no envelope has, with a comma behind each.
func appendForeign(dst []byte, e *session.Event) []byte {
	for c := e.Root.Inside(); c.More(); c.Next() {
		if !session.IsEnvelopeKey(c.Key()) {
			dst = append(jsjson.AppendCanonical(dst, c.Key()), ':')
			dst = append(jsjson.AppendCanonical(dst, c.Value()), ',')
		}
	}
	return dst
}

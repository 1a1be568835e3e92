package scan

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// digest is the SHA-256 of events: their JSON.stringify texts joined with LF. A
// nil digest takes events and has no sum, for readings that need none.
type digest struct {
	h    hash.Hash
	buf  []byte
	some bool
}

func newDigest() *digest { return &digest{h: sha256.New()} }

// add takes the events of an accepted record, the members of a row one by one.
func (d *digest) add(r *Record) {
	if d == nil {
		return
	}
	if r.Kind != Row {
		d.addEvent(&r.Event)
		return
	}
	for text := range r.Row.Events() {
		d.addText(text)
	}
}

func (d *digest) addEvent(e *session.Event) {
	if d == nil {
		return
	}
	d.buf = jsjson.AppendCanonical(d.buf[:0], e.Root)
	d.addText(d.buf)
}

// addText takes the canonical text of one event.
func (d *digest) addText(text []byte) {
	if d == nil {
		return
	}
	if d.some {
		d.h.Write([]byte{'\n'})
	}
	d.some = true
	d.h.Write(text)
}

// sum returns the digest as lower-case hex, "" of a nil digest.
func (d *digest) sum() string {
	if d == nil {
		return ""
	}
	return hex.EncodeToString(d.h.Sum(nil))
}

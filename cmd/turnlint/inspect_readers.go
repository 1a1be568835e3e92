package main

import (
	"bytes"

	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/session"
)

// readersJSON is what one version of dsh of each format makes of a log, by the
// name of the version. It is an object with the oldest version first.
type readersJSON []rules.VersionReading

// openedJSON is the answer of a version that opens the log.
type openedJSON struct {
	OK bool `json:"ok"`
	// EventCount counts the events before the closers, which a harness of v2 or later
	// appends only when it goes on with the session, and 0.1.1 on every load.
	EventCount int64 `json:"eventCount"`
}

func newReaders(in *inspection) *readersJSON {
	if len(in.readers) == 0 {
		return nil
	}
	return (*readersJSON)(&in.readers)
}

// MarshalJSON implements json.Marshaler.
func (r *readersJSON) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := range *r {
		v := &(*r)[i]
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + v.Version.ShortName() + `":`)
		if err := encode(&b, readerAnswer(v)); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func readerAnswer(v *rules.VersionReading) any {
	if refusal := v.Refusal(); refusal != nil {
		return newRefusal(refusal)
	}
	if v.Version.Generation == session.Version {
		return &openedJSON{true, v.Load.Events}
	}
	return &openedJSON{true, v.Scan.Events}
}

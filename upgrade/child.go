package upgrade

import (
	"bytes"
	"io"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// maxDescriptor bounds the bytes of a description that is kept. dsh writes some
// hundred.
const maxDescriptor = 1 << 20

// ReadChild returns what the log of a sub-agent in the first size bytes of src
// tells about it. h is the header of the log and name its name. An error means
// that src could not be read; a log that dsh could not read is a Fault of the
// child.
func ReadChild(src io.ReaderAt, size int64, name session.LogName, h *session.Header) (Child, error) {
	child := Child{ID: h.ID, CreatedAt: h.CreatedAt}
	encoding := scan.Plain
	if name.Zstd {
		encoding = scan.Zstd
	}
	reader, err := scan.NewReader(src, size, scan.Options{Encoding: encoding})
	if err != nil {
		return child, err
	}
	model := childModel(name.Generation)
	for r := range reader.Records() {
		if model.Add(r) && r.Kind == scan.Event && r.Event.Kind == session.SubagentDescriptor {
			child.describedBy(r.Event.Data)
		}
	}
	if refusal := model.Reading(reader.Container()).Scan.Refusal; refusal != nil {
		child.Fault, child.Descriptors, child.Descriptor = jsjson.ToValidUTF8(refusal.Text), 0, nil
	}
	return child, reader.Err()
}

// childModel returns the reader of a generation that decodes the events as they
// are stored.
func childModel(generation int64) interface {
	Add(r *scan.Record) bool
	Reading(c *scan.Container) *scan.Reading
} {
	opt := scan.ModelOptions{Generation: generation, Bounded: true}
	if generation < 2 {
		return scan.NewModel(opt)
	}
	return scan.NewNative(generation, scan.Restore{Migrates: generation < int64(Latest)}, opt)
}

func (c *Child) describedBy(descriptor jsjson.Value) {
	c.Descriptors++
	if len(descriptor.Raw()) <= maxDescriptor {
		c.Descriptor = bytes.Clone(descriptor.Raw())
	}
}

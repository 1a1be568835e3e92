package lifecycle

import (
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// unknown refuses an event whose type the generation does not know. The rules of
// v3 are those of v2 and say so.
func (c *Checker) unknown() *Violation {
	generation := c.target
	if generation == 3 {
		generation = 2
	}
	return c.failAs(session.ClassMigration, "format v%d contains unknown event type \"%s\" at seq %d",
		generation, jsjson.ToValidUTF8(c.e.Type.Text()), c.seq)
}

// envelope is the pass of v2 and v3 over the members of the envelope and the kind
// of the payload.
func (c *Checker) envelope() *Violation {
	if c.target == 4 {
		return nil
	}
	e := c.e
	foreign := jsjson.ToValidUTF8(e.Foreign.Text())
	surface := c.typ.Surface()
	_, timed := e.Time.SafeInt()
	switch {
	case e.Foreign.Exists():
		return c.fail("format v2 event %d has unexpected field %s", c.seq, foreign)
	case e.Surface.Exists() && !surface:
		return c.fail("format v2 event %d has unexpected field surfaceOp", c.seq)
	case e.Sources.Exists() && !surface:
		return c.fail("format v2 event %d has unexpected field sourceEventSeqs", c.seq)
	case !e.Time.Exists():
		return c.fail("format v2 event %d lacks required field time", c.seq)
	case !timed:
		return c.fail("format v2 event %d time must be a safe integer", c.seq)
	case e.Data.Kind != jsjson.Object:
		return c.fail("%s %d data must be a JSON object", c.name(), c.seq)
	}
	return nil
}

package scan

import (
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// StoredCheck is the check that dsh makes of all events before it opens a log of
// a format from v2 on, be they read as they are or migrated: first the vocabulary,
// then each event alone (docs/generations.md §2.5).
type StoredCheck struct{ stored stored }

// NewStoredCheck returns the check of a log of a generation that has seen no
// event. The id of the session is in WTF-8.
func NewStoredCheck(id string, generation int64) *StoredCheck {
	return &StoredCheck{stored{id: jsjson.ToValidUTF8(id), generation: generation}}
}

// Event takes the next event, whose Kind is that of the generation, and reports
// whether the refusal is now one for this event.
func (c *StoredCheck) Event(e *session.Event, seq int64) bool {
	before := c.stored.first
	c.stored.event(e, seq, Place{})
	return c.stored.first != before
}

// Refusal returns what dsh says of the events, without the path of the log; nil
// when it opens them.
func (c *StoredCheck) Refusal() *session.Refusal { return c.stored.refusal("") }

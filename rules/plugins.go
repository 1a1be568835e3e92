package rules

import (
	"slices"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// plugins follows what events of plugins do to each other.
type plugins struct {
	brackets   brackets
	compaction compaction
	inbox      inbox
	moved      bool // by the last event
}

// movesPlugins has the types of the events that the plugins follow.
var movesPlugins = func() (moves [256]bool) {
	for _, kind := range pairedTypes() {
		moves[kind] = true
	}
	for _, kind := range []session.Type{
		session.EndSeed, session.InboxSpliced,
		session.CompactionStart, session.CompactionSummary, session.CompactionPrune, session.CompactionEnd,
	} {
		moves[kind] = true
	}
	return moves
}()

// event takes an event. Where neither it nor the one before is of the plugins, there
// is nothing to follow and nothing of the one before to forget.
func (g *plugins) event(r *scan.Record, e *session.Event) {
	moves := movesPlugins[e.Kind]
	if !moves && !g.moved {
		return
	}
	g.brackets.event(r, e)
	g.compaction.event(r, e)
	g.inbox.event(e)
	g.moved = moves || g.compaction.flaw != ""
}

// drift notes that events may be missing.
func (g *plugins) drift() {
	g.brackets.drift()
	g.compaction = compaction{}
	g.inbox.lost = true
}

// compaction is the compaction that is open, of which there is one at most.
type compaction struct {
	open      bool
	id        jsjson.Digest
	place     scan.Place
	summaries int

	flaw   string // of the current event, "" for none
	pruned bool   // the last event was a compaction/prune
}

// event takes an event and finds what is out of order (docs/format.md §6.5).
func (c *compaction) event(r *scan.Record, e *session.Event) {
	c.flaw = ""
	if c.pruned && !replaces(e) {
		c.flaw = "compaction/prune is not followed at once by the replacement"
	}
	c.pruned = e.Kind == session.CompactionPrune
	switch e.Kind {
	case session.EndSeed:
		*c = compaction{flaw: c.flaw}
	case session.CompactionStart:
		if c.open {
			c.flaw = "compaction/start while another compaction is open"
		}
		*c = compaction{open: true, id: e.Field("compactionId").Digest(), place: r.Place, flaw: c.flaw}
	case session.CompactionSummary:
		c.summaries++
		if c.is(e) && c.summaries > 1 {
			c.flaw = "compaction/summary for the second time"
		}
	case session.CompactionEnd:
		if c.is(e) && c.summaries == 0 && !e.Field("error").Exists() {
			c.flaw = "compaction/end without error and without summary"
		}
		*c = compaction{flaw: c.flaw}
	}
}

// is reports whether an event is of the open compaction, and finds it a flaw if
// it is of another.
func (c *compaction) is(e *session.Event) bool {
	if c.open && c.id != e.Field("compactionId").Digest() {
		c.flaw = "compactionId is another than that of the open compaction"
		return false
	}
	return c.open
}

// replaces reports whether an event replaces others on the surface.
func replaces(e *session.Event) bool { return e.Surface.Get("op").EqualText("replace") }

// inbox follows the lengths of the lists of waiting messages, which the agent
// replays when it takes up a session.
type inbox struct {
	length [len(inboxTargets)]int64
	lost   bool // the lengths are unknown, since events are missing or malformed
	// of the current event, if it does not fit
	target       string
	start, count int64
	held         int64
}

var inboxTargets = [...]string{"next-turn", "next-step"}

func (b *inbox) event(e *session.Event) {
	b.target = ""
	if e.Kind != session.InboxSpliced || b.lost {
		return
	}
	target := slices.IndexFunc(inboxTargets[:], e.Field("target").EqualText)
	start, ok := e.Field("start").SafeInt()
	removed := e.Field("removedCount")
	count, counted := removed.SafeInt()
	if target < 0 || !ok || start < 0 || count < 0 || removed.Exists() && !counted {
		b.lost = true
		return
	}
	b.held = b.length[target]
	if start+count > b.held {
		b.target, b.start, b.count, b.lost = inboxTargets[target], start, count, true
		return
	}
	b.length[target] += int64(e.Field("inserted").Len()) - count
}

package lifecycle

import "github.com/turnlint/turnlint/internal/jsjson"

// compactions is the state of the open compaction, nil when there is none.
type compactions struct{ openCompaction *compaction }

type compaction struct {
	id, command, turn jsjson.Digest
	summarised        bool
}

func (c *Checker) compactionStart() *Violation {
	var bad *Violation
	turn := c.e.Turn()
	switch {
	case c.openCompaction != nil:
		bad = c.fail("compaction/start overlaps an open compaction")
	case c.turn == 0 && turn.Kind != jsjson.Null, c.turn != 0 && !isNumber(turn, c.turn):
		bad = c.fail("compaction/start does not match the open turn")
	}
	c.openCompaction = &compaction{
		id:      digest(c.e.Field("compactionId")),
		command: digest(c.e.Field("sourceCommandId")),
		turn:    digest(turn),
	}
	return bad
}

// crossesCompaction takes a turn boundary inside a compaction. That is what a
// crash leaves, and it is fine when a seed marker of the next process follows.
func (c *Checker) crossesCompaction() *Violation {
	if c.openCompaction != nil {
		c.unless(anySeed, c.fail("%s crosses an open compaction", c.name()))
	}
	return nil
}

// sameCompaction tells whether an id and a command are those of the open compaction.
func (c *Checker) sameCompaction(id, command jsjson.Value) bool {
	return c.openCompaction != nil &&
		c.openCompaction.id == digest(id) && c.openCompaction.command == digest(command)
}

func (c *Checker) compactionSummary() *Violation {
	switch {
	case !c.sameCompaction(c.e.Field("compactionId"), c.e.Field("sourceCommandId")):
		return c.fail("compaction/summary has no matching compaction/start")
	case c.openCompaction.summarised:
		return c.fail("compaction/summary repeats")
	}
	c.openCompaction.summarised = true
	return c.shadowedSpan()
}

// shadowedSpan checks that shadowedSeqs are a run of the current surface without
// its system head, and that shadowedRange are its ends.
func (c *Checker) shadowedSpan() *Violation {
	var seqs []int64
	exact := true
	for v := range c.e.Field("shadowedSeqs").Elements() {
		n, ok := v.SafeInt()
		exact = exact && ok
		seqs = append(seqs, n)
	}
	span := c.e.Field("shadowedRange")
	if !exact || len(seqs) == 0 || !isNumber(span.Get("start"), seqs[0]) ||
		!isNumber(span.Get("end"), seqs[len(seqs)-1]) || !c.isSpan(seqs) {
		return c.fail("%s shadowedSeqs do not name an exact current surface span", c.name())
	}
	return nil
}

func (c *Checker) compactionEnd() *Violation {
	open := c.openCompaction
	if !c.sameCompaction(c.e.Field("compactionId"), c.e.Field("sourceCommandId")) || open.turn != digest(c.e.Turn()) {
		return c.fail("compaction/end has no matching compaction/start")
	}
	c.openCompaction = nil
	c.add(relationPass, c.tentative[anySeed]) // the process that began it has ended it
	c.tentative[anySeed] = nil
	if !open.summarised && !c.e.Field("error").Exists() {
		return c.fail("successful compaction/end requires one summary")
	}
	return nil
}

// checkpoint checks a user message that takes the place of what a compaction
// summarises.
func (c *Checker) checkpoint(source jsjson.Value) *Violation {
	if c.e.Surface.EqualText("append") {
		return nil
	}
	of := "compact-checkpoint"
	if c.target < 4 {
		of = "plugin"
		if !source.Get("plugin").EqualText("compact") {
			return nil
		}
	}
	if !source.Get("kind").EqualText(of) || c.sameCompaction(source.Get("compactionId"), source.Get("sourceCommandId")) {
		return nil
	}
	if c.target == 4 {
		return c.fail("compaction checkpoint has no matching compaction/start")
	}
	return c.fail("compaction checkpoint at seq %d has no matching compaction/start", c.seq)
}

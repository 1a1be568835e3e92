package lifecycle

import (
	"slices"
	"strconv"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// commands is the state of the commands that the user has run.
type commands struct {
	run    map[string]bool // by id, WTF-8
	events []int64         // seqs of their events, ascending
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

func (c *Checker) commandRun() *Violation {
	c.events = append(c.events, c.seq)
	id := c.e.Field("commandId").JSString()
	if c.run[id] {
		return c.fail("command/run repeats commandId %s", id)
	}
	c.run[id] = true
	return nil
}

func (c *Checker) commandDone() *Violation {
	c.events = append(c.events, c.seq)
	id := c.e.Field("commandId").JSString()
	name := "command/done"
	if c.target < 4 {
		name += " " + id
	}
	if !c.run[id] {
		return c.fail("%s has no prior command/run", name)
	}
	source := c.e.Field("sourceEventSeq")
	if !source.Exists() {
		return nil
	}
	n, bad := c.earlier(source, "command sourceEventSeq")
	if bad != nil && c.target == 4 {
		return bad
	}
	_, ofCommand := slices.BinarySearch(c.events, n)
	if bad != nil || ofCommand || !c.e.Field("kind").EqualText("success") {
		return c.fail("%s has invalid sourceEventSeq", name)
	}
	return nil
}

// dispatches is the state of the calls that run inside another call.
type dispatches struct{ started map[string]*dispatch } // by id, WTF-8

type dispatch struct {
	root, parent string
	rest         [2]jsjson.Digest // name and arguments
	ended        bool
}

func (c *Checker) readDispatch() (id string, d *dispatch) {
	return c.e.Field("subCallId").JSString(), &dispatch{
		root:   c.e.Field("rootCallId").JSString(),
		parent: c.e.Field("parentCallId").JSString(),
		rest:   [2]jsjson.Digest{digest(c.e.Field("name")), digest(c.e.Field("arguments"))},
	}
}

// dispatchName returns how the texts name dispatches: v4 does not tell the start
// from the end.
func (c *Checker) dispatchName() string {
	if c.target == 4 {
		return "PTC dispatch"
	}
	return c.name()
}

func (c *Checker) dispatchStart() *Violation {
	if bad := c.inTurn(); bad != nil {
		return bad
	}
	id, d := c.readDispatch()
	if c.started[id] != nil {
		return c.fail("%s repeats subCallId %s", c.dispatchName(), id)
	}
	c.started[id] = d
	if d.parent == d.root {
		return nil
	}
	if parent := c.started[d.parent]; parent == nil || parent.root != d.root {
		return c.fail("%s changes its rootCallId", c.dispatchName())
	}
	return nil
}

func (c *Checker) dispatchEnd() *Violation {
	if bad := c.inTurn(); bad != nil {
		return bad
	}
	id, d := c.readDispatch()
	start := c.started[id]
	switch {
	case start == nil || start.ended:
		return c.fail("%s has no unique start", c.dispatchName())
	case start.root != d.root:
		return c.fail("%s changes its rootCallId", c.dispatchName())
	case start.parent != d.parent || start.rest != d.rest:
		return c.fail("%s does not match its start", c.dispatchName())
	}
	start.ended = true
	return nil
}

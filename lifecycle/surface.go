package lifecycle

import (
	"cmp"
	"iter"
	"slices"

	"github.com/turnlint/turnlint/internal/history"
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// surface is the history that the model sees.
type surface struct {
	nodes     history.Order
	began     bool       // there has been a surface event
	protected bool       // the first node is the system message that keeps its place
	cited     [][2]int64 // runs that the last replacement cites
}

// systemHead is the pass of v3: a system message stands in its step, and either
// is the protected head, replaces all of it, or leaves it alone.
func (c *Checker) systemHead() *Violation {
	if c.target != 3 || c.typ != session.SystemMessage {
		return nil
	}
	if c.step == 0 || !isNumber(c.e.Turn(), c.stepTurn) || !isNumber(c.e.Step(), c.step) {
		return c.fail("system/message does not match an open step")
	}
	if c.began && !c.protected {
		return c.fail("system/message requires a protected first surface head")
	}
	if c.protected && c.e.Surface.Kind == jsjson.Object {
		start, end := c.endpoints()
		head := int64(c.nodes.At(0))
		if isNumber(start, head) != isNumber(end, head) {
			return c.fail("system/message must replace exactly the current system head")
		}
	}
	return nil
}

// endpoints returns the ends of the span that the event replaces.
func (c *Checker) endpoints() (start, end jsjson.Value) {
	if c.target == 2 {
		return c.e.Surface.Get("start"), c.e.Surface.Get("end")
	}
	return c.e.Surface.Get("startSeq"), c.e.Surface.Get("endSeq")
}

// surfaceEvent takes the surface metadata of the event.
func (c *Checker) surfaceEvent() *Violation {
	if !c.typ.Surface() {
		return nil
	}
	system := c.typ == session.SystemMessage
	if c.target == 4 && system && c.began && !c.protected {
		return c.fail("system/message requires a protected first surface head")
	}
	op := c.e.Surface
	switch {
	case op.EqualText("append"):
		if !c.began {
			c.protected = system
		}
		c.began = true
		c.nodes.Append(uint32(c.seq))
		return nil
	case c.target == 4 && op.Kind != jsjson.Object:
		return c.fail("%s surfaceOp requires an object", c.name())
	case !op.Exists():
		return c.fail("%s requires a surfaceOp marker", c.surfaceName())
	}
	return c.replace(system)
}

// surfaceName returns the type as the rules of the surface name it: v3 hands them
// its system messages as user messages.
func (c *Checker) surfaceName() string {
	if c.target == 3 && c.typ == session.SystemMessage {
		return session.UserMessage.String()
	}
	return c.name()
}

// replace takes an event that replaces a span of the surface, which must spare
// the protected head unless a system message replaces just that.
func (c *Checker) replace(system bool) *Violation {
	first, last, found, bad := c.span()
	if bad != nil {
		return bad
	}
	if !found || last < first || c.protected && first == 0 && (last > 0 || !system) {
		return c.fail("%s replacement range is not on the current surface", c.surfaceName())
	}
	if c.target == 4 && c.e.Sources.Kind != jsjson.Array {
		bad = c.fail("replacement sourceEventSeqs requires an array")
	} else if !c.cites(c.nodes.Span(first, last)) {
		bad = c.uncited()
	}
	c.nodes.Replace(first, last, uint32(c.seq))
	return bad
}

// span returns the slots of the ends of the replaced span, and whether both are on
// the surface.
func (c *Checker) span() (first, last uint32, found bool, bad *Violation) {
	start, end := c.endpoints()
	if c.target == 4 {
		if _, bad = c.earlier(start, "replacement start"); bad != nil {
			return 0, 0, false, bad
		}
		if _, bad = c.earlier(end, "replacement end"); bad != nil {
			return 0, 0, false, bad
		}
	}
	first, startFound := c.slot(start)
	last, endFound := c.slot(end)
	return first, last, startFound && endFound, nil
}

func (c *Checker) slot(v jsjson.Value) (slot uint32, found bool) {
	n, ok := v.SafeInt()
	if !ok {
		return 0, false
	}
	return c.nodes.Find(n)
}

// cites tells whether the event cites all of some nodes. A row may spell a run of
// seqs as the pair of its ends.
func (c *Checker) cites(nodes iter.Seq[uint32]) bool {
	c.cited = c.cited[:0]
	for v := range c.e.Sources.Elements() {
		var ends [2]int64
		ends[0], _ = v.SafeInt()
		ends[1] = ends[0]
		n := 0
		for end := range v.Elements() {
			ends[min(n, 1)], _ = end.SafeInt()
			n++
		}
		c.cited = append(c.cited, ends)
	}
	slices.SortFunc(c.cited, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	for seq := range nodes {
		node := int64(seq)
		at, _ := slices.BinarySearchFunc(c.cited, node, func(run [2]int64, n int64) int { return cmp.Compare(run[1], n) })
		if at == len(c.cited) || node < c.cited[at][0] {
			return false
		}
	}
	return true
}

func (c *Checker) uncited() *Violation {
	if c.target == 4 {
		return c.fail("replacement sourceEventSeqs omit a shadowed surface node")
	}
	return c.fail("%s replacement sourceEventSeqs omit a shadowed surface node", c.surfaceName())
}

// isSpan tells whether seqs are a run of the surface that spares its head.
func (c *Checker) isSpan(seqs []int64) bool {
	first, found := c.nodes.Find(seqs[0])
	last, ends := c.nodes.Find(seqs[len(seqs)-1])
	if !found || !ends || c.protected && first == 0 {
		return false
	}
	rest := seqs
	for seq := range c.nodes.Span(first, last) {
		if len(rest) == 0 || int64(seq) != rest[0] {
			return false
		}
		rest = rest[1:]
	}
	return len(rest) == 0
}

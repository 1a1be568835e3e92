package lifecycle

import (
	"github.com/turnlint/turnlint/internal/jsjson"
)

// facts is the state of the facts about sub-agents that the log itself has: those
// of the session that it was forked from do not count.
type facts struct{ children map[string]bool } // by id, WTF-8

// catalog checks a fact about a sub-agent. Only v4 does.
func (c *Checker) catalog() *Violation {
	if c.target < 4 {
		return nil
	}
	if bad := c.catalogFact(); bad != nil {
		c.unless(cutMarker, bad)
		return nil
	}
	child := c.e.Field("childId").Text()
	if c.children[child] {
		c.unless(cutMarker, c.fail("duplicate catalog child %s", child))
	}
	c.children[child] = true
	return nil
}

func (c *Checker) catalogFact() *Violation {
	version, mode := c.e.Field("version"), c.e.Field("mode")
	fits := false
	switch {
	case !isNumber(version, 0) && !isNumber(version, 1):
	case mode.EqualText("continuable"):
		fits = c.e.Field("label").NonEmptyString()
	case mode.EqualText("one-shot"):
		fits = true
	case mode.EqualText("unknown"):
		fits = isNumber(version, 1)
	}
	if !fits || !c.e.Field("childId").NonEmptyString() {
		return c.fail("subagent/catalog requires a supported versioned catalog fact")
	}
	_, bad := c.natural(c.e.Field("childCreatedAt"), "catalog child creation time")
	return bad
}

// delivery checks a marker of this generation: it is about earlier events of this
// very session. One in front of the inherited cut may name the parent.
func (c *Checker) delivery() *Violation {
	if c.target == 4 && c.e.Data.Kind != jsjson.Object {
		return c.fail("delivery-accepted data must be an object")
	}
	version := c.e.Field("sessionFormatVersion")
	if !isNumber(version, int64(c.target)) {
		return nil
	}
	if n, ok := c.e.Field("throughSeq").SafeInt(); c.target == 4 && (!ok || n < 0 || n >= c.seq) {
		return c.fail("delivery throughSeq must precede its marker")
	}
	id := c.e.Field("sessionId")
	if id.NonEmptyString() && id.EqualText(c.header.ID) {
		return nil
	}
	bad := c.fail("current-generation delivery marker names the wrong Session")
	if c.header.Parent && id.NonEmptyString() {
		c.unless(cutMarker, bad)
		return nil
	}
	return bad
}

// developerMessage checks that a message which adds tools names the request
// header that defines them.
func (c *Checker) developerMessage() *Violation {
	for _, member := range []string{"turn", "step"} {
		what := "developer/message " + member
		switch n, bad := c.natural(c.e.Field(member), what); {
		case bad != nil:
			return bad
		case n == 0:
			return c.fail("%s must be positive", what)
		}
	}
	if bad := c.inStep(); bad != nil {
		return bad
	}
	var added []jsjson.Value
	for block := range c.e.Message().Content.Elements() {
		if block.Get("type").EqualText("tool-addition") {
			added = append(added, block.Get("toolName"))
		}
	}
	if len(added) > 0 {
		return c.additions(added)
	}
	if c.e.Field("headerSeq").Exists() {
		return c.fail("developer/message headerSeq requires a tool-addition")
	}
	return nil
}

func (c *Checker) additions(added []jsjson.Value) *Violation {
	seq, bad := c.earlier(c.e.Field("headerSeq"), "developer/message headerSeq")
	if bad != nil {
		return bad
	}
	tools, found := c.headers.at(seq)
	if !found {
		return c.fail("developer/message headerSeq must reference an earlier request/header")
	}
	for _, name := range added {
		if tools[name.Text()] != 1 {
			return c.fail("developer/message tool-addition %s must name exactly one tool in headerSeq %d", name.Stringify(), seq)
		}
	}
	return nil
}

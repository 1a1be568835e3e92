package lifecycle

import (
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// retries is the state of the requests to the model.
type retries struct {
	provider jsjson.Value // of the last request/header, absent before it
	chains   map[string]*chain
	pending  []attempt // scheduled and not started
}

// chain is the retries of one step under one policy.
type chain struct {
	id   jsjson.Digest // retryId
	last int64
}

// attempt is a retry that llm/retry schedules and llm/retry-started starts.
type attempt struct {
	id, turn, step jsjson.Digest
	number         int64
}

func (c *Checker) requestHeader() *Violation {
	if bad := c.inTurn(); bad != nil {
		return bad
	}
	header := c.e.Field("header")
	config := header.Get("config")
	switch {
	case c.target == 4:
		c.headers.add(c.seq, header)
		if config.Kind != jsjson.Object {
			return c.fail("request config requires an object")
		}
	case !header.Exists() || header.Kind == jsjson.Null:
		return c.cannotRead(header, "config")
	case !config.Exists() || config.Kind == jsjson.Null:
		return c.cannotRead(config, "provider")
	}
	c.provider = keep(config.Get("provider"))
	return nil
}

// cannotRead is the crash of the rules of v2 and v3 on a payload of another shape,
// in the words of V8.
func (c *Checker) cannotRead(v jsjson.Value, member string) *Violation {
	return c.failAs(session.ClassTypeError, "Cannot read properties of %s (reading '%s')", v.JSString(), member)
}

func (c *Checker) retry() *Violation {
	switch {
	case !c.atStep():
		return c.fail("llm/retry does not match the current turn and step")
	case !equal(c.e.Field("provider"), c.provider):
		return c.fail("llm/retry provider does not match the open request/header")
	}
	key := c.e.Turn().Stringify() + " " + c.e.Step().Stringify() + " " +
		c.e.Field("provider").Stringify() + " " + c.e.Field("policyKey").Stringify()
	id := digest(c.e.Field("retryId"))
	chained := c.chains[key]
	if chained == nil {
		chained = &chain{id: id}
		c.chains[key] = chained
	}
	chained.last++
	var bad *Violation
	if !isNumber(c.e.Field("retry"), chained.last) {
		if c.target == 4 {
			bad = c.fail("llm/retry skips its policy attempt sequence")
		} else {
			bad = c.fail("llm/retry must use retry %d", chained.last)
		}
		chained.last = adopt(c.e.Field("retry"), chained.last)
	} else if chained.id != id {
		bad = c.fail("llm/retry changes its retryId")
	}
	c.pending = append(c.pending, attempt{id, digest(c.e.Turn()), digest(c.e.Step()), chained.last})
	return bad
}

func (c *Checker) retryStarted() *Violation {
	id, turn, step := digest(c.e.Field("retryId")), digest(c.e.Turn()), digest(c.e.Step())
	for i, a := range c.pending {
		if a.id == id && a.turn == turn && a.step == step && isNumber(c.e.Field("retry"), a.number) {
			c.pending = append(c.pending[:i], c.pending[i+1:]...)
			return nil
		}
	}
	return c.fail("llm/retry-started pairs no prior scheduled attempt")
}

package lifecycle

import "github.com/turnlint/turnlint/internal/jsjson"

// turns is the state of turns and steps. Both count from 1; 0 means none.
type turns struct {
	turn, step         int64 // open ones
	lastTurn, lastStep int64 // the numbers given last; steps count per turn
	stepTurn           int64 // the turn that the open step names
}

func (c *Checker) turnStart() *Violation {
	n := c.e.Turn()
	expected := c.lastTurn + 1
	var bad *Violation
	switch {
	case c.turn == 0 && isNumber(n, expected):
		bad = c.crossesCompaction()
	case c.target == 4:
		bad = c.fail("turn/start does not open the expected turn")
	default:
		bad = c.fail("turn/start %s does not open expected turn %d", n.Stringify(), expected)
	}
	c.turn = adopt(n, expected)
	c.lastTurn, c.step, c.lastStep = c.turn, 0, 0
	return bad
}

func (c *Checker) turnEnd() *Violation {
	n := c.e.Turn()
	matches := c.turn != 0 && isNumber(n, c.turn)
	var bad *Violation
	switch {
	case matches && c.step == 0:
		if bad = c.unresolved("turn/end"); bad == nil {
			bad = c.crossesCompaction()
		}
	case c.target == 4:
		bad = c.fail("turn/end does not match the open turn with no open step")
	case !matches:
		bad = c.fail("turn/end %s has no matching open turn", n.Stringify())
	default:
		bad = c.fail("turn/end %s crosses an open step", n.Stringify())
	}
	c.turn, c.step = 0, 0
	c.forgetCalls()
	return bad
}

func (c *Checker) stepStart() *Violation {
	n := c.e.Step()
	expected := c.lastStep + 1
	var bad *Violation
	if c.turn == 0 || !isNumber(c.e.Turn(), c.turn) || c.step != 0 || !isNumber(n, expected) {
		bad = c.fail("step/start does not match the open turn and next step")
	}
	c.step = adopt(n, expected)
	c.lastStep = c.step
	c.stepTurn = adopt(c.e.Turn(), c.turn)
	return bad
}

func (c *Checker) stepEnd() *Violation {
	bad := c.inStep()
	if bad == nil {
		bad = c.unresolved("step/end")
	}
	c.step = 0
	c.forgetCalls()
	return bad
}

// adopt returns the number that an event opens, the expected one when it names none.
func adopt(v jsjson.Value, expected int64) int64 {
	if n, ok := v.SafeInt(); ok && n > 0 {
		return n
	}
	return expected
}

// inTurn checks an event that needs an open turn.
func (c *Checker) inTurn() *Violation {
	if c.turn == 0 {
		return c.fail("%s is outside an open turn", c.name())
	}
	return nil
}

// atStep tells whether the event names the open turn and step.
func (c *Checker) atStep() bool {
	return c.step != 0 && isNumber(c.e.Turn(), c.turn) && isNumber(c.e.Step(), c.step)
}

// inStep checks an event that must name the open turn and step.
func (c *Checker) inStep() *Violation {
	if !c.atStep() {
		return c.fail("%s does not match an open turn and step", c.name())
	}
	return nil
}

// systemMessage checks a system message of v4; v3 has a pass for it.
func (c *Checker) systemMessage() *Violation {
	if c.target == 3 {
		return nil
	}
	return c.inStep()
}

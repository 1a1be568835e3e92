// Package lifecycle checks the relations between the events of a log of
// generation 2, 3 or 4: turns and steps, calls and results, retries, compaction,
// the surface, titles, commands, dispatches, catalog facts and delivery markers
// (docs/generations.md §6).
//
// dsh runs these rules over a whole log: over each native v4 log that it reads,
// and over each log that it has migrated. The rules of the three generations are
// nearly the same; the words with which they refuse are not.
package lifecycle

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// Header is what the rules need to know of the header of a log.
type Header struct {
	ID     string // WTF-8
	Parent bool   // there is a parent session
}

// Violation is one broken relation, with the class and text of dsh.
type Violation struct {
	session.Refusal
	Seq int64 // of the event that breaks it
}

// Checker takes the events of a log in order. It adopts what a violating event
// says and goes on, so that one fault does not look like many.
type Checker struct {
	// AnyType lets events of unknown types pass. The reader of native v4 logs sets
	// it: it looks at the vocabulary in a later check of its own.
	AnyType bool

	target int
	header Header

	e   *session.Event // the current event,
	seq int64          // its number,
	typ session.Type   // and its type

	first     [passes]*Violation   // the first violation of each pass
	tentative [numFates]*Violation // the first violation that each fate may undo

	turns
	calls
	retries
	compactions
	surface
	messages
	commands
	dispatches
	facts
}

// pass is one of the walks that dsh makes over a log. All violations of an
// earlier one come before those of a later one, whatever their place in the log.
type pass int

const (
	systemPass   pass = iota // v3: system messages and the head of the surface
	envelopePass             // v2 and v3: members of the envelope, vocabulary, kind of the payload
	relationPass             // all else
	passes
)

// fate is an event that may still come and undo a violation.
type fate int

const (
	anySeed   fate = iota // session/end-seed
	cutMarker             // session/end-seed with inherited:true
	numFates
)

// New returns the checker of a log of generation target (2, 3 or 4) before its
// first event.
func New(target int, h Header) *Checker {
	c := &Checker{target: target, header: h}
	c.calls.open = map[string]*call{}
	c.retries.chains = map[string]*chain{}
	c.commands.run = map[string]bool{}
	c.dispatches.started = map[string]*dispatch{}
	c.facts.children = map[string]bool{}
	return c
}

// Event takes the next event, whose seq must be the number of events before it,
// and returns the first relation that it breaks for sure, or nil. A violation
// that a later event can undo comes out of [Checker.Finish] only. The event may
// be reused after the call.
func (c *Checker) Event(e *session.Event) *Violation {
	c.e, c.typ = e, session.AnyTypeOf(e.Type).In(int64(c.target))
	v := c.check()
	c.seq++
	return v
}

// Finish takes the end of the log and returns the violation with which dsh
// refuses it, nil when all relations hold.
func (c *Checker) Finish() *Violation {
	for p := range passes {
		v := c.first[p]
		if p == relationPass {
			for _, t := range c.tentative {
				if t != nil && (v == nil || t.Seq < v.Seq) {
					v = t
				}
			}
		}
		if v != nil {
			return v
		}
	}
	return nil
}

// check runs the passes on the current event.
func (c *Checker) check() *Violation {
	if c.typ == session.Unknown {
		if c.AnyType || c.e.Ignorable.Kind == jsjson.True {
			return nil
		}
		return c.add(envelopePass, c.unknown())
	}
	v := c.add(systemPass, c.systemHead())
	if found := c.add(envelopePass, c.envelope()); v == nil {
		v = found
	}
	// An event that breaks its relation is on the surface all the same.
	found := c.relation()
	if surface := c.surfaceEvent(); found == nil {
		found = surface
	}
	if c.add(relationPass, found); v == nil {
		v = found
	}
	return v
}

// name returns the type as the texts name it. The rules of v3 see its dispatches
// as those of v2.
func (c *Checker) name() string {
	if c.target == 3 {
		switch c.typ {
		case session.PTCDispatchStart:
			return session.CodeDispatchStart.String()
		case session.PTCDispatch:
			return session.CodeDispatch.String()
		}
	}
	return c.typ.String()
}

// relation runs the rule of the type.
func (c *Checker) relation() *Violation {
	if rule := rules[c.typ]; rule != nil {
		return rule(c)
	}
	return nil
}

// rules are the relations by the type of the event.
var rules = map[session.Type]func(*Checker) *Violation{
	session.TurnStart:        (*Checker).turnStart,
	session.TurnEnd:          (*Checker).turnEnd,
	session.StepStart:        (*Checker).stepStart,
	session.StepEnd:          (*Checker).stepEnd,
	session.EndSeed:          (*Checker).endSeed,
	session.UserMessage:      (*Checker).userMessage,
	session.SystemMessage:    (*Checker).systemMessage,
	session.DeveloperMessage: (*Checker).developerMessage,
	session.AssistantMessage: (*Checker).assistantMessage,
	session.AssistantAttempt: (*Checker).inStep,
	session.ToolCall:         (*Checker).toolCall,
	session.ToolResult:       (*Checker).toolResult,
	session.RequestHeader:    (*Checker).requestHeader,
	session.RequestContext:   (*Checker).inTurn,

	session.LLMRetry:            (*Checker).retry,
	session.LLMRetryStarted:     (*Checker).retryStarted,
	session.CompactionStart:     (*Checker).compactionStart,
	session.CompactionSummary:   (*Checker).compactionSummary,
	session.CompactionPrune:     (*Checker).shadowedSpan,
	session.CompactionEnd:       (*Checker).compactionEnd,
	session.SessionTitle:        (*Checker).title,
	session.SessionTitleRequest: (*Checker).title,
	session.CommandRun:          (*Checker).commandRun,
	session.CommandDone:         (*Checker).commandDone,
	session.CodeDispatchStart:   (*Checker).dispatchStart,
	session.CodeDispatch:        (*Checker).dispatchEnd,
	session.PTCDispatchStart:    (*Checker).dispatchStart,
	session.PTCDispatch:         (*Checker).dispatchEnd,
	session.SubagentCatalog:     (*Checker).catalog,
	session.DeliveryAccepted:    (*Checker).delivery,
}

// endSeed takes a seed marker. Work that was open in front of it belongs to a
// process that is gone, and what precedes an inherited marker to another session.
func (c *Checker) endSeed() *Violation {
	c.openCompaction = nil
	c.tentative[anySeed] = nil
	if c.e.Field("inherited").Kind == jsjson.True {
		c.tentative[cutMarker] = nil
		clear(c.children)
	}
	return nil
}

// add keeps the first violation of a pass and returns v.
func (c *Checker) add(p pass, v *Violation) *Violation {
	if v != nil && (c.first[p] == nil || v.Seq < c.first[p].Seq) {
		c.first[p] = v
	}
	return v
}

// unless keeps a violation that holds only when the fate does not come.
func (c *Checker) unless(f fate, v *Violation) {
	if c.tentative[f] == nil {
		c.tentative[f] = v
	}
}

// fail returns a violation by the current event.
func (c *Checker) fail(format string, args ...any) *Violation {
	return c.failAs(session.ClassFormat, format, args...)
}

func (c *Checker) failAs(class session.Class, format string, args ...any) *Violation {
	return &Violation{session.Refusal{Class: class, Text: fmt.Sprintf(format, args...)}, c.seq}
}

// natural reads a value that must be a non-negative safe integer.
func (c *Checker) natural(v jsjson.Value, what string) (int64, *Violation) {
	n, ok := v.SafeInt()
	if !ok || n < 0 {
		return 0, c.fail("%s must be a non-negative safe integer", what)
	}
	return n, nil
}

// earlier reads a value that must be the seq of an event before the current one.
func (c *Checker) earlier(v jsjson.Value, what string) (int64, *Violation) {
	n, bad := c.natural(v, what)
	if bad == nil && n >= c.seq {
		bad = c.fail("%s must name an earlier event", what)
	}
	return n, bad
}

// isNumber tells whether a value is the number n.
func isNumber(v jsjson.Value, n int64) bool {
	return v.Kind == jsjson.Number && v.Float() == float64(n)
}

// digest returns a value that is equal for equal values; it may be absent.
func digest(v jsjson.Value) jsjson.Digest {
	if !v.Exists() {
		return jsjson.Digest{}
	}
	return v.Digest()
}

// equal tells whether two values are both absent or equal as data.
func equal(a, b jsjson.Value) bool {
	return a.Exists() == b.Exists() && (!a.Exists() || jsjson.DeepEqual(a, b))
}

// keep returns a copy of a value that does not refer to the line.
func keep(v jsjson.Value) jsjson.Value {
	return v.Clone()
}

package rules

import (
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// PluginMisplaced reports that an event of a plugin names another turn or step
// than the open one.
var PluginMisplaced = &Rule{
	ID:        "TL419",
	Name:      "plugin-misplaced",
	Summary:   "an event of a plugin names another turn or step than the open one",
	Class:     Advice,
	Severity:  Warning,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("plugin-misplaced"),
	on:        onEvent,
	of: []session.Type{
		session.HookInvoked, session.HookResult, session.CompactionStart, session.CompactionEnd, session.LLMRetry, session.LLMRetryStarted,
	},
	check: checkPluginMisplaced,
}

// checkPluginMisplaced looks at events inside a turn: those outside of any are
// found by the rule of enclosure.
func checkPluginMisplaced(p *pass) {
	e, open := p.event, p.model.Turns()
	inStep := e.Kind == session.LLMRetry || e.Kind == session.LLMRetryStarted // and the event says in which
	if !p.judgesBrackets() || p.turns.adrift || !open.TurnOpen() {
		return
	}
	switch {
	case e.Turn().Kind == jsjson.Null:
		p.report("%s says that it is between turns, but turn %s is open", e.Kind, named(open.Turn()))
	case e.Turn().Kind != jsjson.Number:
	case !jsjson.StrictEqual(e.Turn(), open.Turn()):
		p.report("%s names turn %s but open is turn %s", e.Kind, named(e.Turn()), named(open.Turn()))
	case inStep && !jsjson.StrictEqual(e.Step(), open.Step()):
		p.report("%s names step %s but open is step %s", e.Kind, named(e.Step()), named(open.Step()))
	}
}

// named is the number of a turn or step for messages.
func named(v jsjson.Value) string {
	if v.Kind != jsjson.Number {
		return "none"
	}
	return v.JSString()
}

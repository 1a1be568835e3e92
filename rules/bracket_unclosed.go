package rules

import "github.com/turnlint/turnlint/session"

// BracketUnclosed reports that a plugin left something open that must have ended.
var BracketUnclosed = &Rule{
	ID:        "TL417",
	Name:      "bracket-unclosed",
	Summary:   "a plugin left open what must have ended",
	Class:     Advice,
	Severity:  Note,
	Authority: Invariants,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("bracket-unclosed"),
	on:        onEvent,
	of:        []session.Type{session.TurnEnd, session.WorkflowRunEnd},
	check:     checkBracketUnclosed,
}

// checkBracketUnclosed looks at the ends of turns that ran to their end: after a
// crash dsh closes no bracket, so that there an open one says nothing.
func checkBracketUnclosed(p *pass) {
	if !p.judgesBrackets() || p.turns.adrift {
		return
	}
	left, what := hooks, "has no hook/result, though its turn completed"
	switch {
	case p.event.Kind == session.TurnEnd && p.event.Field("reason").Get("kind").EqualText("completed"):
	case p.event.Kind == session.WorkflowRunEnd && len(p.turns.plugins.brackets.open[workflows]) == 0:
		left, what = agents, "has no tool-workflow/agent-end, though the last run ended"
	default:
		return
	}
	for _, o := range p.turns.plugins.brackets.open[left] {
		if o.dead {
			continue
		}
		f := p.finding(o.place, "%s %s", openers[left], what)
		f.Seq, f.Turn = &o.seq, p.turnNumber()
		p.keep(f, p.record.LastFrame).relate(Related{p.record.Place, "the end"})
	}
}

package rules

import "github.com/turnlint/turnlint/session"

// CallInUserMessage reports that a user message holds a tool call.
var CallInUserMessage = &Rule{
	ID:        "TL611",
	Name:      "call-in-user-message",
	Summary:   "a user message holds a tool call",
	Class:     Advice,
	Severity:  Warning,
	Authority: Load,
	Reader:    Accepts,
	Fix:       NoFix,
	Doc:       page("call-in-user-message"),
	on:        onEvent,
	of:        []session.Type{session.UserMessage},
	check:     checkCallInUserMessage,
}

func checkCallInUserMessage(p *pass) {
	for block := range p.event.Field("content").Elements() {
		if block.Get("type").EqualText("tool-call") {
			p.report("the message of a user holds a tool call, which only a model can make")
			return
		}
	}
}

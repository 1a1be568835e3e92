package session_test

import (
	"testing"

	"github.com/turnlint/turnlint/session"
)

func TestEventEnvelope(t *testing.T) {
	tests := map[string]struct {
		text string
		want bool
	}{
		"the four members":                    {`{"type":"x","seq":0,"time":0,"data":{}}`, true},
		"in any order":                        {`{"data":{},"time":0,"seq":0,"type":"x"}`, true},
		"data of null is present":             {`{"type":"x","seq":0,"time":0,"data":null}`, true},
		"no data":                             {`{"type":"x","seq":0,"time":0}`, false},
		"type is no string":                   {`{"type":1,"seq":0,"time":0,"data":{}}`, false},
		"no type":                             {`{"seq":0,"time":0,"data":{}}`, false},
		"a negative seq":                      {`{"type":"x","seq":-1,"time":0,"data":{}}`, false},
		"a seq of minus zero":                 {`{"type":"x","seq":-0,"time":0,"data":{}}`, true},
		"a seq spelled 3.0":                   {`{"type":"x","seq":3.0,"time":0,"data":{}}`, true},
		"a negative time":                     {`{"type":"x","seq":0,"time":-5,"data":{}}`, true},
		"a time with a fraction":              {`{"type":"x","seq":0,"time":0.5,"data":{}}`, false},
		"a time beyond a double":              {`{"type":"x","seq":0,"time":1e400,"data":{}}`, false},
		"ignorable":                           {`{"type":"x","seq":0,"time":0,"data":{},"ignorable":true}`, true},
		"ignorable must be true":              {`{"type":"x","seq":0,"time":0,"data":{},"ignorable":false}`, false},
		"ignorable of null is present":        {`{"type":"x","seq":0,"time":0,"data":{},"ignorable":null}`, false},
		"surface members pass here":           {`{"type":"x","seq":0,"time":0,"data":{},"surfaceOp":1,"sourceEventSeqs":2}`, true},
		"a foreign key":                       {`{"type":"x","seq":0,"time":0,"data":{},"author":"ada"}`, false},
		"__proto__ is a key like any other":   {`{"type":"x","seq":0,"time":0,"data":{},"__proto__":{}}`, false},
		"an escaped key is the key it spells": {`{"type":"x","seq":0,"time":0,"d\u0061ta":{}}`, true},
		"the last duplicate counts":           {`{"type":1,"seq":0,"time":0,"data":{},"type":"x"}`, true},
		"keys are case-sensitive":             {`{"Type":"x","seq":0,"time":0,"data":{}}`, false},
		"an array has no members":             {`["type"]`, false},
		"neither has a string":                {`"type"`, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := event(t, test.text).ValidEnvelope(); got != test.want {
				t.Errorf("ValidEnvelope of %s = %v, want %v", test.text, got, test.want)
			}
		})
	}
}

func TestEventMessage(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"a user message is the data":      {`{"type":"user/message","data":{"id":"a","message":{"id":"b"}}}`, `"a"`},
		"any other has it inside":         {`{"type":"tool/result","data":{"id":"a","message":{"id":"b"}}}`, `"b"`},
		"an unknown type too":             {`{"type":"x","data":{"id":"a","message":{"id":"b"}}}`, `"b"`},
		"there is none in data of a text": {`{"type":"tool/result","data":"b"}`, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := string(event(t, test.text).Message().Get("id").Raw()); got != test.want {
				t.Errorf("id of the message = %s, want %s", got, test.want)
			}
		})
	}
}

func TestEventNamesItsFirstForeignKey(t *testing.T) {
	e := event(t, `{"type":"x","author":1,"editor":2}`)
	if got := e.Foreign.Text(); got != "author" {
		t.Errorf("foreign key %q, want author", got)
	}
}

// knownTypes is the vocabulary of dsh 0.1.1-rc.2 (docs/format.md §2.5).
var knownTypes = []string{
	"turn/start", "turn/end", "step/start", "step/end", "user/message", "assistant/chunk", "assistant/message",
	"tool/call", "tool/result", "todo/write", "request/header", "request/context", "session/end-seed",
	"agent/inbox/spliced", "agent-preset/selected", "approval/asked", "approval/decided", "approval/policy",
	"command/run", "command/done", "compaction/start", "compaction/summary", "compaction/prune", "compaction/end",
	"feedback/record", "goal/change", "hook/invoked", "hook/result", "llm/retry", "llm/retry-started",
	"permission/preset", "plan/mode", "sandbox/mode", "schedule/change", "session/title",
	"session/title-llm-request", "subagent/descriptor", "team/member", "team/task", "team/message/queued",
	"team/message/delivered", "tool/code-dispatch-start", "tool/code-dispatch", "tool-workflow/run-start",
	"tool-workflow/agent-start", "tool-workflow/agent-end", "tool-workflow/run-end", "web/deepseek-search-llm-request",
}

func TestEveryKnownTypeIsRead(t *testing.T) {
	all := session.Types()
	if len(knownTypes) != 48 || len(all) != len(knownTypes) {
		t.Fatalf("%d types, want %d", len(all), len(knownTypes))
	}
	for i, name := range knownTypes {
		got := session.TypeOf(value(t, `"`+name+`"`))
		if got == session.Unknown || got != all[i] || got.String() != name {
			t.Errorf("TypeOf(%q) = %q, want the type of that name", name, got)
		}
		surface := name == "user/message" || name == "assistant/message" || name == "tool/result"
		if got.Surface() != surface {
			t.Errorf("%s: Surface() = %v, want %v", name, got.Surface(), surface)
		}
	}
}

func TestTypeOfOtherValues(t *testing.T) {
	for text, want := range map[string]session.Type{
		`"turn\/start"`:      session.TurnStart, // an escaped spelling
		`"\u0074urn/end"`:    session.TurnEnd,
		`"turn/start "`:      session.Unknown,
		`"Turn/Start"`:       session.Unknown,
		`"context/message"`:  session.Unknown, // retired
		`"text-chunks"`:      session.Unknown, // a row, not an event
		`""`:                 session.Unknown,
		`1`:                  session.Unknown,
		`null`:               session.Unknown,
		``:                   session.Unknown,
		"\"turn/start\xFF\"": session.Unknown,
		`["turn/start"]`:     session.Unknown,
	} {
		if got := session.TypeOf(value(t, text)); got != want {
			t.Errorf("TypeOf(%s) = %q, want %q", text, got, want)
		}
	}
	if got := session.Unknown.String(); got != "" {
		t.Errorf("Unknown.String() = %q, want an empty one", got)
	}
}

package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/rules"
	vocabulary "github.com/turnlint/turnlint/session"
)

// dataOf has, for each type whose data dsh does not look at, legal data, and a
// change of it with what is then wrong.
var dataOf = map[vocabulary.Type]struct{ legal, old, broken, want string }{
	vocabulary.TodoWrite:            {`"todos":[{"content":"lamp","status":"pending"}]`, `"pending"`, `"later"`, `todos[0].status is "later", want pending, in_progress or completed`},
	vocabulary.RequestContext:       {`"provider":"p","model":"m"`, `"m"`, `5`, "model is the number 5, want a string"},
	vocabulary.EndSeed:              {``, ``, ``, ""},
	vocabulary.InboxSpliced:         {`"target":"next-step","start":0,"inserted":[]`, `"inserted":[]`, `"inserted":[{"role":"user","id":"q","content":{},"source":{"kind":"user"}}]`, "inserted[0].content is an object, want an array"},
	vocabulary.AgentPresetSelected:  {`"agentPreset":"a"`, `"a"`, `null`, "agentPreset is null, want a string"},
	vocabulary.ApprovalAsked:        {`"id":"a","toolName":"bash"`, `,"toolName":"bash"`, ``, "toolName is missing, want a string"},
	vocabulary.ApprovalDecided:      {`"id":"a","outcome":"rejected"`, `"rejected"`, `"maybe"`, `outcome is "maybe", want allowed-once, rejected, cancelled or unavailable`},
	vocabulary.ApprovalPolicy:       {`"policy":"ask"`, `"ask"`, `"ask","source":"me"`, `source is "me", want delegation`},
	vocabulary.CommandRun:           {`"commandId":"k","name":"goal","source":{"kind":"user"}`, `"user"`, `"model"`, `source.kind is "model", want user`},
	vocabulary.CommandDone:          {`"commandId":"k","kind":"success"`, `"success"`, `true`, "kind is true, want success or error"},
	vocabulary.CompactionStart:      {`"compactionId":"z","turn":null`, `null`, `"2"`, "turn is a string, want a number or null"},
	vocabulary.CompactionSummary:    {`"compactionId":"z","summary":[],"shadowedRange":{"start":1,"end":1},"shadowedSeqs":[1],"shadowedTokenCount":9,"provider":"p","model":"m"`, `"end":1`, `"end":1.5`, "shadowedRange.end is the number 1.5, want an integer"},
	vocabulary.CompactionPrune:      {`"shadowedRange":{"start":1,"end":1},"shadowedSeqs":[1],"shadowedTokenCount":9`, `[1]`, `["1"]`, "shadowedSeqs[0] is a string, want an integer"},
	vocabulary.CompactionEnd:        {`"compactionId":"z","turn":null`, `"compactionId":"z",`, ``, "compactionId is missing, want a string"},
	vocabulary.FeedbackRecord:       {`"text":"good"`, `"good"`, `["good"]`, "text is an array, want a string"},
	vocabulary.GoalChange:           {`"kind":"goal/change","version":1,"operation":"create","goal":{"id":"g","revision":1,"objective":"light","phase":"active","maxGoalRounds":9},"roundsStarted":0,"createdAt":1,"updatedAt":1`, `"active"`, `"asleep"`, `goal.phase is "asleep", want active, paused, blocked or complete`},
	vocabulary.HookInvoked:          {`"turn":2,"point":"Stop","dialect":"codex","handlerId":"h"`, `"codex"`, `"other"`, `dialect is "other", want claude-code or codex`},
	vocabulary.HookResult:           {`"turn":2,"point":"Stop","handlerId":"h","decision":"pass","durationMs":5`, `,"durationMs":5`, ``, "durationMs is missing, want a number"},
	vocabulary.LLMRetry:             {`"retryId":"r","turn":2,"step":1,"provider":"p","mode":"normal","policyKey":"k","retry":1,"delayMs":5,"failure":{"message":"m","code":"c"}`, `,"code":"c"`, ``, "failure.code is missing, want a string"},
	vocabulary.LLMRetryStarted:      {`"retryId":"r","turn":2,"step":1,"retry":1`, `"retry":1`, `"retry":"1"`, "retry is a string, want an integer"},
	vocabulary.PermissionPreset:     {`"preset":"read-only"`, `"read-only"`, `{}`, "preset is an object, want a string"},
	vocabulary.PlanMode:             {`"active":true`, `true`, `1`, "active is the number 1, want true or false"},
	vocabulary.SandboxMode:          {`"mode":"read-only"`, `"read-only"`, `"none"`, `mode is "none", want read-only, workspace-write or danger-full-access`},
	vocabulary.ScheduleChange:       {`"version":1,"operation":"delete","id":"s"`, `"delete"`, `"drop"`, `operation is "drop", want create, delete or dispatch`},
	vocabulary.SessionTitle:         {`"title":"Lamp","messageSeqs":[1],"source":{"kind":"fallback"}`, `"fallback"`, `"x"`, `source.kind is "x", want fallback, provider or user`},
	vocabulary.SessionTitleRequest:  {`"titleProvider":"t","messageSeqs":[1],"route":{"provider":"p","model":"m"},"system":"s","messages":[],"maxTokens":9`, `"model":"m"`, `"model":null`, "route.model is null, want a string"},
	vocabulary.SubagentDescriptor:   {`"version":2,"mode":"one-shot","provider":"p"`, `"one-shot"`, `"two-shot"`, `mode is "two-shot", want one-shot or continuable`},
	vocabulary.TeamMember:           {`"version":1,"teamId":"t","member":{"id":"m","name":"Ada"}`, `"version":1`, `"version":2`, "version is the number 2, want 1"},
	vocabulary.TeamTask:             {`"version":1,"teamId":"t","task":{"id":"k","subject":"s","status":"open"}`, `"id":"k",`, ``, "task.id is missing, want a string"},
	vocabulary.TeamMessageQueued:    {`"version":1,"teamId":"t","message":{"id":"m"}`, `{"id":"m"}`, `"m"`, "message is a string, want an object"},
	vocabulary.TeamMessageDelivered: {`"version":1,"teamId":"t","messageId":"m","targetId":"a"`, `,"targetId":"a"`, ``, "targetId is missing, want a string"},
	vocabulary.CodeDispatchStart:    {`"rootCallId":"c","parentCallId":"c","subCallId":"s","name":"ls","arguments":null`, `,"arguments":null`, ``, "arguments is missing, want any value"},
	vocabulary.CodeDispatch:         {`"parentCallId":"c","subCallId":"s","name":"ls","arguments":{},"isError":false,"content":[{"type":"text","text":"a"}]`, `"text":"a"`, `"txt":"a"`, "content[0].text is missing, want a string"},
	vocabulary.WorkflowRunStart:     {`"runId":"w","name":"n"`, `"n"`, `1`, "name is the number 1, want a string"},
	vocabulary.WorkflowAgentStart:   {`"runId":"w","seq":1,"label":"l","childId":"c"`, `"seq":1`, `"seq":null`, "seq is null, want an integer"},
	vocabulary.WorkflowAgentEnd:     {`"runId":"w","seq":1,"outcome":"completed"`, `"completed"`, `"lost"`, `outcome is "lost", want completed, failed or cancelled`},
	vocabulary.WorkflowRunEnd:       {`"runId":"w","stopReason":"error"`, `"error"`, `"bored"`, `stopReason is "bored", want completed, cancelled or error`},
	vocabulary.SearchRequest:        {`"endpoint":"e","apiVersion":"1","body":{}`, `,"body":{}`, ``, "body is missing, want any value"},
}

// inStep2 returns lamp and a second turn with a step that has the events.
func inStep2(events ...string) []byte {
	return more(slices.Concat([]string{startTurn2, startStep}, events, []string{endStep, endTurn2})...)
}

// dataFlaws returns what the rule about data says of a log, without the type.
func dataFlaws(t *testing.T, log []byte) []string {
	t.Helper()
	var flaws []string
	r := inspect(t, log, rules.Options{})
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Rule == rules.EventData {
			_, flaw, _ := strings.Cut(f.Message, ": ")
			flaws = append(flaws, flaw)
		}
	}
	return flaws
}

func TestDataOfEveryUncheckedTypeHasAShape(t *testing.T) {
	for _, kind := range vocabulary.Types() {
		data, ok := dataOf[kind]
		if !ok || data.want == "" {
			continue
		}
		t.Run(kind.String(), func(t *testing.T) {
			if flaws := dataFlaws(t, inStep2(event(kind.String(), data.legal))); flaws != nil {
				t.Errorf("legal data: %q", flaws)
			}
			broken := strings.Replace(data.legal, data.old, data.broken, 1)
			if flaws := dataFlaws(t, inStep2(event(kind.String(), broken))); !slices.Equal(flaws, []string{data.want}) {
				t.Errorf("broken data: got %q, want %q", flaws, data.want)
			}
		})
	}
}

// Events of one skeleton are looked at once, unless a string in a hole decides.
func TestEventsThatAreAlikeAreFlawedOnlyWhereTheyAre(t *testing.T) {
	for kind, data := range dataOf {
		if data.want == "" || vocabulary.CommandRun <= kind && kind <= vocabulary.CommandDone { // brackets
			continue
		}
		broken := strings.Replace(data.legal, data.old, data.broken, 1)
		var events, want []string
		for i := range 12 {
			text := data.legal
			if i == 5 || i > 8 {
				text, want = broken, append(want, data.want)
			}
			events = append(events, event(kind.String(), text))
		}
		if flaws := dataFlaws(t, inStep2(events...)); !slices.Equal(flaws, want) {
			t.Errorf("%s: got %q, want %q", kind, flaws, want)
		}
	}
}

func TestTypesWithoutAShapeAreThoseThatDshChecks(t *testing.T) {
	checked := []vocabulary.Type{
		vocabulary.TurnStart, vocabulary.TurnEnd, vocabulary.StepStart, vocabulary.StepEnd, vocabulary.UserMessage,
		vocabulary.AssistantChunk, vocabulary.AssistantMessage, vocabulary.ToolCall, vocabulary.ToolResult, vocabulary.RequestHeader,
	}
	for _, kind := range vocabulary.Types() {
		if _, ok := dataOf[kind]; ok == slices.Contains(checked, kind) {
			t.Errorf("%s is to be in exactly one of the two lists", kind)
		}
	}
}

func TestDataThatIsNoObjectIsAFlaw(t *testing.T) {
	log := more(strings.Replace(event("session/title", ""), "{}", "5", 1))
	if flaws := dataFlaws(t, log); !slices.Equal(flaws, []string{"data is the number 5, want an object"}) {
		t.Errorf("got %q", flaws)
	}
}

func TestDataThatDshReadsIsLookedAtBeyondWhatItChecks(t *testing.T) {
	chunk := func(data string) []byte {
		return inStep2(event("assistant/chunk", `"turn":2,"step":1,"chunk":{`+data+`}`))
	}
	tests := []struct {
		name string
		log  []byte
		want string
	}{
		{"an unknown reason", with(`{"kind":"completed"}`, `{"kind":"bored"}`), `reason.kind is "bored", want completed, blocked, max-tokens, interrupted, aborted, error or rejected`},
		{"an unknown reason of an abort", with(`{"kind":"completed"}`, `{"kind":"aborted","reason":{"kind":"cat"}}`), `reason.reason.kind is "cat", want user, parent, disposed, legacy or hook`},
		{"an error without a code", with(`{"kind":"completed"}`, `{"kind":"error","error":{"message":"m"}}`), "reason.error.code is missing, want a string"},
		{"a call whose arguments are not text", with(`"name":"lamp","arguments":"{}"}}`, `"name":"lamp","arguments":{}}}`), "arguments is an object, want a string"},
		{"a block without text", with(`{"type":"text","text":"Is the lamp on?"}`, `{"type":"text"}`), "content[0].text is missing, want a string"},
		{"an unknown block", with(`{"type":"text","text":"Is the lamp on?"}`, `{"type":"dance"}`), ""},
		{"an unknown source", with(`"source":{"kind":"user"}`, `"source":{"kind":"cat"}`), ""},
		{"a source that lacks a member", with(`"source":{"kind":"user"}`, `"source":{"kind":"goal","goalId":"g","revision":1}`), "source.round is missing, want a number"},
		{"a result whose mark of an error is a text", with(`"toolCallId":"c1","content"`, `"toolCallId":"c1","isError":"no","content"`), "message.content[0].isError is a string, want true or false"},
		{"an unknown chunk", chunk(`"type":"text-deltas"`), `chunk.type is "text-deltas", want block-start, text-delta, reasoning-delta, tool-call-delta, block-end, usage or finish`},
		{"a chunk without text", chunk(`"type":"text-delta","index":0`), "chunk.text is missing, want a string"},
		{"an unknown reason to finish", chunk(`"type":"finish","reason":{"kind":"tired"}`), ""},
		{"a usage that is no number", chunk(`"type":"usage","usage":{"inputTokens":"9","outputTokens":9}`), "chunk.usage.inputTokens is a string, want a number"},
		{"an unknown reason of a request header", inStep2(event("request/header", `"header":{"config":{"provider":"p","model":"m"}},"reason":"mood"`)), `reason is "mood", want initial, resume or change`},
		{"a long text in place of a name is not shown", and(strings.Replace(title14, "fallback", strings.Repeat("secret ", 9), 1)), "source.kind is a string, want fallback, provider or user"},
		{"a placeholder stands for any value", and(strings.Replace(title14, `"Lamp"`, `"Lamp","messageSeqs":"{{seqs}}"`, 1)), ""},
		{"what dsh refuses is said once", with(`"id":"m1",`, ``), ""},
		{"what breaks the order of steps is said once", with(`"data":{"turn":1,"step":2}}`, `"data":{"turn":1,"step":"2"}}`), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var want []string
			if test.want != "" {
				want = []string{test.want}
			}
			if flaws := dataFlaws(t, test.log); !slices.Equal(flaws, want) {
				t.Errorf("got %q, want %q", flaws, want)
			}
		})
	}
}

func TestShapesOfEarlierBuildsAreNoFlaw(t *testing.T) {
	const old = `{"type":"session","version":0,"id":"old","createdAt":1784000000000,"delegationDepth":0}
{"type":"turn/start","seq":0,"time":1784000001000,"data":{"turn":1,"trigger":{"kind":"message","source":{"kind":"user"}}}}
{"type":"user/message","seq":1,"time":1784000001001,"data":{"content":[{"type":"text","text":"Hi."}],"source":{"kind":"user"}},"surfaceOp":"append"}
{"type":"step/start","seq":2,"time":1784000001002,"data":{"turn":1,"step":1}}
{"type":"assistant/message","seq":3,"time":1784000001003,"data":{"turn":1,"step":1,"content":[{"type":"tool-call","id":"c1","name":"ls","arguments":"{}"}],"provenance":{"provider":"p","model":"m"}},"surfaceOp":"append"}
{"type":"tool/call","seq":4,"time":1784000001004,"data":{"turn":1,"step":1,"callId":"c1","name":"ls","arguments":"{}"}}
{"type":"tool/result","seq":5,"time":1784000001005,"data":{"turn":1,"step":1,"callId":"c1","content":[{"type":"text","text":"a"}],"isError":false},"surfaceOp":"append","sourceEventSeqs":[4]}
{"type":"step/end","seq":6,"time":1784000001006,"data":{"turn":1,"step":1}}
{"type":"turn/end","seq":7,"time":1784000001007,"data":{"turn":1,"reason":{"kind":"error","step":1,"message":"m"}}}
`
	wantLines(t, []byte(old), rules.Options{})
	// dsh does not bring what it does not read into today's shape.
	damaged := strings.Replace(old, `"seq":1,`, `"seq":1;`, 1)
	wantLines(t, []byte(damaged), rules.Options{}, "3 undecodable-line")
}

package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/rules"
)

// edited returns an event with one text in place of another.
func edited(event, old, text string) string { return strings.Replace(event, old, text, 1) }

func TestPluginsKeepTheirBrackets(t *testing.T) {
	var (
		ask      = event("approval/asked", `"id":"a1","toolName":"bash"`)
		decide   = event("approval/decided", `"id":"a1","outcome":"rejected"`)
		retry    = event("llm/retry", `"retryId":"r1","turn":2,"step":1,"provider":"p","mode":"normal","policyKey":"k","retry":1,"delayMs":5,"failure":{"message":"m","code":"c"}`)
		retried  = event("llm/retry-started", `"retryId":"r1","turn":2,"step":1,"retry":1`)
		dispatch = event("tool/code-dispatch-start", `"rootCallId":"c1","parentCallId":"c1","subCallId":"s1","name":"ls","arguments":{}`)
		run      = event("tool-workflow/run-start", `"runId":"w1","name":"n"`)
		agent    = event("tool-workflow/agent-start", `"runId":"w1","seq":1,"label":"l","childId":"x"`)
		agentEnd = event("tool-workflow/agent-end", `"runId":"w1","seq":1,"outcome":"completed"`)
		runEnd   = event("tool-workflow/run-end", `"runId":"w1","stopReason":"completed"`)
		goal     = event("goal/change", `"kind":"goal/change","version":1,"operation":"create","goal":{"id":"g1","revision":1,"objective":"o","phase":"active","maxGoalRounds":9},"roundsStarted":0,"createdAt":1,"updatedAt":1`)
		clear    = event("goal/change", `"kind":"goal/change","version":1,"operation":"clear","cleared":{"id":"g1","revision":2},"clearedAt":1`)
		plan     = event("schedule/change", `"version":1,"operation":"create","schedule":{"id":"p1","kind":"at","prompt":"p","scheduledAt":5}`)
		fire     = event("schedule/change", `"version":1,"operation":"dispatch","id":"p1"`)
		queued   = event("team/message/queued", `"version":1,"teamId":"t1","message":{"id":"x1"}`)
		handed   = event("team/message/delivered", `"version":1,"teamId":"t1","messageId":"x1","targetId":"y"`)
	)
	inTurn := func(events ...string) []byte {
		return more(append(append([]string{startTurn2}, events...), endTurn2)...)
	}
	tests := []struct {
		name string
		log  []byte
		want []string
	}{
		{"an approval is decided", inTurn(ask, decide), nil},
		{"a decision of nothing", inTurn(decide), []string{"15 bracket-unopened"}},
		{"a decision for the second time", inTurn(ask, decide, decide), []string{"17 bracket-unopened"}},
		{"a question for the second time", inTurn(ask, ask), []string{"16 bracket-reopened"}},
		{"a question again after its decision", inTurn(ask, decide, ask, decide), nil},
		{"a question that died with the process", more(startTurn2, ask, edited(endTurn2, "completed", "interrupted"), endSeed, startTurn3, ask, decide, endTurn3), nil},
		{"a decision of a question that died", more(startTurn2, ask, edited(endTurn2, "completed", "interrupted"), endSeed, startTurn3, decide, endTurn3), nil},
		{"a command is done twice", more(runCommand, commandDone, commandDone), nil},
		{"the id of a command that is done", more(runCommand, commandDone, runCommand), []string{"16 bracket-reopened"}},
		{"a hook with its result", inTurn(invokeHook, hookResult), nil},
		{"a result of a hook at another point", inTurn(invokeHook, edited(hookResult, "Stop", "PreToolUse"), hookResult), []string{"16 bracket-unopened"}},
		{"a hook without result", inTurn(invokeHook), []string{"15 bracket-unclosed"}},
		{"a retry that starts", inStep2(retry, retried), nil},
		{"a retry that never starts", inStep2(retry), nil},
		{"the start of another retry", inStep2(retry, edited(retried, `"retry":1`, `"retry":2`)), []string{"17 bracket-unopened"}},
		{"a dispatch with an id in use", inTurn(dispatch, dispatch), []string{"16 bracket-reopened"}},
		{"a workflow", more(run, agent, agentEnd, runEnd), nil},
		{"an agent of no run", more(agent), []string{"14 bracket-unopened"}},
		{"the end of another agent", more(run, edited(agentEnd, `"seq":1`, `"seq":2`)), []string{"15 bracket-unopened"}},
		{"a run that ends before its agent", more(run, agent, runEnd), []string{"15 bracket-unclosed"}},
		{"a goal that is cleared", more(goal, clear), nil},
		{"the clearing of another goal", more(goal, edited(clear, "g1", "g2")), []string{"15 bracket-unopened"}},
		{"a schedule that fires", more(plan, fire, fire), nil},
		{"a schedule that nobody made", more(fire), []string{"14 bracket-unopened"}},
		{"a message to a team", more(queued, handed), nil},
		{"a message that nobody sent", more(handed), []string{"14 bracket-unopened"}},
		{"nothing is known behind a gap", append(more(edited(title14, `"seq":14`, `"seq":#`)), strings.Replace(commandDone, "#", "20", 1)+"\n"...), []string{"15 seq-gap", "15 events-dropped"}},
		{"an id that is missing", more(edited(runCommand, `"commandId":"k1",`, "")), []string{"14 event-data"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantLines(t, test.log, rules.Options{}, test.want...) })
	}
}

func TestTooManyOpenBracketsAreNotJudged(t *testing.T) {
	var log strings.Builder
	log.WriteString(lamp)
	const n = 2000
	for i := range n {
		log.WriteString(strings.Replace(edited(runCommand, "k1", fmt.Sprint("k", i)), "#", fmt.Sprint(14+i), 1) + "\n")
	}
	log.WriteString(strings.Replace(edited(commandDone, "k1", "k0"), "#", fmt.Sprint(14+n), 1) + "\n")
	wantLines(t, []byte(log.String()), rules.Options{})
}

func TestCompactionsAreInOrder(t *testing.T) {
	prune := event("compaction/prune", `"shadowedRange":{"start":1,"end":1},"shadowedSeqs":[1],"shadowedTokenCount":9`)
	replacement := edited(message("a", "(left out)"), `"append"`, `{"op":"replace","start":1,"end":1},"sourceEventSeqs":[1]`)
	inTurn2 := func(event string) string { return edited(event, `"turn":null`, `"turn":2`) }
	tests := []struct {
		name string
		log  []byte
		want []string
	}{
		{"between turns", more(compact, summarise, compacted), nil},
		{"in a turn", more(startTurn2, inTurn2(compact), summarise, inTurn2(compacted), endTurn2), nil},
		{"in a turn, but it says between turns", more(startTurn2, compact, summarise, inTurn2(compacted), endTurn2), []string{"15 plugin-misplaced"}},
		{"in another turn", more(startTurn2, edited(compact, "null", "1"), summarise, inTurn2(compacted), endTurn2), []string{"15 plugin-misplaced"}},
		{"two at once", more(compact, edited(compact, "z1", "z2")), []string{"15 compaction-order"}},
		{"one that died with the process, and another", more(compact, endSeed, edited(compact, "z1", "z2")), nil},
		{"a second summary", more(compact, summarise, summarise, compacted), []string{"16 compaction-order"}},
		{"the summary of another", more(compact, edited(summarise, "z1", "z2")), []string{"15 compaction-order"}},
		{"no summary", more(compact, compacted), []string{"15 compaction-order"}},
		{"a failure", more(compact, edited(compacted, "null", `null,"error":"e"`)), nil},
		{"a prune and its replacement", more(startTurn2, prune, replacement, endTurn2), nil},
		{"a prune without replacement", more(startTurn2, prune, endTurn2), []string{"16 compaction-order"}},
		{"a prune without replacement, and more events", more(startTurn2, prune, message("b", "Hi."), message("c", "Hi."), endTurn2), []string{"16 compaction-order"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantLines(t, test.log, rules.Options{}, test.want...) })
	}
}

func TestRetriesAreInTheOpenStep(t *testing.T) {
	retry := func(turn, step int) string {
		return event("llm/retry", fmt.Sprintf(`"retryId":"r1","turn":%d,"step":%d,"provider":"p","mode":"always","policyKey":"k","retry":1,"delayMs":5,"failure":{"message":"m","code":"c"}`, turn, step))
	}
	wantLines(t, inStep2(retry(2, 1)), rules.Options{})
	wantLines(t, inStep2(retry(1, 1)), rules.Options{}, "16 plugin-misplaced")
	r := wantLines(t, inStep2(retry(2, 4)), rules.Options{}, "16 plugin-misplaced")
	if got, want := r.Findings[0].Message, "llm/retry names step 4 but open is step 1"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
}

func TestInboxesAreReplayed(t *testing.T) {
	tests := []struct {
		name string
		log  []byte
		want []string
	}{
		{"in and out", more(queue, unqueue), nil},
		{"out of the other list", more(queue, edited(unqueue, "next-turn", "next-step")), []string{"15 inbox-splice"}},
		{"out of an empty list", more(unqueue), []string{"14 inbox-splice"}},
		{"more than there is", more(queue, edited(unqueue, `"removedCount":1`, `"removedCount":2`)), []string{"15 inbox-splice"}},
		{"one cause, one finding", more(unqueue, unqueue, queue), []string{"14 inbox-splice"}},
		{"a list outlives a resume", more(queue, endSeed, unqueue), nil},
		{"nothing is known behind a malformed splice", more(edited(queue, "next-turn", "never"), unqueue), []string{"14 event-data"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantLines(t, test.log, rules.Options{}, test.want...) })
	}
	r := inspect(t, more(unqueue), rules.Options{})
	if got, want := r.Findings[0].Message, "splice removes 1 from index 0 of next-turn, which holds 0 messages"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
}

func TestReferencesLeadToWhatTheyMust(t *testing.T) {
	title := func(seqs, kind string) string {
		return event("session/title", `"title":"Lamp","messageSeqs":`+seqs+`,"source":{"kind":"`+kind+`"}`)
	}
	source := func(kind string, seq int) string {
		return event("command/done", fmt.Sprintf(`"commandId":"k1","kind":"%s","sourceEventSeq":%d`, kind, seq))
	}
	shadowed := func(span, seqs string) []byte {
		return more(compact, strings.NewReplacer(`{"start":1,"end":3}`, span, "[1,3]", seqs).Replace(summarise), compacted)
	}
	tests := []struct {
		name string
		log  []byte
		want string
	}{
		{"a title of a message", more(title("[1]", "fallback")), ""},
		{"a title of a later event", more(title("[14]", "fallback")), "session/title: messageSeqs names 14, which is no earlier event"},
		{"a title of a turn/start", more(title("[1,0]", "fallback")), "session/title: messageSeqs names 0, which is no message"},
		{"a title of the member of a row", more(title("[9]", "fallback")), "session/title: messageSeqs names 9, which is no message"},
		{"a title of nothing", more(title("[]", "fallback")), "session/title: messageSeqs is to be empty for a title of the user, and only then"},
		{
			"a title of a type that only an earlier build knew",
			more(event("session/title", `"title":"Lamp","messageSeqs":[1],"source":{"kind":"fallback"}`), strings.Replace(event("acme/message", ""), `"seq"`, `"ignorable":true,"seq"`, 1), title("[15]", "fallback")),
			`type "acme/message" is unknown, but marked ignorable`,
		},
		{"a title of the user", more(title("[]", "user")), ""},
		{"a title of the user and of messages", more(title("[1]", "user")), "session/title: messageSeqs is to be empty for a title of the user, and only then"},
		{"a command that made an event", more(runCommand, source("success", 13)), ""},
		{"a command that made itself", more(runCommand, source("success", 15)), "command/done: sourceEventSeq 15 is no earlier event"},
		{"a command that failed and made an event", more(runCommand, source("error", 13)), "command/done: sourceEventSeq 13 of a command that failed"},
		{"a compaction of messages", shadowed(`{"start":1,"end":3}`, "[1,3]"), ""},
		{"a compaction of a step", shadowed(`{"start":1,"end":2}`, "[1,2]"), "compaction/summary: shadowedSeqs names 2, which is no message"},
		{"a compaction of another range", shadowed(`{"start":1,"end":5}`, "[1,3]"), "compaction/summary: shadowedRange is not from the first to the last of shadowedSeqs"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := inspect(t, test.log, rules.Options{})
			got := ""
			for i := range r.Findings {
				got += r.Findings[i].Message
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

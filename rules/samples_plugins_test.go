package rules_test

import (
	"slices"
	"strconv"
	"strings"
)

// Events for more, of a second turn and of what can follow lamp.
var (
	startTurn2 = event("turn/start", `"turn":2`)
	endTurn2   = event("turn/end", `"turn":2,"reason":{"kind":"completed"}`)
	startTurn3 = event("turn/start", `"turn":3`)
	endTurn3   = event("turn/end", `"turn":3,"reason":{"kind":"completed"}`)
	startStep  = event("step/start", `"turn":2,"step":1`)
	endStep    = event("step/end", `"turn":2,"step":1`)
	endSeed    = event("session/end-seed", ``)
)

// numbered returns lamp with events behind it whose seqs are given.
func numbered(seqs []int, events ...string) []byte {
	lines := make([]string, len(events))
	for i, e := range events {
		lines[i] = strings.Replace(e, "#", strconv.Itoa(seqs[i]), 1)
	}
	return and(lines...)
}

// closersOfLamp are what dsh adds to the first six lines of lamp.
const closersOfLamp = `{"type":"tool/result","seq":5,"time":1790000001004,"data":{"turn":1,"step":1,"message":{"id":"interrupted-tool-result-c1-5","role":"user","source":{"kind":"tool","callId":"c1"},"content":[{"type":"tool-result","toolCallId":"c1","isError":true,"content":[]}]},"error":{"name":"ToolOutcomeUnknownError","code":"TOOL_OUTCOME_UNKNOWN"}},"surfaceOp":"append","sourceEventSeqs":[4]}
{"type":"step/end","seq":6,"time":1790000001004,"data":{"turn":1,"step":1}}
{"type":"turn/end","seq":7,"time":1790000001004,"data":{"turn":1,"reason":{"kind":"interrupted"}}}
`

// afterClosers is a turn that follows closersOfLamp.
const afterClosers = `{"type":"session/end-seed","seq":8,"time":1790000002000,"data":{}}
{"type":"turn/start","seq":9,"time":1790000002000,"data":{"turn":2}}
{"type":"turn/end","seq":10,"time":1790000002000,"data":{"turn":2,"reason":{"kind":"completed"}}}
`

func forkSamples() []sample {
	const otherRow = `{"type":"text-chunks","seq0":9,"time0":1790000001019,"data":{"turn":1,"step":2,"index":0,"dt":[1],"texts":["it was ","off."]}}` + "\n"
	stale := strings.Replace(event("turn/end", `"turn":1,"reason":{"kind":"aborted","reason":{"kind":"user"}}`), "#", "9", 1)
	return []sample{
		{rule: "stale-end-seed", bad: numbered([]int{14, 14, 15}, endSeed, startTurn2, endTurn2), good: more(endSeed, startTurn2, endTurn2)},
		{
			rule: "repair-closers", bad: slices.Concat(upTo(6), []byte(closersOfLamp), lampLog[len(upTo(6)):]),
			good: slices.Concat(upTo(6), []byte(closersOfLamp+afterClosers)),
		},
		{rule: "stale-deltas", bad: before(11, otherRow), good: lampLog},
		{
			rule: "forked-log", bad: numbered([]int{14, 15, 16, 14, 15, 16}, startTurn2, message("a", "On."), endTurn2, startTurn2, message("b", "Off."), endTurn2),
			good: more(startTurn2, message("a", "On."), endTurn2, startTurn3, message("b", "Off."), endTurn3),
		},
		{
			rule: "seq-regressed", bad: numbered([]int{14, 15, 16, 14, 15, 16}, startTurn2, message("a", "On."), endTurn2, startTurn3, message("b", "Off."), endTurn3),
			good: more(startTurn2, message("a", "On."), endTurn2, startTurn3, message("b", "Off."), endTurn3),
		},
		{rule: "stale-tail", bad: and(stale), good: lampLog},
	}
}

// Events of plugins for more.
var (
	runCommand  = event("command/run", `"commandId":"k1","name":"goal","source":{"kind":"user"}`)
	commandDone = event("command/done", `"commandId":"k1","kind":"success"`)
	invokeHook  = event("hook/invoked", `"turn":2,"point":"Stop","dialect":"codex","handlerId":"h1"`)
	hookResult  = event("hook/result", `"turn":2,"point":"Stop","handlerId":"h1","decision":"pass","durationMs":5`)
	compact     = event("compaction/start", `"compactionId":"z1","turn":null`)
	summarise   = event("compaction/summary", `"compactionId":"z1","summary":[],"shadowedRange":{"start":1,"end":3},"shadowedSeqs":[1,3],"shadowedTokenCount":9,"provider":"p","model":"m"`)
	compacted   = event("compaction/end", `"compactionId":"z1","turn":null`)
	queue       = event("agent/inbox/spliced", `"target":"next-turn","start":0,"inserted":[{"id":"q1","role":"user","content":[],"source":{"kind":"user"}}]`)
	unqueue     = event("agent/inbox/spliced", `"target":"next-turn","start":0,"removedCount":1,"inserted":[]`)
)

func pluginSamples() []sample {
	return []sample{
		{rule: "bracket-unopened", bad: more(commandDone), good: more(runCommand, commandDone)},
		{rule: "bracket-reopened", bad: more(runCommand, runCommand), good: more(runCommand, strings.Replace(runCommand, "k1", "k2", 1))},
		{rule: "bracket-unclosed", bad: more(startTurn2, invokeHook, endTurn2), good: more(startTurn2, invokeHook, hookResult, endTurn2)},
		{rule: "compaction-order", bad: more(compact, compacted), good: more(compact, summarise, compacted)},
		{
			rule: "plugin-misplaced", bad: more(startTurn2, strings.Replace(invokeHook, `"turn":2`, `"turn":7`, 1), endTurn2),
			good: more(startTurn2, invokeHook, hookResult, endTurn2),
		},
		{rule: "event-data", bad: and(strings.Replace(title14, "fallback", "guess", 1)), good: and(title14)},
	}
}

func referenceSamples() []sample {
	return []sample{
		{rule: "inbox-splice", bad: more(unqueue), good: more(queue, unqueue)},
		{rule: "seed-length", bad: with(`"delegationDepth":0`, `"seedLength":15,"delegationDepth":0`), good: with(`"delegationDepth":0`, `"seedLength":3,"delegationDepth":0`)},
		{rule: "event-reference", bad: and(strings.Replace(title14, "[1]", "[2]", 1)), good: and(title14)},
	}
}

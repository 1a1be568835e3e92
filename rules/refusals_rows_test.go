package rules_test

import (
	"strings"

	"github.com/turnlint/turnlint/upgrade"
)

func descriptionRefusals() []refusal {
	return []refusal{
		{
			name: "descriptor-of-version-2", base: "v0-turn",
			more: []string{event("subagent/descriptor", `"mode":"one-shot","version":2,"provider":"p"`)},
			rule: "descriptor-version",
			says: []string{after2, "subagent/descriptor 13 uses unsupported descriptor version 2"},
		},
		{
			name: "descriptor-of-version-2-in-v2", base: "v2", generation: 2,
			more: []string{event("subagent/descriptor", `"mode":"one-shot","version":2,"provider":"p"`)},
			rule: "descriptor-version",
			says: []string{after3, edge23 + "subagent/descriptor 13 version must be one of 3"},
		},
		{
			name: "plugin-event-in-v0", base: "v0-turn",
			more: []string{strings.Replace(event("x/y", ``), `"seq"`, `"ignorable":true,"seq"`, 1)},
			rule: "type-not-upgraded",
			says: []string{after2, `format v0 contains unknown historical event type "x/y" at seq 13; migration refuses unknown historical events even when ignorable`},
		},
		{
			name: "plugin-event-in-v1", base: "v0-turn", generation: 1,
			edit: []string{`"version":0`, `"version":1`}, more: []string{event("x/y", ``)},
			rule: "type-not-upgraded",
			says: []string{after2, `format v1 contains unknown event type "x/y" at seq 13`},
		},
		{
			name: "plugin-event-in-v2", base: "v2", generation: 2,
			more: []string{strings.Replace(event("x/y", ``), `"seq"`, `"ignorable":true,"seq"`, 1)},
			rule: "type-not-upgraded",
			says: []string{after3, "format v2 to v3 cannot safely transform unclassified event x/y"},
		},
		{
			name: "plugin-event-in-v3", base: "v3", generation: 3,
			more: []string{event("x/y", ``)},
			rule: "type-not-upgraded",
			says: []string{after4, `format v3 contains unknown event type "x/y" at seq 14`},
		},
		{
			name: "retired-header-delta", base: "v0-turn",
			more: []string{event("request/header-delta", ``)},
			rule: "type-not-upgraded",
			says: []string{after2, `session "up-0001" contains unsupported legacy request/header-delta event at seq 13`},
		},
		{
			name: "retired-mode-set", base: "v0-turn",
			more: []string{event("mode/set", ``)},
			rule: "type-not-upgraded",
			says: []string{after2, `session "up-0001" contains unsupported legacy mode/set event at seq 13`},
		},
		{
			name: "retired-fallback", base: "v0-turn",
			edit: []string{`"reason":"initial"`, `"reason":"fallback"`},
			rule: "type-not-upgraded",
			says: []string{after2, `session "up-0001" contains unsupported request/header reason "fallback" at seq 3`},
		},
		{
			name: "source-of-another-kind", base: "v0-turn",
			edit: []string{`"source":{"kind":"user"}`, `"source":{"kind":"at-file-mention"}`},
			rule: "source-kind",
			says: []string{after3, "cannot safely transform unclassified message source"},
		},
		{
			name: "source-without-a-kind-in-v3", base: "v3", generation: 3,
			edit: []string{`"source":{"kind":"user"}`, `"source":{"kind":""}`},
			rule: "source-kind",
			says: []string{after4, edge34 + "message source at seq 3 requires a nonempty kind"},
		},
		{
			name: "content-of-another-kind", base: "v0-turn",
			edit: []string{`{"type":"text","text":"hi"}`, `{"type":"chart","points":3}`},
			rule: "content-kind",
			says: []string{after3, `format v2 user/message at seq 2 data.content[0]: cannot safely transform unclassified message content kind "chart"`},
		},
		{
			name: "result-in-a-user-message", base: "v3", generation: 3,
			edit: []string{`"content":[{"type":"text","text":"Is the lamp on?"}]`, `"content":[{"type":"tool-result","toolCallId":"c1","content":[]}]`},
			rule: "content-kind",
			says: []string{after4, target(3, 4) + "format v4 user/message at seq 3 content must not contain a released tool-result wrapper"},
		},
		{
			name: "result-in-a-result", base: "v3", generation: 3,
			edit: []string{`"content":[{"type":"text","text":"on"}]`, `"content":[{"type":"tool-result","toolCallId":"c1","content":[]}]`},
			rule: "content-kind",
			says: []string{after4, "format v3 tool/result at seq 8 contains a nested tool-result unsupported by this converter"},
		},
	}
}

func memberRefusals() []refusal {
	return []refusal{
		{
			name: "member-too-many", base: "v0-turn",
			more: []string{event("todo/write", `"todos":[],"note":"x"`)},
			rule: "payload-members",
			says: []string{after2, edge01 + `todo/write 13 data has unexpected member "note"`},
		},
		{
			name: "member-too-few", base: "v0-turn",
			more: []string{event("todo/write", ``)},
			rule: "payload-members",
			says: []string{after2, edge01 + `todo/write 13 data lacks required member "todos"`},
		},
		{
			name: "member-too-many-in-v2", base: "v2", generation: 2,
			more: []string{event("todo/write", `"todos":[],"note":"x"`)},
			rule: "payload-members",
			says: []string{after3, edge23 + "todo/write data has unexpected field note"},
		},
		{
			name: "tools-that-are-no-list", base: "v0-turn",
			edit: []string{`"tools":[{"name":"bash","description":"run","parameters":{"type":"object"}}]`, `"tools":"<redacted>"`},
			rule: "payload-members",
			says: []string{after2, edge01 + "request/header 3 header tools must be an array"},
		},
		{
			name: "deferred-tool-in-v3", base: "v3", generation: 3,
			edit: []string{`"name":"lamp","description"`, `"deferLoading":true,"name":"lamp","description"`},
			rule: "payload-members",
			says: []string{after4, "format v3 request/header at seq 4.header.tools[0] contains deferLoading, which is only defined in V4"},
		},
		{
			name: "snapshot-without-sections", base: "v0-turn",
			more: []string{event("agent/inbox/spliced", `"target":"next-turn","start":0,"inserted":[{"id":"i1","role":"user","content":[],"source":{"kind":"plugin","plugin":"x","form":"snapshot"}}]`)},
			rule: "inbox-message",
			says: []string{after2, edge01 + "agent/inbox/spliced 13 inserted message source sections must be an array"},
		},
		{
			name: "marker-of-a-newer-format", base: "v2", generation: 2,
			more: []string{event("session-log-deepseek/delivery-accepted", `"sessionId":"lamp","throughSeq":3,"sessionFormatVersion":3`)},
			rule: "delivery-marker",
			says: []string{after3, edge23 + "format v2 delivery marker claims target format v3"},
		},
		{
			name: "marker-of-a-newer-format-in-v3", base: "v3", generation: 3,
			more: []string{event("session-log-deepseek/delivery-accepted", `"sessionId":"lamp","throughSeq":3,"sessionFormatVersion":4`)},
			rule: "delivery-marker",
			says: []string{after4, "format v3 delivery marker claims target format v4"},
		},
		{
			name: "marker-of-another-session", base: "v2", generation: 2,
			more: []string{event("session-log-deepseek/delivery-accepted", `"sessionId":"lantern","throughSeq":3,"sessionFormatVersion":2`)},
			rule: "delivery-marker",
			says: []string{after3, edge23 + "current-generation delivery marker names the wrong Session"},
		},
	}
}

func attemptRefusals() []refusal {
	const cites = `,"sourceEventSeqs":[5,6,7,8,9]`
	return []refusal{
		{
			name: "answer-cites-a-part", base: "v0-turn",
			edit: []string{cites, `,"sourceEventSeqs":[5,6,7,8]`},
			rule: "chunk-provenance",
			says: []string{after2, "assistant/message 10 chunk provenance is not one complete ordered attempt"},
		},
		{
			name: "answer-cites-nothing", base: "v0-turn",
			edit: []string{cites, ``},
			rule: "chunk-provenance",
			says: []string{after2, "assistant/message 10 does not cite its complete v1 chunk attempt"},
		},
		{
			name: "title-cites-a-chunk", base: "v0-turn",
			more: []string{event("session/title", `"title":"t","messageSeqs":[6],"source":{"kind":"fallback"}`)},
			rule: "chunk-provenance",
			says: []string{after2, "session/title 13 messageSeqs targets consumed assistant/chunk 6"},
		},
		{
			name: "fork-inside-an-answer", base: "v0-turn",
			edit: []string{`"delegationDepth":0`, `"delegationDepth":0,"parentSession":"p","seedLength":7`},
			rule: "chunk-provenance",
			says: []string{after2, "inherited Session cut 7 splits one Assistant attempt"},
		},
		{
			name: "chunk-of-another-kind", base: "v0-turn",
			edit: []string{`"chunk":{"type":"usage","usage":{"inputTokens":3,"outputTokens":2}}`, `"chunk":{"type":"sparkle"}`},
			rule: "chunk-provenance",
			says: []string{after2, edge12 + `unreachable variant in AssistantStreamAccumulator.push: {"type":"sparkle"}`},
		},
	}
}

func boundaryRefusals() []refusal {
	return []refusal{
		{
			name: "turn-without-an-end", base: "v0-turn",
			more: []string{turnStart2, strings.Replace(turnStart2, `"turn":2`, `"turn":3`, 1), strings.Replace(turnEnd2, `"turn":2`, `"turn":3`, 1)},
			rule: "turn-boundary",
			says: []string{after2, "turn/start 3 does not close the prior turn"},
		},
		{
			name: "turn-number-left-out", base: "v0-turn",
			more: []string{strings.Replace(turnStart2, `"turn":2`, `"turn":3`, 1), strings.Replace(turnEnd2, `"turn":2`, `"turn":3`, 1)},
			rule: "turn-boundary",
			says: []string{"0.1.3", target(0, 2) + "turn/start 3 does not open expected turn 2", "0.1.5", target(0, 3) + "turn/start 3 does not open expected turn 2", after4, target(0, 4) + "turn/start does not open the expected turn"},
		},
		{
			name: "turn-end-inside-a-step", base: "v2", generation: 2,
			more: []string{turnStart2, stepStart2, turnEnd2},
			rule: "turn-boundary",
			says: []string{"0.1.5", target(2, 3) + "turn/end 2 crosses an open step", after4, target(2, 4) + "turn/end does not match the open turn with no open step"},
		},
		{
			name: "call-outside-a-step", base: "v2", generation: 2,
			more: []string{turnStart2, calls, turnEnd2},
			rule: "turn-boundary",
			says: []string{"0.1.5", target(2, 3) + "tool/call does not match an open turn and step", after4, target(2, 4) + "tool/call does not match an open turn and step"},
		},
		{
			name: "turn-end-inside-a-compaction", base: "v2", generation: 2,
			more: []string{turnStart2, event("compaction/start", `"compactionId":"k","turn":2`), turnEnd2},
			rule: "turn-boundary",
			says: []string{"0.1.5", target(2, 3) + "turn/end crosses an open compaction", after4, target(2, 4) + "turn/end crosses an open compaction"},
		},
		{
			name: "message-before-the-first-step", base: "v0-turn",
			edit: []string{
				`{"type":"step/start","seq":1,"time":1783950000010,"data":{"turn":1,"step":1}}` + "\n", ``,
				`{"type":"user/message","seq":2,`, `{"type":"user/message","seq":1,`,
				`{"type":"request/header","seq":3,`, `{"type":"step/start","seq":2,"time":1783950000020,"data":{"turn":1,"step":1}}` + "\n" + `{"type":"request/header","seq":3,`,
			},
			rule: "surface-before-step",
			says: []string{after3, "format v2 surface before first step cannot acquire a system head without changing chronology"},
		},
		{
			name: "prompt-outside-a-step", base: "v2", generation: 2,
			more: []string{turnStart2, event("request/header", `"header":{"config":{"provider":"p","model":"m"},"system":"Be long."},"reason":"change"`), turnEnd2},
			rule: "surface-before-step",
			says: []string{after3, "format v2 changed request prompt outside an open step cannot retain source chronology"},
		},
	}
}

func callRefusals() []refusal {
	return []refusal{
		{
			name: "call-without-a-result", base: "v2", generation: 2,
			more: []string{turnStart2, stepStart2, asks, calls, stepEnd2, turnEnd2},
			rule: "unsettled-call",
			says: []string{"0.1.5", target(2, 3) + "step/end leaves unresolved tool call c9", after4, target(2, 4) + "step/end leaves unresolved tool call c9"},
		},
		{
			name: "call-that-was-not-asked-for", base: "v2", generation: 2,
			more: []string{turnStart2, stepStart2, calls, stepEnd2, turnEnd2},
			rule: "unsettled-call",
			says: []string{"0.1.5", target(2, 3) + "tool/call c9 does not match one advertised tool call", after4, target(2, 4) + "tool/call c9 has no advertised tool lifecycle"},
		},
		{
			name: "call-asked-for-twice", base: "v2", generation: 2,
			more: []string{turnStart2, stepStart2, asks, strings.Replace(asks, `"a9"`, `"a10"`, 1), calls, plainResult(resultBlock), stepEnd2, turnEnd2},
			rule: "unsettled-call",
			says: []string{"0.1.5", target(2, 3) + "assistant/message repeats advertised tool call c9", after4, target(2, 4) + "assistant/message repeats advertised tool call c9"},
		},
		{
			name: "result-twice", base: "v2", generation: 2,
			more: []string{turnStart2, stepStart2, asks, calls, plainResult(resultBlock), strings.Replace(plainResult(resultBlock), `"r9"`, `"r10"`, 1), stepEnd2, turnEnd2},
			rule: "unsettled-call",
			says: []string{"0.1.5", target(2, 3) + "tool/result c9 has no advertised tool lifecycle", after4, target(2, 4) + "tool/result c9 has no advertised tool lifecycle"},
		},
		{
			name: "result-of-a-call-that-never-started", base: "v2", generation: 2,
			more: []string{turnStart2, stepStart2, asks, plainResult(resultBlock), stepEnd2, turnEnd2},
			rule: "unsettled-call",
			says: []string{"0.1.5", target(2, 3) + "tool/result c9 is not the exact TOOL_NOT_STARTED repair", after4, target(2, 4) + "not-started error requires an object"},
		},
		{
			name: "closer-with-another-id", base: "v2", generation: 2,
			more: []string{turnStart2, stepStart2, asks, strings.NewReplacer(`"r9"`, `"interrupted-tool-result-c9-007"`, `"message"`, `"error":{"name":"ToolNotStartedError","code":"TOOL_NOT_STARTED"},"message"`, `"toolCallId"`, `"isError":true,"toolCallId"`).Replace(plainResult(resultBlock)), stepEnd2, turnEnd2},
			rule: "unsettled-call",
			says: []string{after3, edge23 + "TOOL_NOT_STARTED repair requires its canonical historical message id"},
		},
		{
			name: "result-without-its-block", base: "v3", generation: 3,
			edit: []string{`"toolCallId":"c1"`, `"toolCallId":"c2"`},
			rule: "unsettled-call",
			says: []string{after4, edge34 + "format v3 tool/result at seq 8 requires exactly one tool-result wrapper matching its tool source"},
		},
	}
}

func surfaceRefusals() []refusal {
	return []refusal{
		{
			name: "system-message-without-a-head", base: "v3", generation: 3,
			edit: []string{
				`{"type":"system/message","seq":2,"time":1790000001002,"data":{"turn":1,"step":1,"message":{"id":"s1","role":"system","content":[{"type":"text","text":"Be brief."}],"source":{"kind":"plugin","plugin":"@deepseek-ai/dsh-system-prompt"}}},"surfaceOp":"append"}`,
				`{"type":"todo/write","seq":2,"time":1790000001002,"data":{"todos":[]}}`,
			}, more: []string{turnStart2, stepStart2, `{"type":"system/message","seq":#,"time":1790000002000,"data":{"turn":2,"step":1,"message":{"id":"s2","role":"system","content":[],"source":{"kind":"plugin","plugin":"@deepseek-ai/dsh-system-prompt"}}},"surfaceOp":"append"}`, stepEnd2, turnEnd2},
			rule: "surface-not-upgraded",
			says: []string{after4, target(3, 4) + "system/message requires a protected first surface head"},
		},
		{
			name: "span-that-is-not-there", base: "v2", generation: 2,
			more: []string{`{"type":"user/message","seq":#,"time":1790000002000,"data":{"id":"u9","role":"user","content":[],"source":{"kind":"user"}},"surfaceOp":{"op":"replace","start":3,"end":4},"sourceEventSeqs":[3,4]}`},
			rule: "surface-not-upgraded",
			says: []string{"0.1.5", target(2, 3) + "user/message replacement range is not on the current surface", after4, target(2, 4) + "user/message replacement range is not on the current surface"},
		},
		{
			name: "message-id-of-the-prompt", base: "v0-turn",
			edit: []string{`"id":"u1"`, `"id":"v2-to-v3-system-7986115139d36ba3e450e6d83b38d2adc462f2d121dd70dc36bad09799ff511c"`},
			rule: "upgrade-refused",
			says: []string{after3, "source message id collides with a generated system message id"},
		},
	}
}

func catalogRefusals() []refusal {
	fact := event("subagent/catalog", `"version":0,"childId":"lantern","childCreatedAt":5,"mode":"one-shot"`)
	child := func(created int64, descriptor string) []upgrade.Child {
		return []upgrade.Child{{ID: "lantern", CreatedAt: created, Descriptors: 1, Descriptor: []byte(descriptor), Path: "/sessions/--home-ada-lamp--/lantern/session.v3.jsonl"}}
	}
	return []refusal{
		{
			name: "sub-agent-made-at-another-time", base: "v3", generation: 3,
			more: []string{fact}, children: child(6, `{"mode":"one-shot","version":3,"provider":"p"}`),
			rule: "subagent-catalog",
			says: []string{after4, "Session lantern (raw log: /sessions/--home-ada-lamp--/lantern/session.v3.jsonl) conflicts with its parent catalog"},
		},
		{
			name: "sub-agent-listed-twice", base: "v3", generation: 3,
			more: []string{fact, fact},
			rule: "subagent-catalog",
			says: []string{after4, "duplicate catalog child lantern"},
		},
		{
			name: "sub-agent-without-a-provider", base: "v3", generation: 3,
			children: child(5, `{"mode":"one-shot","version":3}`),
			rule:     "subagent-catalog",
			says:     []string{after4, "Session lantern (raw log: /sessions/--home-ada-lamp--/lantern/session.v3.jsonl) has an invalid subagent descriptor provider"},
		},
		{
			name: "sub-agent-of-another-mode", base: "v3", generation: 3,
			children: child(5, `{"mode":"shy","version":3,"provider":"p"}`),
			rule:     "subagent-catalog",
			says:     []string{after4, "Session lantern (raw log: /sessions/--home-ada-lamp--/lantern/session.v3.jsonl) has an invalid subagent descriptor mode"},
		},
		{
			name: "sub-agent-without-a-label", base: "v3", generation: 3,
			children: child(5, `{"version":1}`),
			rule:     "subagent-catalog",
			says:     []string{after4, edge34 + "Session lantern (raw log: /sessions/--home-ada-lamp--/lantern/session.v3.jsonl) requires a supported versioned catalog fact"},
		},
	}
}

func otherRefusals() []refusal {
	return []refusal{
		{
			name: "title-without-a-message", base: "v2", generation: 2,
			more: []string{event("session/title", `"title":"t","messageSeqs":[],"source":{"kind":"fallback"}`)},
			rule: "upgrade-refused",
			says: []string{"0.1.5", target(2, 3) + "session/title 15 messageSeqs must be empty exactly for a user title", after4, target(2, 4) + "session/title messageSeqs must be empty exactly for a user title"},
		},
		{
			name: "command-that-never-ran", base: "v2", generation: 2,
			more: []string{event("command/done", `"commandId":"k","kind":"success"`)},
			rule: "upgrade-refused",
			says: []string{"0.1.5", target(2, 3) + "command/done k has no prior command/run", after4, target(2, 4) + "command/done has no prior command/run"},
		},
		{
			name: "header-with-another-member", base: "v0-turn",
			edit: []string{`"delegationDepth":0`, `"delegationDepth":0,"timeZone":"UTC"`},
			rule: "upgrade-refused",
			says: []string{after2, `released v0 physical header has unexpected member "timeZone"`},
		},
		{
			name: "answer-without-a-model-in-v3", base: "v3", generation: 3,
			edit: []string{`"source":{"kind":"model","provider":"p","model":"m"}},"stream":[]},"surfaceOp":"append"}` + "\n" + `{"type":"tool/call"`, `"source":{"kind":"user"}},"stream":[]},"surfaceOp":"append"}` + "\n" + `{"type":"tool/call"`},
			rule: "upgrade-refused",
			says: []string{after4, `stored session "lamp" failed validation: Error: session event at seq 6 message must have model source`},
		},
	}
}

// fileRefusals are those of the file itself, about which the log's own generation
// has a word, too.
func fileRefusals() []refusal {
	const todo = `{"type":"todo/write","seq":9000,"time":1790000002000,"data":{"todos":[]}}`
	return []refusal{
		{
			name: "gap-in-v0", base: "v0-turn",
			edit: []string{`"seq":11`, `"seq":12`},
			rule: "seq-gap",
			says: []string{after2, "released Session row 11 has seq gap (expected 11, got 12)"},
		},
		{
			name: "gap-in-v2", base: "v2", generation: 2,
			edit: []string{`"seq":8,`, `"seq":9,`},
			rule: "generation-rule",
			says: []string{after3, "released v2 row 8 has seq gap (expected 8, got 9)"},
		},
		{
			name: "row-that-is-no-JSON", base: "v0-turn",
			edit: []string{`"seq":11,`, `"seq":11;`},
			rule: "undecodable-line",
			says: []string{after2, "corrupt session log: row 12 is not valid JSON"},
		},
		{
			name: "row-without-a-time-in-v2", base: "v2", generation: 2,
			edit: []string{`"time":1790000001008,`, ``},
			rule: "generation-rule",
			says: []string{after3, "released v2 row 8 lacks required field time"},
		},
		{
			name: "fork-without-its-marker", base: "v2", generation: 2,
			edit: []string{`"isSeeded":false`, `"isSeeded":true,"parentSession":"p"`},
			rule: "generation-rule",
			says: []string{after3, "released v2 seeded Session lacks an inherited end-seed marker"},
		},
		{
			name: "marker-without-a-fork", base: "v2", generation: 2,
			more: []string{event("session/end-seed", `"inherited":true`)},
			rule: "upgrade-refused",
			says: []string{after3, edge23 + "format v2 unseeded Session contains an inherited end-seed marker"},
		},
		{
			name: "name-of-another-format", base: "v2", generation: 3,
			rule: "older-format",
			says: []string{after4, "resolved JSONL source filename identifies v3, but its header identifies v2"},
		},
		{
			name: "events-left-out", base: "v0-open",
			more: []string{todo},
			rule: "upgrade-loses",
		},
		{
			name: "events-left-out-in-v2", base: "v2", generation: 2,
			more: []string{turnStart2, todo},
			rule: "upgrade-loses",
		},
		{
			name: "sub-agent-that-cannot-be-read", base: "v3", generation: 3,
			children: []upgrade.Child{{ID: "lantern", CreatedAt: 5, Path: "/sessions/--home-ada-lamp--/lantern/session.v3.jsonl", Fault: "corrupt session log: header line is not valid JSON"}},
			rule:     "unread-subagent",
		},
	}
}

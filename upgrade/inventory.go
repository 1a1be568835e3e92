package upgrade

import "github.com/turnlint/turnlint/internal/jsjson"

// checkPayload checks the payload of an event of generation from (0, 1 or 2)
// against the inventory of that generation: every member of every event type
// (docs/generations.md §4.2). known tells whether the generation has the type.
func checkPayload(e Event, from int) (known bool, err error) {
	data := (&place{event: &e}).member("data")
	if err := record(e.Data(), data, e.Seq); err != nil {
		return true, err
	}
	s := payloads[from][e.Type]
	if s == nil {
		return false, nil
	}
	return true, s(e.Data(), data, e.Seq)
}

// payloads are the shapes of the payloads by generation and type.
var payloads = [...]map[string]shape{
	0: merge(events, streamed, onlyV0),
	1: merge(events, streamed),
	2: merge(events, onlyV2),
}

func merge(tables ...map[string]shape) map[string]shape {
	all := map[string]shape{}
	for _, table := range tables {
		for name, s := range table {
			all[name] = s
		}
	}
	return all
}

// events is the inventory that v0, v1 and v2 have in common. The order of the
// members is that in which dsh misses them.
var events = map[string]shape{
	"turn/start": flat("turn", natural),
	"turn/end":   flat("turn", natural, "reason", turnReason),
	"step/start": inStep(),
	"step/end":   inStep(),

	"user/message": userMessage,
	"tool/call":    inStep("callId", word, "name", word, "arguments", str),
	"tool/result":  inStep("message", resultMessage, "error?", toolError, "meta?", anything),

	"agent/inbox/spliced": flat("target", oneOf("next-turn", "next-step"), "start", natural,
		"inserted", inserted, "removedCount?", natural, "outcome?", oneOf("canceled")),
	"request/header": flat("header", header, "reason", oneOf("initial", "resume", "change", "series"),
		"startsSeries?", oneOf("true")),
	"request/context":  flat("provider", word, "model", word, "contextWindow?", natural),
	"session/end-seed": flat(),

	"agent-preset/selected": flat("agentPreset", word),
	"approval/asked":        flat("id", word, "toolName", word, "callId?", word, "reason?", str),
	"approval/decided":      flat("id", word, "outcome", oneOf("allowed-once", "rejected", "cancelled", "unavailable")),
	"approval/policy":       flat("policy", oneOf("ask", "never"), "source?", oneOf("delegation")),
	"command/run":           flat("commandId", word, "name", word, "args?", str, "source", object("kind", oneOf("user"))),
	"command/done": flat("commandId", word, "kind", oneOf("success", "error"), "text?", str,
		"sourceEventSeq?", earlier),
	"feedback/record":   flat("text", str),
	"model/selection":   flat("provider", word, "model", word, "reasoningEffort?", word),
	"permission/preset": flat("preset", word),
	"plan/mode":         flat("active", boolean),
	"sandbox/mode": flat("mode", oneOf("read-only", "workspace-write", "danger-full-access"),
		"source?", oneOf("delegation")),
	"todo/write":                      flat("todos", list(object("content", str, "status", oneOf("pending", "in_progress", "completed")))),
	"web/deepseek-search-llm-request": flat("endpoint", word, "apiVersion", word, "body", searchBody),

	"compaction/start":   flat("compactionId", word, "turn", orNull(natural), "sourceCommandId?", word),
	"compaction/end":     flat("compactionId", word, "turn", orNull(natural), "sourceCommandId?", word, "error?", failure),
	"compaction/summary": also(summary("compactionId"), summaryRelations),
	"compaction/prune":   also(flat(shadowed...), spanRelation),

	"goal/change":     goalChange,
	"schedule/change": scheduleChange,

	"hook/invoked": flat("turn", natural, "point", word, "dialect", oneOf("claude-code", "codex"),
		"handlerId", word, "matcher?", str),
	"hook/result": flat("turn", natural, "point", word, "handlerId", word, "decision", word,
		"durationMs", finite, "exitCode?", integer, "stderrSummary?", str),

	"llm/retry":         retry("retryId"),
	"llm/retry-started": inStep("retryId", word, "retry", positive),

	"session/title": flat("title", str, "messageSeqs", list(earlier), "source", titleSource),
	"session/title-llm-request": flat("titleProvider", word, "messageSeqs", list(earlier), "route", route,
		"system", str, "messages", list(userMessage), "maxTokens", natural),
	"session-log-deepseek/delivery-accepted": flat("sessionId", word, "throughSeq", earlier, "sessionFormatVersion?", natural),

	"subagent/descriptor":             descriptor,
	"subagent/model-selection-policy": flat("allowedModels", nonEmpty(list(route))),

	"team/member":            team("member", teamMember),
	"team/task":              team("task", teamTask),
	"team/message/queued":    team("message", record),
	"team/message/delivered": flat("version", oneOf("1"), "teamId", word, "messageId", word, "targetId", word),

	"tool/code-dispatch-start":  flat(dispatch...),
	"tool/code-dispatch":        flat(append(dispatch[:len(dispatch):len(dispatch)], "isError", boolean, "content", blocks)...),
	"tool-workflow/run-start":   flat("runId", word, "name", str),
	"tool-workflow/run-end":     flat("runId", word, "stopReason", oneOf("completed", "cancelled", "error")),
	"tool-workflow/agent-start": flat("runId", word, "seq", positive, "label", str, "childId", word, "phase?", str),
	"tool-workflow/agent-end":   flat("runId", word, "seq", positive, "outcome", oneOf("completed", "failed", "cancelled")),
}

// streamed are the events of a stream that v2 folded into its message.
var streamed = map[string]shape{
	"assistant/chunk":   record,
	"assistant/message": inStep(assistantMembers...),
}

// onlyV0 is what v0 has beyond v1: what earlier writers left behind.
var onlyV0 = map[string]shape{
	"turn/start":                             flat("turn", natural, "trigger?", record),
	"turn/end":                               flat("turn", natural, "reason", earlyReason),
	"user/message":                           either(isEarlyMessage, flat("content", blocks, "source", source), userMessage),
	"assistant/message":                      either(has("content", "provenance"), earlyAssistant, inStep(assistantMembers...)),
	"tool/result":                            either(has("callId", "content", "isError"), earlyResult, events["tool/result"]),
	"steering/message":                       either(has("message"), flat("turn", natural, "message", userMessage), flat("turn", natural, "content", blocks, "source", source)),
	"request/header":                         flat("header", earlyHeader, "reason", oneOf("initial", "resume", "change", "series"), "startsSeries?", oneOf("true")),
	"llm/retry":                              retry("retryId?"),
	"llm/retry-started":                      inStep("retryId?", word, "retry", positive),
	"compact/start":                          flat("compactionId?", word, "turn", orNull(natural), "sourceCommandId?", word),
	"compact/end":                            flat("compactionId?", word, "turn", orNull(natural), "sourceCommandId?", word, "error?", failure),
	"compact/summary":                        also(summary("compactionId?"), summaryRelations),
	"compact/prune":                          events["compaction/prune"],
	"compaction/start":                       flat("compactionId?", word, "turn", orNull(natural), "sourceCommandId?", word),
	"compaction/end":                         flat("compactionId?", word, "turn", orNull(natural), "sourceCommandId?", word, "error?", failure),
	"compaction/summary":                     also(summary("compactionId?"), summaryRelations),
	"session-log-deepseek/delivery-accepted": flat("sessionId", word, "throughSeq", earlier),
}

// onlyV2 is what v2 has beyond v1, and the marker of a seeded log.
var onlyV2 = map[string]shape{
	"assistant/message":       inStep(append(assistantMembers[:len(assistantMembers):len(assistantMembers)], "stream", list(record))...),
	"assistant/attempt":       inStep("stream", list(record)),
	"session/end-seed":        flat("inherited?", anything),
	"feedback/message-put":    flat("sessionId", word, "item", feedback),
	"feedback/message-delete": flat("sessionId", word, "messageId", word),
	"subagent/descriptor": also(flat("version", oneOf("3"), "mode?", anything, "provider?", anything, "label?", anything,
		"agentProvider?", anything, "agentModel?", anything, "agentReasoningEffort?", anything, "persona?", anything,
		"toolFilter?", anything), descriptor),
}

// inStep is the payload of an event that names its turn and step.
func inStep(pairs ...any) shape {
	return flat(append([]any{"turn", natural, "step", natural}, pairs...)...)
}

var (
	usage = object("inputTokens", natural, "outputTokens", natural, "totalTokens?", natural,
		"cacheReadTokens?", natural, "cacheWriteTokens?", natural, "reasoningTokens?", natural)
	failure = object("message", str, "code", str, "status?", finite,
		"providerRetryAfterMs?", finite, "requestId?", str)
	toolError = object("name", str, "code", str)
	route     = object("provider", word, "model", word)
	onlyKind  = object("kind", anything)

	assistantMembers = []any{"message", assistantMessage, "usage?", usage, "interrupted?", oneOf("true")}
	dispatch         = []any{"rootCallId", word, "parentCallId", word, "subCallId", word, "name", word, "arguments", anything}
	shadowed         = []any{
		"shadowedRange", object("start", natural, "end", natural), "shadowedSeqs", nonEmpty(list(earlier)),
		"shadowedTokenCount", natural,
	}
	feedback = object("messageId", word, "rating", word, "version", str, "createdAt", natural, "updatedAt", natural, "note?", str)
	// A search request has the body of a foreign protocol.
	searchBody = requires("model")
)

// requires is an object with at least the given members.
func requires(keys ...string) shape {
	return func(v jsjson.Value, at *place, _ int64) error {
		if v.Kind != jsjson.Object {
			return wrong(at, "must be a JSON object")
		}
		for _, key := range keys {
			if !v.Has(key) {
				return wrong(at, `lacks required member "%s"`, key)
			}
		}
		return nil
	}
}

// either chooses between two shapes of a payload by the members that it has.
func either(choose func(jsjson.Value) bool, yes, no shape) shape {
	return func(v jsjson.Value, at *place, seq int64) error {
		if choose(v) {
			return yes(v, at, seq)
		}
		return no(v, at, seq)
	}
}

// has tells whether an object has all the given members.
func has(keys ...string) func(jsjson.Value) bool {
	return func(v jsjson.Value) bool {
		for _, key := range keys {
			if !v.Has(key) {
				return false
			}
		}
		return true
	}
}

func team(key string, s shape) shape {
	return flat("version", oneOf("1"), "teamId", word, key, s)
}

var (
	teamMember = object("id", word, "name", word, "description", str, "provider", word,
		"context", oneOf("fresh", "fork"), "phase", oneOf("provisioning", "active", "failed"), "error?", str)
	teamTask = object("id", word, "revision", natural, "subject", str, "description", str, "status", word,
		"blockedBy", list(word), "writeScopes", list(str), "ownerId?", word)

	titleSource = tagged("kind", map[string]shape{
		"provider": object("kind", anything, "provider", word, "model?", route),
		"fallback": onlyKind,
		"user":     onlyKind,
	})
)

func retry(id string) shape {
	normal := retryShape(id, "maxRetries", natural)
	always := retryShape(id)
	return either(func(v jsjson.Value) bool { return v.Get("mode").EqualText("normal") }, normal, always)
}

func retryShape(id string, more ...any) shape {
	return inStep(append([]any{
		id, word, "provider", word, "mode", oneOf("normal", "always"), "policyKey", word,
		"retry", positive, "delayMs", finite, "failure", failure,
	}, more...)...)
}

func summary(id string) shape {
	return flat(append([]any{
		id, word, "summary", blocks, "provider", word, "model", word, "sourceCommandId?", word,
		"maxTokens?", natural, "usage?", usage, "rawOutput?", blocks, "llmStreamCall?", oneOf("true"),
	}, shadowed...)...)
}

func summaryRelations(v jsjson.Value, at *place, seq int64) error {
	if v.Has("llmStreamCall") && !v.Has("rawOutput") {
		return wrong(at.up, "llmStreamCall requires rawOutput")
	}
	return spanRelation(v, at, seq)
}

// spanRelation compares the ends of a shadowed range with the seqs in it.
func spanRelation(v jsjson.Value, at *place, _ int64) error {
	var first, last jsjson.Value
	for seq := range v.Get("shadowedSeqs").Elements() {
		if !first.Exists() {
			first = seq
		}
		last = seq
	}
	span := v.Get("shadowedRange")
	if !jsjson.StrictEqual(span.Get("start"), first) || !jsjson.StrictEqual(span.Get("end"), last) {
		return wrong(at.up, "shadowedRange must match shadowedSeqs endpoints")
	}
	return nil
}

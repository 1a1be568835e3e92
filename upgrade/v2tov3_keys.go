package upgrade

import (
	"slices"
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// keys are the members that an object must and may have.
type keys struct{ required, optional []string }

// keysOf reads a list of keys, those that end in "?" being optional.
func keysOf(list string) keys {
	var k keys
	for key := range strings.FieldsSeq(list) {
		if bare, ok := strings.CutSuffix(key, "?"); ok {
			k.optional = append(k.optional, bare)
		} else {
			k.required = append(k.required, key)
		}
	}
	return k
}

// check refuses an object that lacks a member or has another one. Names are those
// of the edge from v2 to v3.
func (k *keys) check(o Object, name string) error {
	for _, key := range k.required {
		if !o.Has(key) {
			return refuse("%s lacks required field %s", name, key)
		}
	}
	for i := range o {
		if key := o[i].Key; !slices.ContainsFunc(k.required, key.EqualText) && !slices.ContainsFunc(k.optional, key.EqualText) {
			return refuse("%s has unexpected field %s", name, jsjson.ToValidUTF8(key.Text()))
		}
	}
	return nil
}

// The members of envelopes.
var (
	envelopeKeys = keysOf("type seq time data ignorable?")
	surfaceKeys  = keysOf("type seq time data ignorable? surfaceOp sourceEventSeqs?")
)

// payloadKeys are the members of the payload of every event type that the edge
// from v2 to v3 takes; those that end in "?" are optional. dsh checks them before
// it looks at any value.
var payloadKeys = keysByType(map[string]string{
	"turn/start": "turn",
	"turn/end":   "turn reason",
	"step/start": "turn step",
	"step/end":   "turn step",

	"user/message":      "id role content source",
	"assistant/message": "turn step message stream usage? interrupted?",
	"assistant/attempt": "turn step stream",
	"tool/call":         "turn step callId name arguments",
	"tool/result":       "turn step message error? meta?",

	"agent/inbox/spliced": "target start inserted removedCount? outcome?",
	"request/header":      "header reason startsSeries?",
	"request/context":     "provider model contextWindow?",
	"session/end-seed":    "inherited?",

	"agent-preset/selected": "agentPreset",
	"approval/asked":        "id toolName callId? reason?",
	"approval/decided":      "id outcome",
	"approval/policy":       "policy source?",
	"command/run":           "commandId name args? source",
	"command/done":          "commandId kind text? sourceEventSeq?",
	"feedback/record":       "text",
	"model/selection":       "provider model reasoningEffort?",
	"permission/preset":     "preset",
	"plan/mode":             "active",
	"sandbox/mode":          "mode source?",
	"todo/write":            "todos",

	"feedback/message-put":            "sessionId item",
	"feedback/message-delete":         "sessionId messageId",
	"web/deepseek-search-llm-request": "endpoint apiVersion body",

	"compaction/start": "compactionId turn sourceCommandId?",
	"compaction/end":   "compactionId turn sourceCommandId? error?",
	"compaction/summary": "compactionId summary shadowedRange shadowedSeqs shadowedTokenCount provider model " +
		"sourceCommandId? maxTokens? usage? rawOutput? llmStreamCall?",
	"compaction/prune": "shadowedRange shadowedSeqs shadowedTokenCount",

	"goal/change":     "kind version operation goal? roundsStarted? createdAt? updatedAt? cleared? clearedAt?",
	"schedule/change": "version operation schedule? id? acceptedAt?",

	"hook/invoked": "turn point dialect handlerId matcher?",
	"hook/result":  "turn point handlerId decision durationMs exitCode? stderrSummary?",

	"llm/retry":         "retryId turn step provider mode policyKey retry delayMs failure maxRetries?",
	"llm/retry-started": "retryId turn step retry",

	"session/title":             "title messageSeqs source",
	"session/title-llm-request": "titleProvider messageSeqs route system messages maxTokens",
	deliveryAccepted:            "sessionId throughSeq sessionFormatVersion?",

	"subagent/descriptor": "mode version provider label? agentProvider? agentModel? agentReasoningEffort? " +
		"persona? toolFilter?",
	"subagent/model-selection-policy": "allowedModels",

	"team/member":            "version teamId member",
	"team/task":              "version teamId task",
	"team/message/queued":    "version teamId message",
	"team/message/delivered": "version teamId messageId targetId",

	"tool/code-dispatch-start":  "rootCallId parentCallId subCallId name arguments",
	"tool/code-dispatch":        "rootCallId parentCallId subCallId name arguments isError content",
	"tool-workflow/run-start":   "runId name",
	"tool-workflow/run-end":     "runId stopReason",
	"tool-workflow/agent-start": "runId seq label childId phase?",
	"tool-workflow/agent-end":   "runId seq outcome",
})

func keysByType(lists map[string]string) map[string]keys {
	all := make(map[string]keys, len(lists))
	for name, list := range lists {
		all[name] = keysOf(list)
	}
	return all
}

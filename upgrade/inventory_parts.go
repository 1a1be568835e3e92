package upgrade

import "github.com/turnlint/turnlint/internal/jsjson"

// Goals and schedules.

var goalChange = either(func(v jsjson.Value) bool { return v.Get("operation").EqualText("clear") },
	flat(goalOperation(oneOf("clear"), "cleared", object("id", word, "revision", natural), "clearedAt", natural)...),
	flat(goalOperation(oneOf("create", "edit", "pause", "resume", "complete", "block"),
		"goal", goal, "roundsStarted", natural, "createdAt", natural, "updatedAt", natural)...))

func goalOperation(operation shape, more ...any) []any {
	return append([]any{"kind", oneOf("goal/change"), "version", oneOf("1"), "operation", operation}, more...)
}

var (
	goal = object("id", word, "revision", natural, "objective", str,
		"phase", oneOf("active", "paused", "blocked", "complete"),
		"blockedReason?", object("code", str, "message", str), "maxGoalRounds", natural)

	scheduleChange = operation(map[string]shape{
		"create":   flat(scheduleOperation("schedule", schedule)...),
		"delete":   flat(scheduleOperation("id", word)...),
		"dispatch": flat(scheduleOperation("id", word, "acceptedAt?", natural)...),
	})
	schedule = object("id", word, "kind", oneOf("after", "at", "every"), "prompt", str,
		"afterSeconds?", natural, "everySeconds?", natural, "scheduledAt", natural)
)

func scheduleOperation(more ...any) []any {
	return append([]any{"version", oneOf("1"), "operation", anything}, more...)
}

// operation is an object whose member operation is one of the given ones.
func operation(shapes map[string]shape) shape {
	return func(v jsjson.Value, at *place, seq int64) error {
		if s := shapes[v.Get("operation").Text()]; s != nil {
			return s(v, at, seq)
		}
		return oneOf("create", "delete", "dispatch")(v.Get("operation"), at.up.member("operation"), seq)
	}
}

// Subagents.

// descriptor is the description of a subagent, in any version of it.
var descriptor = either(func(v jsjson.Value) bool { return v.Get("mode").EqualText("continuable") },
	also(flat("version", natural, "mode", anything, "provider", word, "label?", word,
		"agentProvider?", word, "agentModel?", word, "agentReasoningEffort?", word, "persona?", str,
		"toolFilter?", object("allow?", list(word), "deny?", list(word))), continuable),
	flat("version", natural, "mode", oneOf("one-shot", "continuable"), "provider", word, "label?", word))

func continuable(v jsjson.Value, at *place, seq int64) error {
	if err := word(v.Get("label"), at.up.member("label"), seq); err != nil {
		return err
	}
	if v.Has("agentProvider") != v.Has("agentModel") {
		return wrong(at.up, "agentProvider and agentModel must occur together")
	}
	return nil
}

// Requests.

var (
	header      = object(headerMembers...)
	earlyHeader = object(append(headerMembers[:len(headerMembers):len(headerMembers)], "messagePrefix?", anything)...)

	headerMembers = []any{
		"config", config, "adapterDefaults?", object("reasoningEffort?", oneOf("true"), "maxTokens?", oneOf("true")),
		"system?", str, "tools?", list(object("name", word, "description", str, "parameters", anything)),
	}
	config = flat("provider", word, "model", word, "reasoningEffort?", word, "temperature?", finite,
		"maxTokens?", natural, "stop?", list(str))
)

// The ends of turns.

var (
	turnReason  = tagged("kind", reasons)
	earlyReason = tagged("kind", merge(reasons, earlyReasons))

	reasons = map[string]shape{
		"completed": onlyKind, "blocked": onlyKind, "max-tokens": onlyKind, "interrupted": onlyKind,
		"aborted": object("kind", anything, "reason", named("abort", abortReason)),
		"error":   object("kind", anything, "error", failure),
	}
	// earlyReasons are those that v0 also has.
	earlyReasons = map[string]shape{
		"disposed": onlyKind,
		"aborted":  object("kind", anything, "reason?", named("abort", abortReason)),
		"error": either(has("error"), object("kind", anything, "error", failure),
			object("kind", anything, "step", natural, "message?", str, "code?", str, "failure?", failure)),
	}
	abortReason = either(func(v jsjson.Value) bool { return v.Get("kind").EqualText("hook") },
		object("kind", anything, "reason", str),
		object("kind", oneOf("user", "parent", "disposed", "legacy")))
)

// Messages.

var (
	userMessage      = message("user", source)
	assistantMessage = message("assistant", modelSource)
	resultMessage    = also(message("user", toolSource), resultBlock)

	inserted       = insertedList
	earlyAssistant = inStep("content", blocks, "provenance", object("provider", word, "model", word, "replayState?", anything), "usage?", usage)
	earlyResult    = inStep("callId", word, "content", blocks, "isError", boolean, "error?", toolError, "meta?", anything)
)

// message is a message of one role. As the payload of an event of its own its
// members' places leave out its name.
func message(role string, origin shape) shape {
	list := fields("role", oneOf(role), "content", blocks, "source", origin, "id", word)
	return members(list, func(at *place) *place {
		if at.name == "data" && at.index < 0 {
			return at.up
		}
		return at
	})
}

func insertedList(v jsjson.Value, at *place, seq int64) error {
	if v.Kind != jsjson.Array {
		return wrong(at, "must be an array")
	}
	for m := range v.Elements() {
		if err := userMessage(m, at.up.member("inserted message"), seq); err != nil {
			return err
		}
	}
	return nil
}

func resultBlock(v jsjson.Value, at *place, _ int64) error {
	content := v.Get("content")
	var block jsjson.Value
	for b := range content.Elements() {
		block = b
	}
	if content.Len() != 1 || !block.Get("type").EqualText("tool-result") ||
		!jsjson.StrictEqual(block.Get("toolCallId"), v.Get("source").Get("callId")) {
		return wrong(at, "must contain exactly one tool-result block")
	}
	return nil
}

// isEarlyMessage tells whether a user message dates from before messages had an
// identity.
func isEarlyMessage(v jsjson.Value) bool {
	return has("content", "source")(v) && !v.Has("id") && !v.Has("role")
}

// blocks is the content of a message. Blocks of unknown types may be anything.
// Only here do shapes contain themselves, as results lie in results; see maxDepth.
func blocks(v jsjson.Value, at *place, seq int64) error { return list(block)(v, at, seq) }

func block(v jsjson.Value, at *place, seq int64) error { return tagged("type", blockTypes)(v, at, seq) }

var blockTypes map[string]shape

func init() {
	blockTypes = map[string]shape{
		"text":        object("type", anything, "text", str),
		"reasoning":   object("type", anything, "text", str),
		"image":       object("type", anything, "attachment", image),
		"tool-call":   object("type", anything, "id", word, "name", word, "arguments", str),
		"tool-result": object("type", anything, "toolCallId", word, "content", blocks, "isError?", boolean),
	}
}

var (
	image = object("attachmentId", word, "mediaType", oneOf("image/png", "image/jpeg", "image/webp", "image/gif"),
		"bytes", natural, "width", positive, "height", positive, "name?", str, "originalDimensions?", dimensions)
	dimensions = object("width", positive, "height", positive)
)

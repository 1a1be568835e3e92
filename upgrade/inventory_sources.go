package upgrade

import (
	"github.com/turnlint/turnlint/internal/jsjson"
)

// source is where a message comes from. Sources of unknown kinds may be anything.
var source = tagged("kind", merge(sourceKinds, map[string]shape{"model": model, "tool": toolOrigin}))

var (
	modelSource = only("model", model)
	toolSource  = only("tool", toolOrigin)

	model      = object("kind", anything, "provider", word, "model", word, "replayState?", anything)
	toolOrigin = object("kind", anything, "callId", word)
)

// only is a source of one kind.
func only(kind string, s shape) shape {
	return func(v jsjson.Value, at *place, seq int64) error {
		if err := tagged("kind", nil)(v, at, seq); err != nil {
			return err
		}
		if !v.Get("kind").EqualText(kind) {
			return wrong(at, "must be %s source", kind)
		}
		return s(v, at, seq)
	}
}

var sourceKinds = map[string]shape{
	"user":   object("kind", anything, "rpcId?", str, "clientTimeZone?", str),
	"plugin": either(func(v jsjson.Value) bool { return v.Get("plugin").EqualText("compact") }, checkpoint, plugin),
	"agent-instructions": object("kind", anything, "form", oneOf("instructions"), "changes", list(record),
		"baseline?", boolean, "baselineIdentity?", str),
	"session-reference": object("kind", anything, "form", oneOf("recall"), "version", oneOf("1"), "references", list(record)),
	"team-message": object("kind", anything, "teamId", word, "messageId", word, "senderId", word,
		"senderName", word),
	"goal": either(has("change"), earlyGoal,
		object("kind", anything, "goalId", word, "revision", natural, "round", positive)),
	"skill-invocation": object("kind", anything, "name", word, "form", word),
	"skill-catalog":    object("kind", anything, "form", oneOf("catalog"), "entries", list(record), "update?", boolean),
	"coordinator":      relay,
	"subagent-report":  relay,
	"subagent-settled": object("kind", anything, "form", oneOf("notice"), "summary", str, "senderSessionId", word),
	"webhook": object("kind", anything, "provider", word, "source", word, "deliveryId", word, "ruleId", word,
		"form", oneOf("notice"), "summary", str),
}

var (
	relay = object("kind", anything, "form", oneOf("relay"), "senderSessionId", word)

	pluginMembers = []any{"kind", anything, "plugin", word, "form?", str, "sections?", anything, "summary?", anything}
	plugin        = also(object(pluginMembers...), pluginForm)
	checkpoint    = also(object(append(pluginMembers[:len(pluginMembers):len(pluginMembers)],
		"compactionId?", anything, "sourceCommandId?", word)...), checkpointForm)

	// earlyGoal is the message that once carried the change of a goal.
	earlyGoal = object("kind", anything, "goalId", word, "revision", natural, "round", oneOf("0"), "change", earlyGoalChange)

	section = object("name", str, "text", str)
)

// earlyGoalChange is the payload of a goal/change inside the source of a message.
func earlyGoalChange(v jsjson.Value, at *place, seq int64) error {
	return goalChange(v, at.member(""), seq)
}

// pluginForm checks what the form of a plugin's message demands.
func pluginForm(v jsjson.Value, at *place, seq int64) error {
	form := v.Get("form")
	switch {
	case form.EqualText("snapshot"):
		if err := list(section)(v.Get("sections"), at.member("sections"), seq); err != nil {
			return err
		}
	case v.Has("sections"):
		return wrong(at, "sections require snapshot form")
	}
	switch {
	case form.EqualText("notice"):
		return str(v.Get("summary"), at.member("summary"), seq)
	case v.Has("summary"):
		return wrong(at, "summary requires notice form")
	}
	return nil
}

func checkpointForm(v jsjson.Value, at *place, seq int64) error {
	if err := word(v.Get("compactionId"), at.member("compactionId"), seq); err != nil {
		return err
	}
	return pluginForm(v, at, seq)
}

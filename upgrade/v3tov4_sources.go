package upgrade

import "github.com/turnlint/turnlint/internal/jsjson"

// producers are the kinds that the messages of plugins have from v4 on, where the
// name of the plugin alone does not give it.
var producers = map[string]string{
	"compact":              "compact-checkpoint",
	"dsh-compaction-basic": "compact-basic",
	"tools-code-mode":      "ptc-mode",
	"tools-ptc":            "ptc-mode",
	promptPlugin:           "runtime-context",
}

// promptPlugin writes the system messages, and context into user messages.
const promptPlugin = "@deepseek-ai/dsh-system-prompt"

// ownNames are the plugins of dsh whose name became the kind.
var ownNames = map[string]bool{
	"cordis-host-runner": true, "dsh-session-title-llm": true, "hooks-claude-code": true, "hooks-codex": true,
	"model-selection": true, "plan-mode": true, "repeat-tool-reminder": true, "schedule": true,
	"time-context": true, "tmux-context": true, "tool-cordis": true, "tool-goal": true, "tool-jobs": true,
	"user-approval": true,
}

// source gives the message of a plugin the kind of its producer. It returns no
// value for a source that is to stay.
func (s *v3ToV4) source(e Event, message Object) (jsjson.Value, error) {
	source := message.Get("source")
	if source.Kind != jsjson.Object {
		return jsjson.Value{}, nil
	}
	kind := source.Get("kind")
	if !kind.NonEmptyString() {
		return source, refuse("message source at seq %d requires a nonempty kind", e.Seq)
	}
	if !kind.EqualText("plugin") {
		return jsjson.Value{}, nil
	}
	plugin := source.Get("plugin")
	if plugin.Kind != jsjson.String {
		return source, refuse("plugin source at seq %d is not canonical: plugin requires a string", e.Seq)
	}
	producer := producerOf(plugin.Text(), message.Get("role").EqualText("system"))
	return ObjectOf(source).Without("plugin").With("kind", text(producer)).Value(), nil
}

func producerOf(plugin string, system bool) string {
	switch {
	case system && plugin == promptPlugin:
		return "system-prompt"
	case producers[plugin] != "":
		return producers[plugin]
	case ownNames[plugin]:
		return plugin
	}
	return "plugin:" + plugin
}

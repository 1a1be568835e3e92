package scan

import (
	"fmt"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// build runs the checks of the session constructor on one event: envelope,
// request header, surface (docs/format.md §4.5). It returns dsh's message for
// the first that fails, and what that is about, or "".
func (l *loader) build(e *session.Event) (Reason, string) {
	if !e.ValidEnvelope() {
		return ReasonEnvelope, fmt.Sprintf("seed event at index %d has an invalid event envelope", l.count)
	}
	if e.Kind == session.RequestHeader {
		if fault := requestHeader(e.Field("header")); fault != "" {
			return ReasonRequestHeader, fmt.Sprintf("seed request/header at index %d %s", l.count, fault)
		}
	}
	if reason, fault := l.surface.apply(e, l.count); fault != "" {
		return reason, fmt.Sprintf("invalid seed event at index %d: %s", l.count, fault)
	}
	return 0, ""
}

// requestHeader checks data.header of a request/header (docs/format.md §2.7).
func requestHeader(header jsjson.Value) string {
	config := header.Get("config")
	if !config.Get("provider").NonEmptyString() || !config.Get("model").NonEmptyString() {
		return "lacks provider/model"
	}
	if effort := config.Get("reasoningEffort"); effort.Exists() && !effort.NonEmptyString() {
		return "has an invalid reasoningEffort"
	}
	if defaults := header.Get("adapterDefaults"); defaults.Exists() && !adapterDefaults(defaults, config) {
		return "has invalid adapterDefaults"
	}
	return ""
}

// adapterDefaults reports whether the defaults name only settings that config
// has too, each with the value true.
func adapterDefaults(defaults, config jsjson.Value) bool {
	if defaults.Kind != jsjson.Object {
		return false
	}
	for m := range defaults.Members() {
		key := m.Key.Text()
		if key != "reasoningEffort" && key != "maxTokens" {
			return false
		}
		if defaults.Get(key).Kind != jsjson.True || !config.Has(key) {
			return false
		}
	}
	return true
}

package rules

import (
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// signal is a trait that dates the build which wrote an event: not before floor,
// and before ceiling or on that day; "" says nothing. The dates are those of
// docs/format.md §6.2.
type signal struct {
	what           string
	floor, ceiling string
}

// The dates on which the rule of enclosure was relaxed (docs/format.md §6.1).
const (
	ctxSince   = "2026-07-27" // user messages may stand outside a turn
	openSince  = "2026-07-28" // events of plugins may, too
	reactSince = "2026-08-05" // dsh itself keeps user messages inside again
)

// The signals of docs/format.md §6.2. Loose events are signals there as well,
// but are left out here, since they would excuse themselves.
var (
	headerVersion0   = &signal{"header version 0", "2026-06-21", ""}
	headerSeed       = &signal{"seedLength in the header", "2026-06-23", ""}
	headerDepth      = &signal{"delegationDepth in the header", "2026-07-20", ""}
	headerOrigin     = &signal{"origin in the header", "2026-08-02", ""}
	headerPreset     = &signal{"agentPreset in the header", "2026-08-10", ""}
	compressed       = &signal{"zstd frames", "2026-07-20", ""}
	typeUsage        = &signal{`type "usage" or "error"`, "", "2026-06-21"}
	noMarker         = &signal{"message without surfaceOp", "", "2026-06-26"}
	marker           = &signal{"surfaceOp", "2026-06-26", ""}
	typeContext      = &signal{`type "context/message"`, "", "2026-07-24"}
	typeHeaderDelta  = &signal{`type "request/header-delta"`, "2026-07-07", "2026-07-17"}
	typeHeader       = &signal{`type "request/header"`, "2026-07-07", ""}
	noProvenance     = &signal{"assistant message without provenance", "", "2026-07-17"}
	packedRow        = &signal{"packed row", "2026-07-22", ""}
	blockedPrompt    = &signal{`type "prompt/blocked"`, "2026-07-04", ctxSince}
	reasonRejected   = &signal{`reason "rejected"`, "2026-07-04", ctxSince}
	triggerTitle     = &signal{`trigger "session-title"`, "2026-07-21", openSince}
	triggerInjection = &signal{`trigger "injection"`, "", ctxSince}
	noMessageID      = &signal{"message without id", "", openSince}
	messageID        = &signal{"message with id", openSince, ""}
	endSeed          = &signal{`type "session/end-seed"`, "2026-07-30", ""}
	trigger          = &signal{"turn/start with trigger", "", reactSince}
	noTrigger        = &signal{"turn/start without trigger", reactSince, ""}
	typeSteering     = &signal{`type "steering/message"`, "", reactSince}
	legacyReason     = &signal{"reason of an earlier writer", "", reactSince}
	reactReason      = &signal{"reason of the react loop", reactSince, ""}
	reactType        = &signal{"inbox or goal event", reactSince, ""}
	typeCompact      = &signal{`type "compact/…"`, "", "2026-08-13"}
	typeCompaction   = &signal{`type "compaction/…"`, "2026-08-13", ""}
	keyIgnorable     = &signal{"key ignorable", "2026-08-11", ""}
	oldCloserCode    = &signal{`error code "interrupted"`, "", "2026-07-22"}
	closerCode       = &signal{`error code "TOOL_…"`, "2026-07-22", ""}
)

// headerSignals yields the signals of the header to see.
func headerSignals(h *session.Header, encoding scan.Encoding, see func(*signal)) {
	see(headerVersion0)
	see(headerDepth)
	if encoding == scan.Zstd {
		see(compressed)
	}
	if h.SeedLength.Exists() {
		see(headerSeed)
	}
	if h.Origin.Exists() {
		see(headerOrigin)
	}
	if h.AgentPreset.Exists() {
		see(headerPreset)
	}
}

// eventSignals yields the signals of an event, in the shape in which it is
// stored, to see.
func eventSignals(e *session.Event, see func(*signal)) {
	if e.Ignorable.Exists() {
		see(keyIgnorable)
	}
	switch e.Kind {
	case session.TurnStart:
		turnStartSignals(e.Field("trigger"), see)
	case session.TurnEnd:
		reasonSignals(e.Field("reason"), see)
	case session.UserMessage, session.AssistantMessage, session.ToolResult:
		messageSignals(e, see)
	case session.RequestHeader:
		see(typeHeader)
	case session.EndSeed:
		see(endSeed)
	case session.InboxSpliced, session.GoalChange:
		see(reactType)
	case session.CompactionStart, session.CompactionSummary, session.CompactionPrune, session.CompactionEnd:
		see(typeCompaction)
	case session.Unknown:
		retiredSignals(e.Type, see)
	}
}

func turnStartSignals(by jsjson.Value, see func(*signal)) {
	if !by.Exists() {
		see(noTrigger)
		return
	}
	see(trigger)
	switch kind := by.Get("kind"); {
	case kind.EqualText("session-title"):
		see(triggerTitle)
	case kind.EqualText("injection"):
		see(triggerInjection)
	}
}

func reasonSignals(reason jsjson.Value, see func(*signal)) {
	switch kind := reason.Get("kind"); {
	case kind.EqualText("rejected"):
		see(reasonRejected)
	case kind.EqualText("disposed"), kind.EqualText("aborted") && !reason.Has("reason"):
		see(legacyReason)
	case kind.EqualText("blocked"), kind.EqualText("error") && reason.Has("error"):
		see(reactReason)
	case kind.EqualText("error") && reason.Has("step"):
		see(legacyReason)
	}
}

func messageSignals(e *session.Event, see func(*signal)) {
	if e.Surface.Exists() {
		see(marker)
	} else {
		see(noMarker)
	}
	if e.Message().ID.NonEmptyString() {
		see(messageID)
	} else if withoutID(e) {
		see(noMessageID)
		if e.Kind == session.AssistantMessage && !e.Field("provenance").Exists() {
			see(noProvenance)
		}
	}
	if e.Kind == session.ToolResult {
		code := e.Field("error").Get("code")
		if code.EqualText("interrupted") {
			see(oldCloserCode)
		} else if strings.HasPrefix(code.Text(), "TOOL_") {
			see(closerCode)
		}
	}
}

// withoutID reports whether a message has the shape that it had before messages
// had ids (docs/format.md §4.2).
func withoutID(e *session.Event) bool {
	switch e.Kind {
	case session.UserMessage:
		return e.Field("content").Exists() && !e.Field("id").Exists() && !e.Field("role").Exists()
	case session.AssistantMessage:
		return e.Field("content").Exists() && !e.Field("message").Exists()
	}
	return e.Field("callId").Exists() && !e.Field("message").Exists()
}

func retiredSignals(name jsjson.Value, see func(*signal)) {
	switch text := name.Text(); text {
	case "usage", "error":
		see(typeUsage)
	case "context/message":
		see(typeContext)
	case "request/header-delta":
		see(typeHeaderDelta)
	case "prompt/blocked":
		see(blockedPrompt)
	case "steering/message":
		see(typeSteering)
	case "compact/start", "compact/summary", "compact/prune", "compact/end":
		see(typeCompact)
	}
}

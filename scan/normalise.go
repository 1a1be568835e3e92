package scan

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// normaliser turns the shapes of earlier writers into today's, in the view of
// the reader only, and checks the shapes of messages (docs/format.md §4.2).
type normaliser struct {
	session string // id of the session, WTF-8
	// identified has a bit for each event whose message has a non-empty id, which
	// the legacy replacement of a tool result takes over.
	identified bitmap
	ids        *messageIDs // the ids themselves, kept only when not nil
	// With bounded set, identities end at event maxIdentified; missed then says
	// that one behind it was needed.
	bounded, missed bool
	renumbered      bool // see ModelOptions

	doc       jsjson.Doc // of a rewritten event
	rewritten session.Event
}

// event returns the event with seq index in today's shape, which is the event
// itself for all but legacy shapes, or the fault for which dsh refuses it.
func (n *normaliser) event(e *session.Event, index int64) (normal *session.Event, fault Fault) {
	normal, malformed := n.upgrade(e, index)
	if malformed != "" {
		reason := ReasonLegacyShape
		if e.Kind == session.TurnEnd {
			reason = ReasonTurnEnd
		}
		return nil, Fault{
			Stage: Normalise, Reason: reason, Name: "Error", Legacy: e.Kind != session.TurnEnd,
			Text: fmt.Sprintf("session \"%s\" contains malformed pre-react-loop %s at seq %d",
				jsjson.ToValidUTF8(n.session), malformed, index),
		}
	}
	if shape := messageShape(normal, session.Version); shape != "" {
		return nil, Fault{
			Stage: Normalise, Reason: ReasonMessage, Name: "Error",
			Text: fmt.Sprintf("session event at seq %d %s", index, shape),
		}
	}
	if id := normal.Message().ID; id.NonEmptyString() {
		if !n.bounded || index < maxIdentified {
			n.identified.set(index)
		}
		if n.ids != nil {
			n.ids.add(index, id.Text())
		}
	}
	return normal, Fault{}
}

// upgrade rewrites legacy shapes. The message is the name of the malformed type.
func (n *normaliser) upgrade(e *session.Event, index int64) (normal *session.Event, malformed string) {
	switch {
	case e.Kind == session.TurnStart:
		return n.turnStart(e)
	case e.Kind == session.TurnEnd:
		return n.turnEnd(e)
	case e.Kind == session.Unknown && e.Type.EqualText("steering/message"):
		return n.steering(e, index)
	case e.Kind.Surface():
		return n.message(e, index), ""
	}
	return e, ""
}

// turnStart drops the trigger that turns had before the react loop.
func (n *normaliser) turnStart(e *session.Event) (*session.Event, string) {
	trigger := e.Field("trigger")
	if e.Data.Kind != jsjson.Object || !trigger.Exists() {
		return e, ""
	}
	if !positive(e.Turn()) || !e.Data.HasExactly("turn", "trigger") || !trigger.Get("kind").NonEmptyString() {
		return nil, "turn/start"
	}
	return n.rewrite(e, nil, object(member("turn", e.Turn().Raw()))), ""
}

// turnEnd upgrades the reasons of earlier writers. Every turn/end is checked,
// today's included.
func (n *normaliser) turnEnd(e *session.Event) (*session.Event, string) {
	if e.Data.Kind != jsjson.Object {
		return e, ""
	}
	reason := e.Field("reason")
	if !positive(e.Turn()) || !e.Data.HasExactly("turn", "reason") ||
		reason.Kind != jsjson.Object || reason.Get("kind").Kind != jsjson.String {
		return nil, "turn/end"
	}
	upgraded, ok := upgradeReason(reason)
	switch {
	case !ok:
		return nil, "turn/end"
	case upgraded == nil:
		return e, ""
	}
	members := e.Data.OwnMembers(nil)
	replace(members, "reason", upgraded)
	return n.rewrite(e, nil, object(members...)), ""
}

// upgradeReason returns today's form of a legacy reason, nil for a reason that
// stays as it is.
func upgradeReason(reason jsjson.Value) (upgraded []byte, ok bool) {
	kind := reason.Get("kind")
	switch {
	case slices.ContainsFunc(bareReasons, kind.EqualText):
		return nil, reason.HasExactly("kind")
	case kind.EqualText("aborted"):
		if reason.Has("reason") {
			return nil, true
		}
		return []byte(`{"kind":"aborted","reason":{"kind":"legacy"}}`), reason.HasExactly("kind")
	case kind.EqualText("disposed"):
		return []byte(`{"kind":"aborted","reason":{"kind":"disposed"}}`), reason.HasExactly("kind")
	case kind.EqualText("error"):
		if reason.Has("error") {
			return nil, true
		}
		return upgradeError(reason)
	}
	return nil, true
}

// bareReasons are the reasons that are a kind and nothing else.
var bareReasons = []string{"completed", "blocked", "max-tokens", "interrupted"}

func upgradeError(reason jsjson.Value) (upgraded []byte, ok bool) {
	if step, safe := reason.Get("step").SafeInt(); !safe || step < 0 {
		return nil, false
	}
	var failure []byte
	message, code := reason.Get("message"), reason.Get("code")
	switch {
	case reason.HasExactly("kind", "step", "failure"):
		if !isFailure(reason.Get("failure")) {
			return nil, false
		}
		failure = reason.Get("failure").Raw()
	case message.Kind != jsjson.String:
		return nil, false
	case reason.HasExactly("kind", "step", "message"):
		failure = object(member("message", message.Raw()), member("code", []byte(`"UNKNOWN"`)))
	case reason.HasExactly("kind", "step", "message", "code") && code.Kind == jsjson.String:
		failure = object(member("message", message.Raw()), member("code", code.Raw()))
	default:
		return nil, false
	}
	return object(member("kind", []byte(`"error"`)), member("error", failure)), true
}

// isFailure reports whether v has the shape of a failure as turns recorded it
// from 2026-07-20 on.
func isFailure(v jsjson.Value) bool {
	for m := range v.Members() {
		want := jsjson.String
		switch m.Key.Text() {
		case "message", "code", "requestId":
		case "status", "providerRetryAfterMs":
			want = jsjson.Number
		default:
			return false
		}
		if v.Get(m.Key.Text()).Kind != want {
			return false
		}
	}
	return v.Get("message").Exists() && v.Get("code").Exists()
}

// steering turns a steering message into the user message that it was.
func (n *normaliser) steering(e *session.Event, index int64) (*session.Event, string) {
	_, safeTurn := e.Turn().SafeInt()
	message := e.Field("message")
	switch {
	case safeTurn && e.Data.HasExactly("turn", "message") && message.Kind == jsjson.Object:
		return n.message(n.rewrite(e, userMessageType, message.Raw()), index), ""
	case safeTurn && e.Data.HasExactly("turn", "content", "source"):
		members := without(e.Data, "turn")
		members = append(members, member("id", n.legacyID(index)), member("role", []byte(`"user"`)))
		return n.message(n.rewrite(e, userMessageType, object(members...)), index), ""
	}
	return nil, "steering/message"
}

var userMessageType = []byte(`"user/message"`)

// message gives the messages written before 2026-07-28 an identity.
func (n *normaliser) message(e *session.Event, index int64) *session.Event {
	data := e.Data
	if data.Kind != jsjson.Object || e.Field("message").Exists() {
		return e
	}
	switch {
	case e.Kind == session.UserMessage && has(e, "content", "source") && !hasAny(e, "id", "role"):
		members := append(data.OwnMembers(nil), member("id", n.legacyID(index)), member("role", []byte(`"user"`)))
		return n.rewrite(e, nil, object(members...))
	case e.Kind == session.AssistantMessage && has(e, "content", "provenance"):
		members := append(without(data, "content", "provenance"), member("message", n.assistantMessage(data, index)))
		return n.rewrite(e, nil, object(members...))
	case e.Kind == session.ToolResult && has(e, "callId", "content", "isError"):
		members := append(without(data, "callId", "content", "isError"), member("message", n.resultMessage(e, index)))
		return n.rewrite(e, nil, object(members...))
	}
	return e
}

// has reports whether data has all the given members.
func has(e *session.Event, keys ...string) bool {
	for _, key := range keys {
		if !e.Field(key).Exists() {
			return false
		}
	}
	return true
}

// hasAny reports whether data has one of the given members.
func hasAny(e *session.Event, keys ...string) bool {
	for _, key := range keys {
		if e.Field(key).Exists() {
			return true
		}
	}
	return false
}

func (n *normaliser) assistantMessage(data jsjson.Value, index int64) []byte {
	source := data.Get("provenance").OwnMembers(nil)
	kind := member("kind", []byte(`"model"`))
	if !replace(source, "kind", kind.Value.Raw()) {
		source = append(source, kind)
	}
	return object(member("id", n.legacyID(index)), member("role", []byte(`"assistant"`)),
		member("content", data.Get("content").Raw()), member("source", object(source...)))
}

func (n *normaliser) resultMessage(e *session.Event, index int64) []byte {
	call := e.Data.Get("callId").Raw()
	block := object(member("type", []byte(`"tool-result"`)), member("toolCallId", call),
		member("content", e.Data.Get("content").Raw()), member("isError", e.Data.Get("isError").Raw()))
	members := []jsjson.Member{
		member("role", []byte(`"user"`)),
		member("content", append(append([]byte{'['}, block...), ']')),
		member("source", object(member("kind", []byte(`"tool"`)), member("callId", call))),
	}
	if id := n.resultID(e, index); id != nil {
		members = append([]jsjson.Member{member("id", id)}, members...)
	}
	return object(members...)
}

// resultID returns the id of a legacy tool result, nil for none: a replacement
// keeps the id of the message that it replaces.
func (n *normaliser) resultID(e *session.Event, index int64) []byte {
	start := e.Surface.Get("start")
	if !e.Surface.Get("op").EqualText("replace") || start.Kind != jsjson.Number {
		return n.legacyID(index)
	}
	if n.renumbered {
		return unknownID
	}
	seq, safe := start.SafeInt()
	n.missed = n.missed || n.bounded && seq >= maxIdentified
	if !safe || !n.identified.has(seq) {
		return nil
	}
	if n.ids == nil {
		return unknownID
	}
	return jsjson.AppendQuoted(nil, n.ids.of(seq))
}

// maxIdentified is the number of events whose identities a bounded normaliser
// keeps. Legacy replacements stand in logs of July 2026 only, which are short.
const maxIdentified = 1 << 18

// unknownID stands for the id of an earlier message where ids are not kept. It
// differs from every id of dsh's and is read only by surface, which knows it.
var unknownID = []byte(`"\u0000"`)

func (n *normaliser) legacyID(index int64) []byte {
	return jsjson.AppendQuoted(nil, "legacy-message:"+n.session+":"+strconv.FormatInt(index, 10))
}

// rewrite returns e with another type, unless newType is nil, and other data.
func (n *normaliser) rewrite(e *session.Event, newType, data []byte) *session.Event {
	members := e.Root.OwnMembers(nil)
	replace(members, "data", data)
	if newType != nil {
		replace(members, "type", newType)
	}
	if n.doc.Parse(object(members...)) != nil {
		return e // cannot happen: the members are JSON
	}
	n.rewritten.Read(n.doc.Root)
	return &n.rewritten
}

// positive reports whether v is a safe integer from 1, as turn numbers are.
func positive(v jsjson.Value) bool {
	n, ok := v.SafeInt()
	return ok && n >= 1
}

package upgrade

import (
	"strconv"
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// v0ToV1 gives the events of v0 the shapes of v1. It neither adds nor removes
// any (docs/generations.md §4.2).
type v0ToV1 struct {
	header *Header
	emit   Emit

	ids     map[int64]jsjson.Value // message ids by seq, which replacements of early results take over
	retryID jsjson.Value           // of the chain of early retries
	compact jsjson.Value           // of the early compaction
}

func newV0ToV1(h *Header, _ *Options, emit Emit) Edge {
	return &v0ToV1{header: h, emit: emit, ids: map[int64]jsjson.Value{}}
}

// Finish has nothing to emit: the cut stays where it is.
func (s *v0ToV1) Finish(cut int64) (int64, error) { return cut, nil }

func (s *v0ToV1) Event(e Event) error {
	if err := s.check(e); err != nil {
		return err
	}
	e, err := s.normalise(e)
	if err != nil {
		return err
	}
	if id := messageOf(e).Get("id"); id.NonEmptyString() {
		s.ids[e.Seq] = id.Clone() // not the whole row
	}
	return s.emit(e)
}

// Carry implements carrier.
func (s *v0ToV1) Carry(e Event) error {
	if normal, err := s.normalise(e); err == nil {
		e = normal
	}
	return s.emit(e)
}

// check refuses what v0 never had, and what it had but v1 has no place for.
func (s *v0ToV1) check(e Event) error {
	if e.Data().Kind == jsjson.Object {
		if err := s.retired(e); err != nil {
			return err
		}
	}
	known, err := checkPayload(e, 0)
	switch {
	case err != nil:
		return err
	case !known:
		return unsupported("format v0 contains unknown historical event type %s at seq %d; "+
			"migration refuses unknown historical events even when ignorable", e.Get("type").Stringify(), e.Seq)
	case e.Type == deliveryAccepted:
		return ownDelivery(e, s.header, refuse)
	}
	return nil
}

func (s *v0ToV1) retired(e Event) error {
	id := s.header.shownID()
	switch e.Type {
	case "request/header-delta", "mode/set":
		return unsupported(`session "%s" contains unsupported legacy %s event at seq %d`, id, e.Type, e.Seq)
	case "request/header":
		if e.Data().Get("reason").EqualText("fallback") {
			return unsupported(`session "%s" contains unsupported request/header reason "fallback" at seq %d`, id, e.Seq)
		}
	case "subagent/descriptor":
		version := e.Data().Get("version")
		at := &place{name: "subagent/descriptor " + strconv.FormatInt(e.Seq, 10)}
		if err := natural(version, at.member("version"), e.Seq); err != nil {
			return err
		}
		if n, _ := version.SafeInt(); n != 3 {
			return unsupported("subagent/descriptor %d uses unsupported descriptor version %d", e.Seq, n)
		}
	}
	return nil
}

// normalise gives the event today's shape.
func (s *v0ToV1) normalise(e Event) (Event, error) {
	if name, found := strings.CutPrefix(e.Type, "compact/"); found {
		e = e.With("type", text("compaction/"+name))
	}
	switch e.Type {
	case "turn/start":
		return s.turnStart(e)
	case "turn/end":
		return s.turnEnd(e)
	case "steering/message":
		return s.steering(e), nil
	case "user/message", "assistant/message", "tool/result":
		return s.message(e), nil
	case "request/header":
		header := ObjectOf(e.Data().Get("header"))
		if header.Has("messagePrefix") {
			data := ObjectOf(e.Data()).With("header", header.Without("messagePrefix").Value())
			e = e.WithData(data)
		}
	case "llm/retry", "llm/retry-started":
		return s.retry(e), nil
	case "compaction/start", "compaction/summary", "compaction/end":
		return s.compaction(e), nil
	}
	return e, nil
}

func (s *v0ToV1) turnStart(e Event) (Event, error) {
	trigger := e.Data().Get("trigger")
	if !trigger.Exists() {
		return e, nil
	}
	if !isPositive(e.Data().Get("turn")) || !trigger.Get("kind").NonEmptyString() {
		return e, s.malformed(e)
	}
	return e.WithData(ObjectOf(e.Data()).Without("trigger")), nil
}

func (s *v0ToV1) malformed(e Event) error {
	return refuse(`session "%s" contains malformed pre-react-loop %s at seq %d`, s.header.shownID(), e.Type, e.Seq)
}

// turnEnd upgrades the reasons of earlier writers.
func (s *v0ToV1) turnEnd(e Event) (Event, error) {
	if !isPositive(e.Data().Get("turn")) {
		return e, s.malformed(e)
	}
	reason := e.Data().Get("reason")
	upgraded, ok := upgradeReason(reason)
	switch {
	case !ok:
		return e, s.malformed(e)
	case upgraded == nil:
		return e, nil
	}
	return e.WithData(ObjectOf(e.Data()).With("reason", upgraded.Value())), nil
}

// upgradeReason returns today's form of an early reason, nil for one that stays.
func upgradeReason(reason jsjson.Value) (upgraded Object, ok bool) {
	switch reason.Get("kind").Text() {
	case "disposed":
		return aborted("disposed"), true
	case "aborted":
		if !reason.Has("reason") {
			return aborted("legacy"), true
		}
	case "error":
		if reason.Has("error") {
			break
		}
		early, ok := earlyFailure(reason)
		return Object{member("kind", text("error")), member("error", early)}, ok
	}
	return nil, true
}

func aborted(kind string) Object {
	why := Object{member("kind", text(kind))}
	return Object{member("kind", text("aborted")), member("reason", why.Value())}
}

// earlyFailure returns the failure of an early error: it was written whole, or as
// a message with or without a code.
func earlyFailure(reason jsjson.Value) (failure jsjson.Value, ok bool) {
	message, code := reason.Get("message"), reason.Get("code")
	switch {
	case reason.HasExactly("kind", "step", "failure"):
		return reason.Get("failure"), true
	case reason.HasExactly("kind", "step", "message"):
		code = text("UNKNOWN")
	case !reason.HasExactly("kind", "step", "message", "code"):
		return jsjson.Value{}, false
	}
	return Object{member("message", message), member("code", code)}.Value(), true
}

// retry gives the retries of one chain an id.
func (s *v0ToV1) retry(e Event) Event {
	data := ObjectOf(e.Data())
	if data.Has("retryId") {
		return e
	}
	first, _ := data.Get("retry").SafeInt()
	if e.Type == "llm/retry" && first == 1 || !s.retryID.Exists() {
		s.retryID = s.legacyID("legacy-retry:", e.Seq)
	}
	return e.WithData(data.With("retryId", s.retryID))
}

// compaction gives the events of one compaction an id.
func (s *v0ToV1) compaction(e Event) Event {
	data := ObjectOf(e.Data())
	if data.Has("compactionId") {
		return e
	}
	if e.Type == "compaction/start" || !s.compact.Exists() {
		s.compact = s.legacyID("legacy-compaction:", e.Seq)
	}
	return e.WithData(data.With("compactionId", s.compact))
}

func (s *v0ToV1) legacyID(prefix string, seq int64) jsjson.Value {
	return text(prefix + s.header.ID + ":" + strconv.FormatInt(seq, 10))
}

func isPositive(v jsjson.Value) bool {
	n, ok := v.SafeInt()
	return ok && n >= 1
}

// messageOf returns the message of an event that has one.
func messageOf(e Event) jsjson.Value {
	switch e.Type {
	case "user/message":
		return e.Data()
	case "assistant/message", "tool/result":
		return e.Data().Get("message")
	}
	return jsjson.Value{}
}

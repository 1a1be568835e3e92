package upgrade

import (
	"strconv"
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// check refuses what is not all known. dsh looks at the type, the members of the
// envelope and of the payload, the kinds of content and sources, and then at the
// values, in this order.
func (s *v2ToV3) check(e Event) error {
	members, known := payloadKeys[e.Type]
	if !known {
		return unsupported("format v2 to v3 cannot safely transform unclassified event %s", jsjson.ToValidUTF8(e.Type))
	}
	if err := checkEnvelope(e); err != nil {
		return err
	}
	name := e.Type + " data"
	if strings.HasPrefix(e.Type, "feedback/message-") {
		name = e.Type
	}
	if e.Data().Kind != jsjson.Object {
		return refuse("%s data must be an object", e.Type)
	}
	if err := members.check(ObjectOf(e.Data()), name); err != nil {
		return err
	}
	if inherited := e.Data().Get("inherited"); e.Type == endSeed && inherited.Exists() && inherited.Kind != jsjson.True {
		return refuse("session/end-seed inherited must be true")
	}
	if err := checkContents(e); err != nil {
		return err
	}
	if err := s.checkMessages(e); err != nil {
		return err
	}
	if _, err := checkPayload(e, 2); err != nil {
		return err
	}
	if err := checkSurface(e); err != nil {
		return err
	}
	return s.checkRest(e)
}

// checkRest checks what is special to some types.
func (s *v2ToV3) checkRest(e Event) error {
	data := e.Data()
	switch e.Type {
	case endSeed:
		if !data.Has("inherited") {
			break
		}
		if !s.header.Seeded {
			return refuse("format v2 unseeded Session contains an inherited end-seed marker")
		}
		s.marker.cut()
	case "tool/result":
		return checkCloser(e)
	case deliveryAccepted:
		if version, _ := data.Get("sessionFormatVersion").SafeInt(); version == 3 {
			return refuse("format v2 delivery marker claims target format v3")
		}
		return s.marker.check(e)
	}
	return nil
}

func checkEnvelope(e Event) error {
	members := &envelopeKeys
	if isSurface[e.Type] {
		if !e.Has("surfaceOp") {
			return refuse("%s requires surfaceOp", e.Type)
		}
		members = &surfaceKeys
	}
	if err := members.check(e.Object, e.Type); err != nil {
		return err
	}
	if _, ok := safeInt(e.Get("time")); !ok {
		return refuse("event time must be a safe integer")
	}
	return nil
}

// checkSurface checks the surface metadata.
func checkSurface(e Event) error {
	if !isSurface[e.Type] {
		return nil
	}
	name := e.Type + " " + strconv.FormatInt(e.Seq, 10)
	sources := e.Get("sourceEventSeqs")
	switch {
	case e.Type == "assistant/message" && sources.Exists():
		return refuse("%s retains obsolete chunk provenance", name)
	case sources.Kind == jsjson.Array && sources.Len() == 0:
		return refuse("%s sourceEventSeqs must be non-empty", name)
	}
	op := e.Get("surfaceOp")
	if op.EqualText("append") {
		return nil
	}
	at := &place{name: name}
	if err := replacement(op, at.member("surfaceOp"), e.Seq); err != nil {
		return err
	}
	start, _ := op.Get("start").SafeInt()
	end, _ := op.Get("end").SafeInt()
	if start >= e.Seq || end >= e.Seq {
		return refuse("%s has an invalid surface replacement", name)
	}
	return nil
}

// replacement is the marker of an event that replaces others.
func replacement(v jsjson.Value, at *place, seq int64) error {
	if err := exactly(v, at, fields("op", anything, "start", natural, "end", natural)); err != nil {
		return err
	}
	if !v.Get("op").EqualText("replace") {
		return wrong(at, "must replace")
	}
	for _, key := range []string{"start", "end"} {
		if err := natural(v.Get(key), at.up.member("surface "+key), seq); err != nil {
			return err
		}
	}
	return nil
}

// checkMessages checks the ids and the sources of the messages in the payload.
func (s *v2ToV3) checkMessages(e Event) error {
	for message := range messagesIn(e) {
		if err := checkSourceKind(message.Get("source")); err != nil {
			return err
		}
		if err := s.takeID(message.Get("id")); err != nil {
			return err
		}
	}
	return nil
}

// knownSources are the kinds of sources that this edge knows, beside the one that
// v1 did not have.
var knownSources = map[string]bool{
	"user": true, "plugin": true, "model": true, "tool": true, "agent-instructions": true,
	"session-reference": true, "team-message": true, "goal": true, "skill-invocation": true, "skill-catalog": true,
	"coordinator": true, "subagent-report": true, "subagent-settled": true, "webhook": true,
}

var agentMessageKeys = keysOf("kind form senderSessionId")

func checkSourceKind(source jsjson.Value) error {
	kind := source.Get("kind")
	switch {
	case kind.EqualText("agent-message"):
		return agentMessageKeys.check(ObjectOf(source), "agent-message source")
	case kind.NonEmptyString() && !knownSources[kind.Text()]:
		return unsupported("cannot safely transform unclassified message source")
	}
	return nil
}

// checkCloser checks the id of a result for a call that never started: later
// readers take it for one only with an id of the form that dsh gives it.
func checkCloser(e Event) error {
	if !e.Data().Get("error").Get("code").EqualText(session.CodeNotStarted) || !e.Get("surfaceOp").EqualText("append") {
		return nil
	}
	message := e.Data().Get("message")
	prefix := session.CloserIDPrefix + message.Get("source").Get("callId").Text() + "-"
	suffix, found := strings.CutPrefix(message.Get("id").Text(), prefix)
	n, err := strconv.ParseInt(suffix, 10, 64)
	if !found || err != nil || n < 0 || strconv.FormatInt(n, 10) != suffix {
		return refuse("TOOL_NOT_STARTED repair requires its canonical historical message id")
	}
	return nil
}

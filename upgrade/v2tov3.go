package upgrade

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// v2ToV3 makes the prompt of the system an event of its own: an empty one behind
// the first step/start, and one in front of each request with another prompt. It
// refuses every event of which it does not know all (docs/generations.md §5.2).
type v2ToV3 struct {
	header *Header
	emit   Emit

	moved  shifts
	inStep bool
	step   Object       // turn and step of the step that started last, as in its payload
	head   int64        // seq in v3 of the system message that is on the surface, -1 before the first
	prompt string       // its text
	marker deliveryRule // what is known about the delivery markers

	sent  bool            // the event on its way has been emitted
	made  map[string]bool // ids of system messages made here
	found map[string]bool // ids of messages of the log that could be such ids
}

func newV2ToV3(h *Header, _ *Options, emit Emit) Edge {
	return &v2ToV3{
		header: h, emit: emit, head: -1, marker: deliveryRule{generation: 2, header: h},
		made: map[string]bool{}, found: map[string]bool{},
	}
}

func (s *v2ToV3) Event(e Event) error {
	s.sent = false
	err := s.take(e)
	s.follow(e, err)
	return err
}

// Carry implements carrier.
func (s *v2ToV3) Carry(e Event) error {
	if s.sent {
		return nil
	}
	return s.send(convertV2(e))
}

// send emits an event of v2 in the numbering of v3.
func (s *v2ToV3) send(e Event) error {
	s.sent = true
	return s.emit(s.moved.apply(e))
}

func (s *v2ToV3) take(e Event) error {
	if err := s.check(e); err != nil {
		return err
	}
	if isSurface[e.Type] && s.head < 0 {
		return unsupported("format v2 surface before first step cannot acquire a system head without changing chronology")
	}
	if e.Type == "request/header" {
		return s.request(e)
	}
	if err := s.send(convertV2(e)); err != nil {
		return err
	}
	if e.Type == "step/start" {
		s.step = Object{member("turn", e.Data().Get("turn")), member("step", e.Data().Get("step"))}
		if s.head < 0 {
			return s.system(e, e.Seq+1, "")
		}
	}
	return nil
}

// follow keeps track of the steps, over events that are refused too: where all
// refusals are wanted, what is sound behind them is none.
func (s *v2ToV3) follow(e Event, refused error) {
	switch e.Type {
	case "step/start":
		s.inStep = true
		if refused != nil && s.head < 0 {
			s.head = e.Seq
		}
	case "step/end", "turn/start", "turn/end":
		s.inStep = false
	}
}

// request moves the prompt of a request header to the head of the surface.
func (s *v2ToV3) request(e Event) error {
	prompt := e.Data().Get("header").Get("system").Text()
	if prompt != s.prompt {
		if !s.inStep {
			return unsupported("format v2 changed request prompt outside an open step cannot retain source chronology")
		}
		if err := s.system(e, e.Seq, prompt); err != nil {
			return err
		}
	}
	header := ObjectOf(e.Data().Get("header")).Without("system")
	for _, key := range []string{"tools", "adapterDefaults"} {
		if v := header.Get(key); (v.Kind == jsjson.Array || v.Kind == jsjson.Object) && v.Len() == 0 {
			header = header.Without(key)
		}
	}
	return s.send(e.WithData(ObjectOf(e.Data()).With("header", header.Value())))
}

// system emits a system message that the event anchor gives rise to, in front of
// what is at the seq before in v2. All but the first replace the one before them.
func (s *v2ToV3) system(anchor Event, before int64, prompt string) error {
	for _, m := range s.step {
		if n, _ := m.Value.SafeInt(); n == 0 {
			return refuse("%s must be positive", m.Key.Text())
		}
	}
	id := s.systemID(anchor)
	if s.found[id] {
		return collision()
	}
	s.made[id] = true
	data := append(s.step[:len(s.step):len(s.step)], member("message", systemMessage(id, prompt).Value()))
	e := newEvent("system/message", anchor.Get("time"), data).With("surfaceOp", text("append"))
	if s.head >= 0 {
		head := number(s.head)
		replace := Object{member("op", text("replace")), member("startSeq", head), member("endSeq", head)}
		e = e.With("surfaceOp", replace.Value()).With("sourceEventSeqs", array(head))
	}
	e = e.At(s.moved.seq(before))
	e.Row = anchor.Row
	s.moved.insert(before)
	s.head, s.prompt = e.Seq, prompt
	return s.emit(e)
}

func systemMessage(id, prompt string) Object {
	content := array()
	if prompt != "" {
		content = array(Object{member("type", text("text")), member("text", text(prompt))}.Value())
	}
	return Object{
		member("id", text(id)), member("role", text("system")),
		member("source", Object{member("kind", text("plugin")), member("plugin", text(promptPlugin))}.Value()),
		member("content", content),
	}
}

const systemIDPrefix = "v2-to-v3-system-"

// systemID returns the id of the system message for an anchor: whoever migrates
// the log gives it the same one.
func (s *v2ToV3) systemID(anchor Event) string {
	parts := array(text("session-format-v2-to-v3"), text(s.header.ID), number(anchor.Seq), text(anchor.Type))
	sum := sha256.Sum256(jsjson.AppendCanonical(nil, parts))
	return systemIDPrefix + hex.EncodeToString(sum[:])
}

func collision() error {
	return unsupported("source message id collides with a generated system message id")
}

// takeID looks for clashes between the ids of the log and those made here.
func (s *v2ToV3) takeID(id jsjson.Value) error {
	name := id.Text()
	if s.made[name] {
		return collision()
	}
	if strings.HasPrefix(name, systemIDPrefix) {
		s.found[name] = true
	}
	return nil
}

// Finish moves the cut of a seeded log.
func (s *v2ToV3) Finish(cut int64) (int64, error) {
	if cut != noCut {
		cut = s.moved.seq(cut)
	}
	return cut, s.marker.finish()
}

// convertV2 gives an event the names of v3.
func convertV2(e Event) Event {
	switch e.Type {
	case "tool/code-dispatch-start":
		return e.With("type", text("tool/ptc-dispatch-start"))
	case "tool/code-dispatch":
		return e.With("type", text("tool/ptc-dispatch"))
	case "agent-preset/selected":
		if data := ObjectOf(e.Data()); data.Get("agentPreset").EqualText("code") {
			return e.WithData(data.With("agentPreset", text("ptc")))
		}
	}
	if op := e.Get("surfaceOp"); op.Has("start") && op.Has("end") {
		e = e.With("surfaceOp", Object{
			member("op", text("replace")), member("startSeq", op.Get("start")), member("endSeq", op.Get("end")),
		}.Value())
	}
	if path := messagePaths[e.Type]; path != "" && e.Data().Kind == jsjson.Object {
		return renameSources(e, path)
	}
	return e
}

// renameSources gives the plugin of the code mode its later name.
func renameSources(e Event, path string) Event {
	if path == wholePayload {
		return e.With("data", renameSource(e.Data()))
	}
	key, each := strings.CutSuffix(path, "[]")
	messages := e.Data().Get(key)
	if !messages.Exists() {
		return e // it is refused for that
	}
	renamed := renameSource(messages)
	if each {
		renamed = convertElements(messages, renameSource)
	}
	if &renamed.Raw()[0] == &messages.Raw()[0] {
		return e
	}
	return e.WithData(ObjectOf(e.Data()).With(key, renamed))
}

func renameSource(message jsjson.Value) jsjson.Value {
	source := message.Get("source")
	if !source.Get("kind").EqualText("plugin") || !source.Get("plugin").EqualText("tools-code-mode") {
		return message
	}
	renamed := ObjectOf(source).With("plugin", text("tools-ptc"))
	return ObjectOf(message).With("source", renamed.Value()).Value()
}

// messagePaths are where in the payload the messages of a type are.
var messagePaths = map[string]string{
	"user/message":              wholePayload,
	"assistant/message":         "message",
	"tool/result":               "message",
	"agent/inbox/spliced":       "inserted[]",
	"session/title-llm-request": "messages[]",
}

const wholePayload = "."

var isSurface = map[string]bool{"user/message": true, "assistant/message": true, "tool/result": true}

// atV2 names an event in the words of this edge.
func atV2(e Event) string { return "format v2 " + e.Type + " at seq " + strconv.FormatInt(e.Seq, 10) }

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// The corpus is about one invented project, a web page that switches the lamps
// of a lighthouse. Its sessions start at this time (2026-08-20, epoch ms).
const startTime int64 = 1787216400000

// writer writes a session log as dsh 0.1.1-rc.2 does: one record a line, in
// batches of which each becomes one frame of a zstd log.
type writer struct {
	text    bytes.Buffer
	batches []int // offsets in text at which a batch ends
	seq     int
	time    int64
	turn    int
	step    int // of the open turn
}

// newLog starts a log with a header.
func newLog() *writer {
	return newLogWith(`"cwd":"/home/ada/lantern","delegationDepth":0`)
}

// newLogWith starts a log whose header has the given members after the usual ones.
func newLogWith(members string) *writer { return newLogAtWith(startTime, members) }

// newLogAt starts a log at a time in epoch ms.
func newLogAt(start int64) *writer {
	return newLogAtWith(start, `"cwd":"/home/ada/lantern","delegationDepth":0`)
}

func newLogAtWith(start int64, members string) *writer {
	w := &writer{time: start}
	fmt.Fprintf(&w.text, `{"type":"session","version":0,"id":"lantern-1","createdAt":%d,%s}`+"\n", start, members)
	w.flush()
	return w
}

// flush ends a batch.
func (w *writer) flush() { w.batches = append(w.batches, w.text.Len()) }

// event appends an event with the JSON text data and the members after it.
func (w *writer) event(kind, data, members string) {
	fmt.Fprintf(&w.text, `{"type":%q,"seq":%d,"time":%d,"data":%s%s}`+"\n", kind, w.seq, w.time, data, members)
	w.seq++
	w.time += 40
}

func (w *writer) startTurn() {
	w.turn, w.step = w.turn+1, 0
	w.event("turn/start", fmt.Sprintf(`{"turn":%d}`, w.turn), "")
}

func (w *writer) endTurn() { w.endTurnWith("completed") }

func (w *writer) endTurnWith(kind string) {
	w.event("turn/end", fmt.Sprintf(`{"turn":%d,"reason":{"kind":%q}}`, w.turn, kind), "")
	w.flush()
}

func (w *writer) startStep() {
	w.step++
	w.event("step/start", w.place("}"), "")
}

func (w *writer) endStep() { w.event("step/end", w.place("}"), "") }

// place is data that names the open turn and step and goes on with rest.
func (w *writer) place(rest string) string {
	return fmt.Sprintf(`{"turn":%d,"step":%d`, w.turn, w.step) + rest
}

// id returns an id of a message that is not in use yet.
func (w *writer) id() string { return fmt.Sprintf("msg-%d", w.seq) }

const onSurface = `,"surfaceOp":"append"`

func (w *writer) user(text string) { w.event("user/message", w.userMessage(text, "user"), onSurface) }

func (w *writer) userMessage(text, source string) string {
	return fmt.Sprintf(`{"id":%q,"role":"user","content":[{"type":"text","text":%s}],"source":{"kind":%q}}`,
		w.id(), quote(text), source)
}

// say appends an assistant message of one text block and the given calls.
func (w *writer) say(text string, calls ...string) {
	blocks := []string{`{"type":"text","text":` + quote(text) + `}`}
	for _, id := range calls {
		blocks = append(blocks, fmt.Sprintf(`{"type":"tool-call","id":%q,"name":"lamp","arguments":"{\"on\":true}"}`, id))
	}
	w.event("assistant/message", w.place(fmt.Sprintf(
		`,"message":{"id":%q,"role":"assistant","content":[%s],"source":{"kind":"model","provider":"harbour","model":"beacon-2"}}}`,
		w.id(), strings.Join(blocks, ","))), onSurface)
}

// call records that a tool call starts and returns its seq.
func (w *writer) call(id string) (seq int) {
	w.event("tool/call", w.place(fmt.Sprintf(`,"callId":%q,"name":"lamp","arguments":"{\"on\":true}"}`, id)), "")
	return w.seq - 1
}

// result answers the call that the event seq recorded.
func (w *writer) result(id, text string, seq int) {
	w.event("tool/result", w.place(fmt.Sprintf(
		`,"message":{"id":%q,"role":"user","source":{"kind":"tool","callId":%q},`+
			`"content":[{"type":"tool-result","toolCallId":%q,"content":[{"type":"text","text":%s}],"isError":false}]}}`,
		w.id(), id, id, quote(text))), fmt.Sprintf(`,"sourceEventSeqs":[%d]%s`, seq, onSurface))
}

// chunks appends a packed row of text deltas.
func (w *writer) chunks(texts ...string) {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = quote(text)
	}
	deltas := strings.TrimSuffix(strings.Repeat("40,", len(texts)-1), ",")
	fmt.Fprintf(&w.text, `{"type":"text-chunks","seq0":%d,"time0":%d,"data":%s}`+"\n", w.seq, w.time,
		w.place(fmt.Sprintf(`,"index":0,"dt":[%s],"texts":[%s]}`, deltas, strings.Join(quoted, ","))))
	w.seq += len(texts)
	w.time += int64(40 * len(texts))
}

// header appends the request/header of the first request of a session.
func (w *writer) header() {
	w.event("request/header",
		`{"header":{"config":{"provider":"harbour","model":"beacon-2","maxTokens":2048}},"reason":"initial"}`, "")
}

// ask writes a whole turn of one question and one answer.
func (w *writer) ask(question, answer string) {
	w.startTurn()
	w.user(question)
	w.startStep()
	w.say(answer)
	w.endStep()
	w.endTurn()
}

// askLamp writes a whole turn in which the assistant calls the lamp tool.
func (w *writer) askLamp(question, id, answer string) {
	w.startTurn()
	w.user(question)
	w.startStep()
	w.say("I will see to it.", id)
	w.result(id, "lamp is on", w.call(id))
	w.endStep()
	w.startStep()
	w.say(answer)
	w.endStep()
	w.endTurn()
}

// plain returns the log as plain text.
func (w *writer) plain() []byte { return slices.Clone(w.text.Bytes()) }

// batch returns the texts of the batches; the first is the header. What comes
// after the last flush is a batch too.
func (w *writer) batch() [][]byte {
	var all [][]byte
	text, start := w.plain(), 0
	for _, end := range append(w.batches, len(text)) {
		if end > start {
			all = append(all, text[start:end])
		}
		start = end
	}
	return all
}

// quote returns text as JSON.stringify spells it.
func quote(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a string always encodes
	}
	return strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(strings.TrimSpace(b.String()))
}

// interrupted answers a started call as dsh does when it closes a turn.
func (w *writer) interrupted(id, text string) {
	w.closerResult(id, text, "ToolOutcomeUnknownError", "TOOL_OUTCOME_UNKNOWN")
}

// notStarted answers a call that was never recorded as started.
func (w *writer) notStarted(id string) {
	w.closerResult(id, "not started", "ToolNotStartedError", "TOOL_NOT_STARTED")
}

func (w *writer) closerResult(id, text, name, code string) {
	w.event("tool/result", w.place(fmt.Sprintf(
		`,"message":{"id":"interrupted-tool-result-%s-%d","role":"user","source":{"kind":"tool","callId":%q},`+
			`"content":[{"type":"tool-result","toolCallId":%q,"isError":true,"content":[{"type":"text","text":%q}]}]},`+
			`"error":{"name":%q,"code":%q}}`, id, w.seq, id, id, text, name, code)), onSurface)
}

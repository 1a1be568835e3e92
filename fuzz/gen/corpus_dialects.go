package main

import "bytes"

// dialects has a log of each dialect (docs/format.md §6.2), all of them as their
// writer meant them. dsh does not read the first three any more.
func dialects() []entry {
	return []entry{
		{"bad/dialect-d1-seed.jsonl", "a log of 2026-06-18: format version 1, messages without surfaceOp", juneHeader(seedLog(), `"version":1`)},
		{"bad/dialect-d2-plain.jsonl", "a log of 2026-06-23: version 0, and a header without delegationDepth", juneHeader(seedLog(), `"version":0`)},
		{"bad/dialect-d3-surface.jsonl", "a log of 2026-07-02: messages with surfaceOp", juneHeader(strictLog(1782957600000).plain(), `"version":0`)},
		{"ok/dialect-d4-depth.jsonl", "a log of 2026-07-22: every event lies in a turn, an injection in one of its own", depthLog()},
		{"ok/dialect-d5-ctx.jsonl", "a log of 2026-07-27: an injection may stand outside a turn", ctxLog()},
		{"ok/dialect-d6-open.jsonl", "a log of 2026-07-30: messages have ids, events of plugins stand outside turns", openLog()},
		{"ok/dialect-d7-react.jsonl", "a log of 2026-08-06: turns have no trigger, an injection waits in the inbox", reactLog(1786010400000).plain()},
		{"ok/dialect-d8-rc.jsonl", "a log of 2026-08-20: compaction under its new name", rcLog()},
		{"ok/dialects-of-one-session.jsonl", "a session of July 2026 that today's dsh goes on with: each event is judged by its own time", resumedLater()},
	}
}

// strictLog is a log of two turns in which every event lies in a turn.
func strictLog(start int64) *writer {
	w := newLogAt(start)
	w.julyTurn("message")
	w.julyUser("Is the north lamp lit?", "user")
	w.startStep()
	w.julySay("I will look.", "call-1")
	w.julyResult("call-1", "lit", w.call("call-1"))
	w.endStep()
	w.endTurn()
	w.injection("The fog has lifted.")
	return w
}

// seedLog is a log of before messages had a surfaceOp.
func seedLog() []byte {
	text := strictLog(1781776800000).plain()
	text = bytes.ReplaceAll(text, []byte(onSurface), nil)
	text = bytes.ReplaceAll(text, []byte(`,"provenance":{"provider":"harbour","model":"beacon-1"}`), nil)
	return replace(text, `,"sourceEventSeqs":[4]`, "")
}

// juneHeader gives a log a header of June.
func juneHeader(log []byte, version string) []byte {
	return replace(replace(log, `"version":0`, version), `,"delegationDepth":0`, "")
}

func depthLog() []byte {
	w := strictLog(1784710800000)
	w.julyTurn("session-title")
	w.title("The north lamp")
	w.endTurn()
	w.julyTurn("message")
	w.julyUser("How is the sea?", "user")
	w.startStep()
	w.chunks("The sea ", "is calm.")
	w.julySay("The sea is calm.")
	w.endStep()
	w.endTurn()
	return w.plain()
}

func ctxLog() []byte {
	w := newJulyLog()
	w.julyAsk("Tell me when the fog lifts.", "I will.")
	w.julyUser("The fog has lifted.", "plugin")
	w.julyAsk("Thank you.", "Fair winds.")
	return w.plain()
}

func openLog() []byte {
	w := newLogAt(1785405600000)
	for _, question := range []string{"Is the lamp lit?", "And now?"} {
		w.julyTurn("message")
		w.user(question)
		w.startStep()
		w.say("It is.")
		w.endStep()
		w.endTurn()
		w.title("The lamp")
		w.user("The fog has lifted.")
	}
	return w.plain()
}

func reactLog(start int64) *writer {
	w := newLogAt(start)
	w.askLamp("Is the lamp lit?", "call-1", "It is.")
	w.title("The lamp")
	w.injected("The fog has lifted.")
	return w
}

// title names the session after its first message, as dsh does by itself.
func (w *writer) title(text string) {
	w.event("session/title", `{"title":`+quote(text)+`,"messageSeqs":[1],"source":{"kind":"fallback"}}`, "")
}

// injected writes a message that waits in the inbox for the turn that it starts.
func (w *writer) injected(text string) {
	message := w.userMessage(text, "plugin")
	w.event("agent/inbox/spliced", `{"target":"next-turn","start":0,"inserted":[`+message+`]}`, "")
	w.startTurn()
	w.event("agent/inbox/spliced", `{"target":"next-turn","start":0,"removedCount":1,"inserted":[]}`, "")
	w.event("user/message", message, onSurface)
	w.endTurn()
}

func rcLog() []byte {
	w := reactLog(startTime)
	w.event("compaction/start", `{"compactionId":"fold-1","turn":null}`, "")
	w.event("compaction/end", `{"compactionId":"fold-1","turn":null,"error":"no answer"}`, "")
	w.ask("Good night.", "Good night.")
	return w.plain()
}

// resumedLater goes on with depthLog in August.
func resumedLater() []byte {
	w := strictLog(1784710800000)
	w.time = startTime
	w.event("session/end-seed", "{}", "")
	w.title("The north lamp")
	w.ask("Are you still there?", "I am.")
	w.title("Still there")
	return w.plain()
}

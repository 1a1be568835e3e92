package main

import (
	"bytes"
	"slices"
)

func okLogs() []entry {
	return []entry{
		{"ok/two-turns-with-a-tool-call.jsonl", "a plain log with two finished turns", lantern().plain()},
		{"ok/header-only.jsonl", "a session in which nothing has happened yet", newLog().plain()},
		{
			"ok/windows-line-endings.jsonl", "a log that an editor saved with CR LF; CR is white space to JSON",
			bytes.ReplaceAll(lantern().plain(), []byte("\n"), []byte("\r\n")),
		},
		{"ok/line-separators-inside-strings.jsonl", "U+2028 and U+2029 are ordinary characters and split no line", lineSeparators()},
		{"ok/packed-rows.jsonl", "streamed chunks packed into rows", packedRows().plain()},
		{"ok/clock-runs-backwards.jsonl", "the times of events need no order", backwards()},
		{"ok/resumed-after-a-crash.jsonl", "closers, then session/end-seed, then the turn of the resumed session", resumed()},
		{"ok/forked-child.jsonl", "a fork: the header counts the events of the parent", forkedChild()},
		{"ok/subagent-header.jsonl", "a session that another session started", subagent()},
		{"ok/compaction-replaces-history.jsonl", "a checkpoint takes the place of two messages", compaction()},
		{"ok/idle-injection-through-the-inbox.jsonl", "since August 2026 an injection waits in the inbox, outside any turn", inbox()},
		{"ok/idle-injection-as-a-one-shot-turn.jsonl", "until July 2026 an injection was a turn of its own", oneShotTurn()},
		{"ok/legacy-shapes-of-july.jsonl", "messages without ids and turns with triggers, which dsh still reads", july()},
		{
			"ok/key-that-javascript-moves.jsonl", "keys that look like array indices move to the front when written again",
			replace(lantern().plain(), winds, winds+`,"10":"x","2":"y"`),
		},
		{
			"ok/prototype-key.jsonl", `a key "__proto__", which many programs handle wrongly`,
			replace(lantern().plain(), winds, winds+`,"__proto__":{}`),
		},
		{"ok/unknown-type-marked-ignorable.jsonl", "an event of a plugin that this build does not know, marked ignorable", ignorable()},
	}
}

func lineSeparators() []byte {
	w := newLog()
	w.ask("Read me\u2028the log\u2029book.", "Calm sea.")
	return w.plain()
}

func packedRows() *writer {
	w := streaming()
	w.event("assistant/chunk", w.place(`,"chunk":{"type":"block-end","index":0}}`), "")
	w.say(`The sea is "calm" at 12 °C tonight.`)
	w.endStep()
	w.endTurn()
	return w
}

func backwards() []byte {
	w := newLog()
	w.ask("What time is it?", "Nine.")
	w.time -= 3_600_000
	w.ask("And now?", "Eight.")
	return w.plain()
}

// resumed is openTurn after dsh has closed it and gone on.
func resumed() []byte {
	w := openTurn()
	w.interrupted("call-1", "outcome unknown")
	w.notStarted("call-2")
	w.endStep()
	w.endTurnWith("interrupted")
	w.event("session/end-seed", "{}", "")
	w.ask("Are the lamps lit?", "The first one is.")
	return w.plain()
}

func forkedChild() []byte {
	w := newLogWith(`"cwd":"/home/ada/lantern","parentSession":"lantern-0","seedLength":5,"delegationDepth":0`)
	w.ask("Good evening.", "Good evening, Ada.")
	w.event("session/end-seed", "{}", "")
	w.ask("Count the lamps.", "Two.")
	return w.plain()
}

func subagent() []byte {
	w := newLogWith(`"cwd":"/home/ada/lantern","parentSession":"lantern-0","origin":"subagent","delegationDepth":1,"agentPreset":"keeper"`)
	w.startTurn()
	w.user("Count the lamps.")
	w.startStep()
	w.header()
	w.say("Two.")
	w.endStep()
	w.endTurn()
	return w.plain()
}

func compaction() []byte {
	w := newLog()
	w.ask("Good evening.", "Good evening, Ada.")
	w.startTurn()
	w.event("compaction/start", `{"compactionId":"fold-1","turn":2}`, "")
	w.event("compaction/summary", `{"compactionId":"fold-1","summary":[{"type":"text","text":"A greeting."}],`+
		`"shadowedRange":{"start":1,"end":3},"shadowedSeqs":[1,3],"shadowedTokenCount":20,"provider":"harbour","model":"beacon-2"}`, "")
	w.event("user/message", w.userMessage("Earlier: a greeting.", "plugin"),
		`,"sourceEventSeqs":[7,1,3],"surfaceOp":{"op":"replace","start":1,"end":3}`)
	w.event("compaction/end", `{"compactionId":"fold-1","turn":2}`, "")
	w.user("Good night.")
	w.startStep()
	w.say("Good night.")
	w.endStep()
	w.endTurn()
	return w.plain()
}

func inbox() []byte {
	w := newLog()
	w.ask("Tell me when the fog lifts.", "I will.")
	w.event("agent/inbox/spliced", `{"target":"next-turn","start":0,"inserted":[`+w.userMessage("The fog has lifted.", "plugin")+`]}`, "")
	message := w.userMessage("The fog has lifted.", "plugin")
	w.startTurn()
	w.event("agent/inbox/spliced", `{"target":"next-turn","start":0,"removedCount":1,"inserted":[]}`, "")
	w.event("user/message", message, onSurface)
	w.startStep()
	w.say("The fog has lifted, Ada.")
	w.endStep()
	w.endTurn()
	return w.plain()
}

func oneShotTurn() []byte {
	w := newJulyLog()
	w.julyAsk("Tell me when the fog lifts.", "I will.")
	w.injection("The fog has lifted.")
	return w.plain()
}

func july() []byte {
	w := newJulyLog()
	w.julyTurn("message")
	w.julyUser("Is the north lamp lit?", "user")
	w.startStep()
	w.julySay("I will look.", "call-1")
	w.julyResult("call-1", "lit", w.call("call-1"))
	w.endStep()
	w.event("turn/end", `{"turn":1,"reason":{"kind":"aborted"}}`, "")
	return w.plain()
}

func ignorable() []byte {
	w := lantern()
	w.event("tide/measured", `{"metres":2.5}`, `,"ignorable":true`)
	return w.plain()
}

func okContainers() []entry {
	unchecked := func(w *writer) (file []byte) {
		for _, batch := range w.batch() {
			file = append(file, compressUnchecked(batch)...)
		}
		return file
	}
	batches := lantern().batch()
	half := len(batches[1]) / 2
	spanning := compressAll([][]byte{batches[0], batches[1][:half], batches[1][half:], batches[2]})
	return []entry{
		{"ok/one-frame-per-batch.jsonl.zstd", "a zstd log as dsh writes it", lantern().zstd()},
		{"ok/packed-rows-in-frames.jsonl.zstd", "packed rows in a zstd log", packedRows().zstd()},
		{"ok/frames-without-checksums.jsonl.zstd", "another writer left the checksums out, so bit rot would go unnoticed", unchecked(lantern())},
		{"ok/record-spans-two-frames.jsonl.zstd", "frames need not end where records do", spanning},
		{"ok/frame-without-text.jsonl.zstd", "an empty frame at the end", slices.Concat(lantern().zstd(), compress(nil))},
	}
}

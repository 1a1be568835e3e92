package main

import (
	"bytes"
	"slices"
)

// badLines holds lines that are no JSON text, or not the text of an event.
func badLines() []entry {
	whole := lantern().plain()
	text := func(path, about string, data []byte) entry { return entry{"bad/" + path, about, data} }
	return []entry{
		text("blank-line-between-records.jsonl", "an empty line inside a committed turn", insertLine(whole, 5, "\n")),
		text("null-between-records.jsonl", "dsh crashes on a line that holds null", insertLine(whole, 5, "null\n")),
		text("null-behind-the-last-turn.jsonl", "dsh crashes on null even where it tolerates any other garbage",
			slices.Concat(whole, []byte("null\n"))),
		text("number-between-records.jsonl", "a JSON value that is no event", insertLine(whole, 5, "42\n")),
		text("text-between-records.jsonl", "a line of a program's output landed in the log",
			insertLine(whole, 5, "warning: disk almost full\n")),
		text("byte-order-mark-before-the-header.jsonl", "an editor saved the log with a byte order mark",
			slices.Concat([]byte("\xEF\xBB\xBF"), whole)),
		text("byte-order-mark-before-a-record.jsonl", "two files were joined, the second with a byte order mark",
			replace(whole, `{"type":"step/start"`, "\xEF\xBB\xBF"+`{"type":"step/start"`)),
		text("two-records-on-one-line.jsonl", "the newline between two records is gone",
			replace(whole, "\n"+`{"type":"tool/result"`, `{"type":"tool/result"`)),
		text("zeros-between-records.jsonl", "a power failure left zeros, and writing went on behind them",
			replace(whole, `{"type":"turn/start","seq":11`, string(make([]byte, 32))+`{"type":"turn/start","seq":11`)),
		text("half-a-record-then-the-whole.jsonl", "an append was cut and then done again without truncating first", halfThenWhole(whole)),
		text("raw-tab-inside-a-string.jsonl", "a control character that JSON forbids inside a string", replace(whole, "Fair winds", "Fair\twinds")),
		text("packed-row-without-times.jsonl", "a packed row has one time too few, so dsh reads none of its chunks",
			replace(packedRows().plain(), `"dt":[40,40,40]`, `"dt":[40,40]`)),
		text("header-missing.jsonl", "the log begins with an event", deleteLine(whole, 0)),
		text("header-is-another-object.jsonl", "the first line is a JSON object of another program",
			replace(whole, `"type":"session"`, `"type":"settings"`)),
		text("header-with-retired-fields.jsonl", "the header has a member of a build that was never released",
			replace(whole, `"delegationDepth":0`, `"delegationDepth":0,"sandboxMode":"read-only"`)),
	}
}

func halfThenWhole(text []byte) []byte {
	i := at(text, `{"type":"turn/start","seq":11`)
	return slices.Concat(text[:i], text[i:i+40], text[i:])
}

// badSequences have records that follow each other wrongly.
func badSequences() []entry {
	whole := lantern().plain()
	all := lines(whole)
	turn2 := bytes.Join(all[12:], nil)
	return []entry{
		{"bad/record-missing-in-the-middle.jsonl", "a record was lost inside a committed turn", without(whole, `"tool/result"`)},
		{"bad/batch-missing-in-the-middle.jsonl", "a whole turn was lost between two others", batchMissing()},
		{"bad/batch-written-twice.jsonl", "an append was repeated although it had succeeded", slices.Concat(whole, turn2)},
		{"bad/two-writers-after-a-crash.jsonl", "one process closed the turn that another was still writing", twoWriters()},
		{"bad/two-writers-who-both-went-on.jsonl", "two processes resumed the session, and in both of them the user asked something", fork()},
		{"bad/resumed-twice-at-once.jsonl", "two processes resumed the session, and both wrote their marker", resumedTwice()},
		{"bad/records-swapped.jsonl", "two records changed places", swapped(whole)},
		{"bad/gap-in-the-last-open-turn.jsonl", "behind the gap nothing is committed, so dsh drops the complete records there", gapInOpenTurn()},
		{"bad/seq-is-text.jsonl", "a seq in quotes is no number", replace(whole, `"seq":4,`, `"seq":"4",`)},
	}
}

func batchMissing() []byte {
	w := lantern()
	from := w.text.Len()
	w.ask("Is the sea calm?", "It is.")
	to := w.text.Len()
	w.ask("And the wind?", "Asleep.")
	text := w.plain()
	return slices.Concat(text[:from], text[to:])
}

// twoWriters has the closers of a process that found the log in the middle of a
// turn, and behind them what the writer of that turn went on to write.
func twoWriters() []byte {
	w := openTurn()
	seq, time, length := w.seq, w.time, w.text.Len()
	w.result("call-1", "lamp is on", seq-1)
	w.result("call-2", "lamp is on", seq-1)
	w.endStep()
	w.endTurn()
	live := w.plain()[length:]

	other := openTurn()
	other.time = time
	other.interrupted("call-1", "outcome unknown")
	other.notStarted("call-2")
	other.endStep()
	other.endTurnWith("interrupted")
	return slices.Concat(other.plain(), live)
}

// fork has a second turn 3 behind the first one.
func fork() []byte {
	w := lantern()
	seq, time, turn := w.seq, w.time, w.turn
	w.ask("Is the sea calm?", "It is.")
	w.seq, w.time, w.turn = seq, time+20, turn
	w.ask("Put the lamp out.", "It is out.")
	return w.plain()
}

func resumedTwice() []byte {
	w := lantern()
	w.event("session/end-seed", "{}", "")
	w.seq--
	w.event("session/end-seed", "{}", "")
	w.ask("Is the sea calm?", "It is.")
	return w.plain()
}

func swapped(text []byte) []byte {
	return editLines(text, func(all [][]byte) [][]byte {
		all[6], all[7] = all[7], all[6]
		return all
	})
}

func gapInOpenTurn() []byte {
	w := openTurn()
	w.seq++
	w.result("call-1", "lamp is on", w.seq-2)
	w.event("tool/call", w.place(`,"callId":"call-2","name":"lamp","arguments":"{}"}`), "")
	return w.plain()
}

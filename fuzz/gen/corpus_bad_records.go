package main

import (
	"bytes"
	"strings"
)

// badPayloads holds JSON texts that a lossless writer cannot have produced, or
// that other JSON readers take differently (docs/format.md §6.4).
func badPayloads() []entry {
	const time = `"time":1787216400120` // of the first assistant message
	text := func(path, about, old, with string) entry {
		return entry{"bad/" + path, about, replace(lantern().plain(), old, with)}
	}
	return []entry{
		text("negative-zero.jsonl", "minus zero turns into zero when it is written again", winds, winds+`,"weight":-0`),
		text("number-beyond-a-double.jsonl", "1e400 reads as Infinity and turns into null when it is written again", winds, winds+`,"weight":1e400`),
		text("number-below-a-double.jsonl", "1e-400 reads as zero", winds, winds+`,"weight":1e-400`),
		text("number-loses-digits.jsonl", "an integer beyond 2^53 reads as its neighbour", winds, winds+`,"weight":9007199254740993`),
		text("time-beyond-a-double.jsonl", "a time of 1e400 ms is no safe integer, so dsh refuses the envelope", time, `"time":1e400`),
		text("time-is-not-a-number.jsonl", "NaN is JavaScript, not JSON", time, `"time":NaN`),
		text("time-with-a-fraction.jsonl", "dsh counts whole milliseconds", time, time+`.5`),
		text("duplicate-keys.jsonl", "a key twice in one object: JavaScript keeps the last value, other readers the first",
			winds, `"text":"Foul winds.",`+winds),
		text("lone-surrogate.jsonl", "half of a surrogate pair, which JavaScript keeps and others replace", "Fair winds.", `Fair \ud83d winds.`),
		text("bytes-that-are-not-utf-8.jsonl", "two stray bytes inside a string turn into replacement characters", "Fair winds.", "Fair \xFF\xFE winds."),
		text("nested-too-deeply.jsonl", "1500 nested arrays: dsh reads them but cannot write them again", winds,
			winds+`,"attachments":`+strings.Repeat("[", 1500)+strings.Repeat("]", 1500)),
	}
}

// badRecords holds events that scan well and that dsh refuses to load.
func badRecords() []entry {
	text := func(path, about, old, with string) entry {
		return entry{"bad/" + path, about, replace(lantern().plain(), old, with)}
	}
	return []entry{
		{"bad/event-of-an-unknown-type.jsonl", "an event of a newer build, not marked ignorable", lanternAnd("tide/turned")},
		{"bad/event-of-a-retired-type.jsonl", "the modes of July 2026 were given up", lanternAnd("mode/set")},
		text("format-version-1.jsonl", "a log of a newer dsh", `"version":0`, `"version":1`),
		text("envelope-with-a-foreign-key.jsonl", "dsh allows no further members beside data", `"seq":12,`, `"seq":12,"author":"ada",`),
		text("envelope-without-data.jsonl", "an event has no data at all", `,"data":{"turn":2,"step":1}}`, `}`),
		text("message-without-an-id.jsonl", "a user message has a role and no id, which is neither the old shape nor the new",
			`"data":{"id":"msg-12","role"`, `"data":{"role"`),
		text("message-without-a-surface-mark.jsonl", "a message does not say how it joins the history",
			`"source":{"kind":"user"}},"surfaceOp":"append"}`, `"source":{"kind":"user"}}}`),
		text("result-cites-a-later-event.jsonl", "sources must be earlier events", `"sourceEventSeqs":[4]`, `"sourceEventSeqs":[40]`),
		text("turn-end-with-an-extra-member.jsonl", "dsh takes exactly turn and reason", `"reason":{"kind":"completed"}`, `"step":2,"reason":{"kind":"completed"}`),
		text("header-with-a-relative-path.jsonl", "the working directory of the header is not absolute", `"cwd":"/home/ada/lantern"`, `"cwd":"lantern"`),
		text("header-without-an-id.jsonl", "an empty session id can name no directory", `"id":"lantern-1"`, `"id":""`),
		{"bad/error-event-of-june.jsonl", "a separate error event after the turn, as in June 2026", juneError()},
		{
			"bad/compaction-cites-nothing.jsonl", "a checkpoint does not name the messages it replaces",
			bytes.Replace(compaction(), []byte(`"sourceEventSeqs":[7,1,3],`), []byte(`"sourceEventSeqs":[7],`), 1),
		},
		{
			"bad/checkpoint-replaces-what-is-not-there.jsonl", "a checkpoint replaces an event that is no message",
			bytes.Replace(compaction(), []byte(`"start":1,"end":3}}`), []byte(`"start":2,"end":3}}`), 1),
		},
	}
}

// lanternAnd is a log with one more event, of the given type.
func lanternAnd(kind string) []byte {
	w := lantern()
	w.event(kind, "{}", "")
	return w.plain()
}

func juneError() []byte {
	w := newJulyLog()
	w.julyAsk("Good evening.", "Good evening, Ada.")
	w.event("error", `{"message":"the log book is full","code":"FLUSH"}`, "")
	return w.plain()
}

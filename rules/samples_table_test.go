package rules_test

import (
	"bytes"
	"slices"
	"strings"

	"github.com/turnlint/turnlint/rules"
)

// samples has one sample for each rule.
func samples() []sample {
	all := slices.Concat(containerSamples(), headerSamples(), laterSamples(), lineSamples(), sequenceSamples(), forkSamples(), turnSamples(),
		pluginSamples(), losslessSamples(), eventSamples(), surfaceSamples(), referenceSamples(), upgradeSamples())
	near := nearMisses()
	for i := range all {
		miss := near[all[i].rule]
		all[i].near, all[i].why = miss.log, miss.why
	}
	return all
}

func containerSamples() []sample {
	headerOnly := string(upTo(1))
	rest := lamp[len(headerOnly):]
	half := len(rest) / 2
	plain := []sample{
		{rule: "not-a-log", bad: []byte("Dear diary,\ntoday the lamp was on.\n"), good: lampLog},
		{rule: "no-header", bad: nil, good: upTo(1)},
		{rule: "wrong-name", bad: lampFrames, good: lampLog, opt: rules.Options{Path: "/sessions/--home-ada-lamp--/lamp/session.jsonl"}},
	}
	framed := []sample{
		{rule: "header-frame", bad: frames(lamp), good: lampFrames},
		{rule: "foreign-bytes", bad: slices.Concat(lampFrames, make([]byte, 512)), good: slices.Concat(lampFrames, make([]byte, 3))},
		{rule: "reserved-bit", bad: changed(descriptorAt, 0x08), good: lampFrames},
		{rule: "reserved-block", bad: changed(blockAt, 0x06), good: lampFrames},
		{rule: "frame-checksum", bad: changed(textAt+3, 0x01), good: lampFrames},
		{rule: "frame-data", bad: changed(windowAt, 0x68), good: lampFrames},
		{rule: "frame-limits", bad: changed(windowAt, 0xB8), good: lampFrames},
		{rule: "torn-frame", bad: lampFrames[:len(lampFrames)-40], good: lampFrames},
		{rule: "hidden-frames", bad: hiddenFrame(headerOnly, rest), good: lampFrames},
		{rule: "search-capped", bad: slowSearch(), good: lampFrames},
		{rule: "no-checksum", bad: slices.Concat(frames(headerOnly), frame(rest, false)), good: lampFrames},
		{
			rule: "split-record", bad: frames(headerOnly, rest[:half], rest[half:])[:len(lampFrames)-200],
			good: frames(headerOnly, rest[:half], rest[half:]),
		},
	}
	for i := range framed {
		framed[i].zstd = true
	}
	return append(plain, framed...)
}

// hiddenFrame is a log whose second frame claims the third one too, by one bit of
// its block's size.
func hiddenFrame(header, rest string) []byte {
	cut := strings.Index(rest, `{"type":"step/end"`)
	end := strings.Index(rest, `{"type":"turn/end"`)
	log := frames(header, rest[:cut], rest[cut:end])
	log[len(frames(header))+blockAt+2] ^= 0x01
	return log
}

// slowSearch is a torn frame full of overlapping frames, each of which takes as
// long to follow as all of them.
func slowSearch() []byte {
	const candidates = 1000
	log := slices.Concat(lampFrames, []byte("\x28\xB5\x2F\xFD\x00\x68\x00\xFF\xFF"))
	for i := range candidates {
		skip := (candidates - 1 - i) * 9 << 3
		log = append(log, 0x28, 0xB5, 0x2F, 0xFD, 0, 0, byte(skip), byte(skip>>8), byte(skip>>16))
	}
	log = append(log, make([]byte, 3<<19)...)
	return append(log, 0x07, 0, 0)
}

func headerSamples() []sample {
	const root = "/sessions"
	return []sample{
		{rule: "header-json", bad: with(`{"type":"session",`, `{"type":"session"`), good: lampLog},
		{rule: "header-shape", bad: without(1), good: lampLog},
		{rule: "header-retired", bad: with(`"delegationDepth":0`, `"delegationDepth":0,"sandboxMode":"read-only"`), good: lampLog},
		{rule: "header-field", bad: with("/home/ada/lamp", "lamp"), good: lampLog},
		{rule: "newer-format", bad: laterWith(`"version":4`, `"version":5`), good: lampLog},
		{rule: "older-format", bad: with(`"version":0`, `"version":-1`), good: lampLog},
		{rule: "unusable-identity", bad: with(`"id":"lamp"`, `"id":""`), good: lampLog},
		{
			rule: "misplaced-log", bad: with("/home/ada/lamp", "/home/ada/lantern"), good: lampLog,
			opt: rules.Options{Path: root + "/--home-ada-lamp--/lamp/session.jsonl", Root: root},
		},
		{
			rule: "id-mismatch", bad: with(`"id":"lamp"`, `"id":"lantern"`), good: lampLog,
			opt: rules.Options{Path: root + "/--home-ada-lamp--/lamp/session.jsonl", Root: root},
		},
	}
}

// laterSamples are those of format v4.
func laterSamples() []sample {
	return []sample{
		{rule: "generation-rule", bad: laterWith(`"seq":6,"time":1790000001006,"data":{"turn":1`, `"seq":6,"time":1790000001006,"data":{"turn":2`), good: []byte(laterLamp)},
	}
}

func lineSamples() []sample {
	const endTurn = `{"type":"turn/end"`
	return []sample{
		{rule: "undecodable-line", bad: with(`"seq":6,`, `"seq":6;`), good: lampLog},
		{rule: "blank-line", bad: before(8, "\n"), good: lampLog},
		{rule: "nul-run", bad: before(8, "\x00\x00\x00\x00"), good: lampLog},
		{rule: "byte-order-mark", bad: before(1, "\uFEFF"), good: lampLog},
		{rule: "null-line", bad: before(8, "null\n"), good: lampLog},
		{rule: "not-an-object", bad: before(8, "42\n"), good: lampLog},
		{rule: "malformed-row", bad: with(`"dt":[1,1]`, `"dt":[1]`), good: lampLog},
		{rule: "torn-line", bad: lampLog[:len(lamp)-20], good: lampLog},
		{rule: "missing-newline", bad: lampLog[:len(lamp)-1], good: lampLog},
		{
			rule: "line-too-long", bad: with("Yes, it is on.", strings.Repeat("Yes. ", 500)), good: lampLog,
			opt: rules.Options{MaxLine: 2000},
		},
		{rule: "crlf", bad: bytes.ReplaceAll(lampLog, []byte("\n"), []byte("\r\n")), good: lampLog},
		{rule: "outer-whitespace", bad: before(8, "  "), good: lampLog},
		{rule: "glued-records", bad: with("\n"+endTurn, endTurn), good: lampLog},
		{rule: "partial-record", bad: before(8, `{"type":"step/end","seq":6,"ti`), good: lampLog},
	}
}

func sequenceSamples() []sample {
	return []sample{
		{rule: "seq-gap", bad: without(6, 7), good: lampLog},
		{rule: "seq-repeat", bad: before(14, `{"type":"turn/end","seq":13,"time":1790000001013,"data":{"turn":1,"reason":{"kind":"completed"}}}`+"\n"), good: lampLog},
		{rule: "seq-missing", bad: with(`"seq":6,`, ``), good: lampLog},
		{rule: "events-dropped", bad: and(strings.Replace(title14, "14", "15", 1)), good: and(title14)},
		{rule: "time-backwards", bad: with(`"seq":6,"time":1790000001006`, `"seq":6,"time":1790000000006`), good: lampLog},
	}
}

func turnSamples() []sample {
	changedIn2 := func(events string, old, text string) []byte {
		return and(strings.Split(strings.Replace(events, old, text, 1), "\n")...)
	}
	turn2 := start2 + "\n" + end2
	return []sample{
		{rule: "event-outside-turn", bad: and(strings.Replace(title14, "session/title", "todo/write", 1)), good: and(title14)},
		{rule: "turn-nested", bad: and(start2, `{"type":"turn/start","seq":15,"time":1790000003000,"data":{"turn":3}}`, `{"type":"turn/end","seq":16,"time":1790000003001,"data":{"turn":3,"reason":{"kind":"completed"}}}`), good: twoTurns},
		{rule: "turn-end-unmatched", bad: and(`{"type":"turn/end","seq":14,"time":1790000002001,"data":{"turn":2,"reason":{"kind":"completed"}}}`), good: twoTurns},
		{rule: "turn-number", bad: changedIn2(strings.ReplaceAll(turn2, `"turn":2`, `"turn":4`), "", ""), good: twoTurns},
		{rule: "turn-repeated", bad: changedIn2(strings.ReplaceAll(turn2, `"turn":2`, `"turn":1`), "", ""), good: twoTurns},
		{rule: "turn-end-in-step", bad: and(start2, `{"type":"step/start","seq":15,"time":1790000002001,"data":{"turn":2,"step":1}}`, strings.Replace(end2, `"seq":15`, `"seq":16`, 1)), good: twoTurns},
		{rule: "step-order", bad: bytes.ReplaceAll(lampLog, []byte(`"step":2`), []byte(`"step":3`)), good: lampLog},
		{rule: "event-misplaced", bad: with(`"time":1790000001004,"data":{"turn":1`, `"time":1790000001004,"data":{"turn":7`), good: lampLog},
		{rule: "result-without-call", bad: with(`"callId":"c1","name"`, `"callId":"c2","name"`), good: lampLog},
		{rule: "call-without-result", bad: slices.Concat(upTo(6), []byte(mode5+"\n"), lampLog[len(upTo(7)):]), good: lampLog},
		{rule: "open-turn", bad: upTo(6), good: lampLog},
		{rule: "unclosable-turn", bad: and(strings.Replace(start2, `"turn":2`, `"turn":0`, 1)), good: and(start2)},
		{rule: "mixed-dialects", bad: changedIn2(turn2, `"turn":2`, `"turn":2,"trigger":{"kind":"injection"}`), good: twoTurns},
		{rule: "turn-data-missing", bad: with(`"seq":12,"time":1790000001012,"data":{"turn":1,"step":2}`, `"seq":12,"time":1790000001012,"data":null`), good: lampLog},
	}
}

func losslessSamples() []sample {
	argument := func(text string) []byte { return with(`"callId":"c1","name"`, `"extra":`+text+`,"callId":"c1","name"`) }
	return []sample{
		{rule: "non-finite-literal", bad: argument("NaN"), good: argument(`"NaN"`)},
		{rule: "negative-zero", bad: argument("-0"), good: argument("0")},
		{rule: "number-overflow", bad: argument("1e400"), good: argument("1e+300")},
		{rule: "number-underflow", bad: argument("1e-400"), good: argument("1e-300")},
		{rule: "imprecise-number", bad: argument("9007199254740993"), good: argument("9007199254740992")},
		{rule: "non-canonical-number", bad: argument("1.0"), good: argument("1")},
		{rule: "duplicate-key", bad: argument(`{"a":1,"a":2}`), good: argument(`[{"a":1},{"a":2}]`)},
		{rule: "lone-surrogate", bad: argument(`"\ud83d"`), good: argument(`"` + "\U0001F4A1" + `"`)},
		{rule: "invalid-utf8", bad: argument("\"\xED\xA0\xBD\""), good: argument(`"` + "\uFFFD" + `"`)},
		{rule: "proto-key", bad: argument(`{"__proto__":1}`), good: argument(`{"constructor":1}`)},
		{rule: "deep-nesting", bad: argument(strings.Repeat("[", 1500) + strings.Repeat("]", 1500)), good: argument(strings.Repeat("[", 900) + strings.Repeat("]", 900))},
		{rule: "index-key", bad: argument(`{"b":1,"7":2}`), good: argument(`{"7":2,"b":1}`)},
		{rule: "foreign-writer", bad: argument(`{"a": 1}`), good: argument(`{"a":1}`)},
	}
}

func eventSamples() []sample {
	requestHeader := func(model string) string {
		return `{"type":"request/header","seq":15,"time":1790000002001,"data":{"header":{"config":{"provider":"p"` + model + `}},"reason":"initial"}}`
	}
	return []sample{
		{rule: "envelope", bad: with(`"seq":6,`, `"seq":6,"uuid":"u",`), good: lampLog},
		{rule: "unknown-type", bad: and(strings.Replace(title14, "session/title", "acme/audit", 1)), good: and(title14)},
		{rule: "retired-vocabulary", bad: and(strings.Replace(title14, "session/title", "mode/set", 1)), good: and(title14)},
		{rule: "legacy-shape", bad: inTurn2(`{"type":"steering/message","seq":15,"time":1790000002001,"data":{"turn":2}}`), good: twoTurns},
		{rule: "turn-end-data", bad: with(`"reason":{"kind":"completed"}`, `"reason":{"kind":"completed","why":"done"}`), good: lampLog},
		{rule: "message-shape", bad: with(`"id":"m1",`, ``), good: lampLog},
		{rule: "request-header", bad: inTurn2(requestHeader("")), good: inTurn2(requestHeader(`,"model":"m"`))},
		{rule: "null-member", bad: with(`"seq":2,"time":1790000001002,"data":{"turn":1,"step":1}`, `"seq":2,"time":1790000001002,"data":null`), good: lampLog},
		{rule: "unknown-ignorable", bad: and(strings.Replace(title14, `"session/title"`, `"acme/audit","ignorable":true`, 1)), good: and(title14)},
		{rule: "call-in-user-message", bad: with(`{"type":"text","text":"Is the lamp on?"}`, `{"type":"tool-call","id":"c9","name":"lamp","arguments":"{}"}`), good: lampLog},
	}
}

func surfaceSamples() []sample {
	// result replaces the tool result by one of the message with the given id.
	result := func(id string) []byte {
		return inTurn2(`{"type":"tool/result","seq":15,"time":1790000002001,"data":{"turn":1,"step":1,"message":{"id":"` + id +
			`","role":"user","source":{"kind":"tool","callId":"c1"},"content":[{"type":"tool-result","toolCallId":"c1","content":[]}]}},` +
			`"surfaceOp":{"op":"replace","start":5,"end":5},"sourceEventSeqs":[5]}`)
	}
	return []sample{
		{rule: "surface-marker", bad: with(`,"surfaceOp":"append"`, ``), good: lampLog},
		{
			rule: "surface-range", bad: with(`"surfaceOp":"append","sourceEventSeqs":[8,9,10]`, `"surfaceOp":{"op":"replace","start":2,"end":2},"sourceEventSeqs":[2]`),
			good: with(`"surfaceOp":"append","sourceEventSeqs":[8,9,10]`, `"surfaceOp":{"op":"replace","start":3,"end":3},"sourceEventSeqs":[3]`),
		},
		{rule: "surface-sources", bad: with("[8,9,10]", "[8,9,99]"), good: lampLog},
		{rule: "result-replacement", bad: result("m99"), good: result("m3")},
	}
}

package rules_test

import (
	"bytes"
	"maps"
	"slices"
	"strings"
)

// nearMiss is a log that looks like the breach of a rule and is none.
type nearMiss struct {
	why string
	log []byte
}

// nearMisses has one for each rule.
func nearMisses() map[string]nearMiss {
	all := make(map[string]nearMiss)
	for _, some := range []map[string]nearMiss{
		nearContainers(), nearHeaders(), nearLines(), nearSequences(), nearTurns(), nearPlugins(), nearPayloads(), nearEvents(), nearSurfaces(), nearUpgrades(),
	} {
		maps.Copy(all, some)
	}
	return all
}

func nearContainers() map[string]nearMiss {
	header := string(upTo(1))
	rest := lamp[len(header):]
	half, line := len(rest)/2, strings.Index(rest, `{"type":"step/end"`)
	unchecked := slices.Concat(frames(header), frame(rest, false))
	split := frames(header, rest[:half], rest[half:])
	torn := frames(header, rest[:line], rest[line:])
	return map[string]nearMiss{
		"not-a-log":      {"a header alone is a log", upTo(1)},
		"no-header":      {"white space may stand before the header", append([]byte("  "), lamp...)},
		"wrong-name":     {"what counts is the first bytes, not a name in the text", with("Is the lamp on?", "Is it in session.jsonl.zstd?")},
		"header-frame":   {"an empty frame behind the header is accepted", frames(header, "", rest)},
		"foreign-bytes":  {"up to three bytes of anything are a torn tail", append(bytes.Clone(lampFrames), "\x28\xB5\x2F"...)},
		"reserved-bit":   {"a frame may be without a checksum, and its flag clear", unchecked},
		"reserved-block": {"a block may repeat one byte", slices.Concat(frames(header), repeatedByte(rest))},
		"frame-checksum": {"what has no checksum cannot break it", unchecked},
		"frame-data":     {"a record may lie across two frames", split},
		"frame-limits":   {"a window of exactly 128 MiB is accepted", changed(windowAt, 0x68^0x88)},
		"torn-frame":     {"a record may lie across two complete frames", split},
		"hidden-frames":  {"the magic inside a torn frame's text is no frame", hiddenMagic(header, rest)},
		"search-capped":  {"a torn frame of the usual size is searched to its end", lampFrames[:len(lampFrames)-40]},
		"no-checksum":    {"of a torn frame nobody expects the checksum", slices.Concat(frames(header, rest[:line]), frame(rest[line:], false)[:100])},
		"split-record":   {"the torn frame begins with a record", torn[:len(torn)-200]},
	}
}

// repeatedByte is a frame of a text in two blocks, the last of which is its last
// byte, once.
func repeatedByte(text string) []byte {
	f := frame(text, true)
	n := len(text) - 1
	f[blockAt], f[blockAt+1], f[blockAt+2] = byte(n<<3), byte(n>>5), byte(n>>13)
	sum := bytes.Clone(f[len(f)-4:])
	return slices.Concat(f[:textAt+n], []byte{1<<3 | 1<<1 | 1, 0, 0, text[n]}, sum)
}

// hiddenMagic is a torn log with the magic of a frame in a string.
func hiddenMagic(header, rest string) []byte {
	log := frames(header, strings.Replace(rest, "Is the lamp on?", "\x28\xB5\x2F\xFD", 1))
	return log[:len(log)-40]
}

func nearHeaders() map[string]nearMiss {
	return map[string]nearMiss{
		"header-json":       {"white space inside the header is JSON", with(`{"type":"session",`, `{ "type": "session",`)},
		"header-shape":      {"keys that dsh does not know are ignored", with(`"delegationDepth":0`, `"delegationDepth":0,"timeZone":"UTC"`)},
		"header-retired":    {"only the two retired keys count", with(`"delegationDepth":0`, `"delegationDepth":0,"sandbox":"read-only"`)},
		"header-field":      {"the root is an absolute path", with("/home/ada/lamp", "/")},
		"newer-format":      {"0.0 is 0", with(`"version":0`, `"version":0.0`)},
		"older-format":      {"-0 equals 0", with(`"version":0`, `"version":-0`)},
		"unusable-identity": {"a dot can be a name, as it is escaped", with(`"id":"lamp"`, `"id":"."`)},
		"id-mismatch":       {"an id may be escaped in the header", with(`"id":"lamp"`, `"id":"l\u0061mp"`)},
		"generation-rule":   {"an event of an unknown type may be marked ignorable", laterWith(`{"type":"step/end","seq":5`, `{"type":"tide/measured","seq":5,"time":1790000001005,"data":{},"ignorable":true}`+"\n"+`{"type":"step/end","seq":6`, `{"type":"turn/end","seq":6`, `{"type":"turn/end","seq":7`)},
		"misplaced-log":     {"several working directories share a project", with("/home/ada/lamp", "/home-ada/lamp")},
	}
}

func nearLines() map[string]nearMiss {
	return map[string]nearMiss{
		"undecodable-line": {"white space between the tokens is JSON", with(`"seq":6,`, `"seq" : 6 ,`)},
		"blank-line":       {"spaces before a record make no blank line", before(8, "  ")},
		"nul-run":          {"an escaped NUL is text", with("Is the lamp on?", `\u0000`)},
		"byte-order-mark":  {"inside a string the mark is text", with("Is the lamp on?", "\uFEFFIs the lamp on?")},
		"null-line":        {"null may be the value of a member", with(`"callId":"c1","name"`, `"extra":null,"callId":"c1","name"`)},
		"not-an-object":    {"an object may be nested in an array in an object", with(`"callId":"c1","name"`, `"extra":[42],"callId":"c1","name"`)},
		"malformed-row":    {"clocks go backwards: a gap of time may be negative", with(`"dt":[1,1]`, `"dt":[1,-1]`)},
		"torn-line":        {"a log may end behind any record", upTo(6)},
		"missing-newline":  {"CR LF ends in LF", bytes.ReplaceAll(lampLog, []byte("\n"), []byte("\r\n"))},
		"line-too-long":    {"a long line below the limit", with("Yes, it is on.", strings.Repeat("Yes. ", 300))},
		"crlf":             {"escaped line ends are text", with("Is the lamp on?", `Is the lamp\r\non?`)},
		"outer-whitespace": {"white space inside a record", with(`"seq":6,`, `"seq": 6,`)},
		"glued-records":    {"braces in a string are text", with("Is the lamp on?", `}{\"type\":\"turn/end\"`)},
		"partial-record":   {"the start of a record in a string is text", with("Is the lamp on?", `{\"type\":\"step/end\",\"se{`)},
	}
}

func nearSequences() map[string]nearMiss {
	const twoRows = `{"type":"text-chunks","seq0":8,"time0":1790000001008,"data":{"turn":1,"step":2,"index":0,"dt":[],"texts":["on."]}}
{"type":"text-chunks","seq0":9,"time0":1790000001009,"data":{"turn":1,"step":2,"index":0,"dt":[1],"texts":["on.","on."]}}`
	row := strings.Split(lamp, "\n")[9]
	title15 := strings.Replace(title14, `"seq":14`, `"seq":15`, 1)
	return map[string]nearMiss{
		"seq-gap":        {"a packed row takes as many seqs as it has members", lampLog},
		"seq-repeat":     {"equal events with seqs of their own", and(title14, title15)},
		"seq-missing":    {"6.0 is 6", with(`"seq":6,`, `"seq":6.0,`)},
		"events-dropped": {"the start of a record is no event", lampLog[:len(lamp)-20]},
		"time-backwards": {"two events of one millisecond", with(`"time":1790000001006`, `"time":1790000001005`)},
		"stale-end-seed": {"every resume adds a marker, with a seq of its own", more(endSeed, event("session/title", `"title":"Lamp","messageSeqs":[],"source":{"kind":"user"}`), endSeed, startTurn2, endTurn2)},
		"repair-closers": {"the session goes on behind the closers", slices.Concat(upTo(6), []byte(closersOfLamp+afterClosers))},
		"stale-deltas":   {"equal deltas with seqs of their own", with(row, twoRows)},
		"forked-log":     {"the same message twice, one after the other", more(startTurn2, message("a", "On."), message("b", "On."), endTurn2)},
		"seq-regressed":  {"the clock falls back, the seqs do not", more(startTurn2, strings.Replace(endTurn2, "1790000002000", "1790000000000", 1))},
		"stale-tail":     {"an event behind the last turn, with the next seq", and(title14)},
	}
}

func nearTurns() map[string]nearMiss {
	todo := event("todo/write", `"todos":[]`)
	call := strings.TrimSuffix(event("assistant/message", `"turn":2,"step":1,"message":{"id":"m5","role":"assistant","content":[{"type":"tool-call","id":"c2","name":"lamp","arguments":"{}"}],"source":{"kind":"model","provider":"p","model":"m"}}`), "}") + `,"surfaceOp":"append"}`
	notStarted := strings.TrimSuffix(event("tool/result", `"turn":2,"step":1,"message":{"id":"m6","role":"user","source":{"kind":"tool","callId":"c2"},"content":[{"type":"tool-result","toolCallId":"c2","isError":true,"content":[]}]},"error":{"name":"ToolNotStartedError","code":"TOOL_NOT_STARTED"}`), "}") + `,"surfaceOp":"append"}`
	oneStep := more(startTurn2, startStep, endStep, endTurn2)
	resumed := bytes.Replace(more(endSeed, startTurn2, endTurn2), []byte(`"data":{"turn":1}`), []byte(`"data":{"turn":1,"trigger":{"kind":"message","source":{"kind":"user"}}}`), 1)
	return map[string]nearMiss{
		"event-outside-turn":  {"right behind the turn/start is inside", more(startTurn2, todo, endTurn2)},
		"turn-nested":         {"a turn may begin as soon as the last has ended", more(startTurn2, endTurn2, startTurn3, endTurn3)},
		"turn-end-unmatched":  {"a turn may have no steps", twoTurns},
		"turn-number":         {"2.0 is 2", bytes.Replace(twoTurns, []byte(`{"turn":2}`), []byte(`{"turn":2.0}`), 1)},
		"turn-repeated":       {"steps count from 1 again in each turn", oneStep},
		"turn-end-in-step":    {"the step ends right before its turn", oneStep},
		"step-order":          {"steps count from 1 again in each turn", oneStep},
		"event-misplaced":     {"a message of the user names no turn", more(startTurn2, startStep, message("a", "On."), endStep, endTurn2)},
		"result-without-call": {"a call that was not started has no tool/call", more(startTurn2, startStep, call, notStarted, endStep, endTurn2)},
		"call-without-result": {"the step of the call is open still", upTo(6)},
		"open-turn":           {"a turn may have no steps", twoTurns},
		"unclosable-turn":     {"a wrong number can be closed, if it is one", and(strings.Replace(start2, `"turn":2`, `"turn":5`, 1))},
		"mixed-dialects":      {"a log of July that was resumed in August", resumed},
		"turn-data-missing":   {"a member that nobody reads may be null", with(`"seq":12,"time":1790000001012,"data":{"turn":1,"step":2}`, `"seq":12,"time":1790000001012,"data":{"turn":1,"step":2,"note":null}`)},
	}
}

func nearPlugins() map[string]nearMiss {
	dispatch := event("tool/code-dispatch", `"parentCallId":"c1","subCallId":"s1","name":"ls","arguments":{},"isError":false,"content":[]`)
	interrupted := strings.Replace(endTurn2, "completed", "interrupted", 1)
	return map[string]nearMiss{
		"bracket-unopened": {"builds before 2026-07-26 wrote no tool/code-dispatch-start", more(startTurn2, dispatch, endTurn2)},
		"bracket-reopened": {"a handler may run twice at once", more(startTurn2, invokeHook, invokeHook, hookResult, hookResult, endTurn2)},
		"bracket-unclosed": {"dsh closes no bracket after a crash", more(startTurn2, invokeHook, interrupted)},
		"compaction-order": {"a compaction that failed has no summarise", more(compact, strings.Replace(compacted, "null", `null,"error":"no answer"`, 1))},
		"plugin-misplaced": {"a compaction between two turns", more(compact, summarise, compacted, startTurn2, endTurn2)},
		"event-data":       {"further members are no flaw", and(strings.Replace(title14, `"title":"Lamp"`, `"title":"Lamp","icon":"bulb"`, 1))},
		"inbox-splice":     {"all that waits is removed at once", more(queue, queue, strings.Replace(unqueue, `"removedCount":1`, `"removedCount":2`, 1))},
		"seed-length":      {"a fork without events of its own yet", with(`"delegationDepth":0`, `"seedLength":14,"delegationDepth":0`)},
		"event-reference":  {"a title of the user names no messages", and(strings.NewReplacer("[1]", "[]", "fallback", "user").Replace(title14))},
	}
}

func nearPayloads() map[string]nearMiss {
	argument := func(text string) []byte { return with(`"callId":"c1","name"`, `"extra":`+text+`,"callId":"c1","name"`) }
	return map[string]nearMiss{
		"non-finite-literal":   {"the word as a string", argument(`"Infinity"`)},
		"negative-zero":        {"a negative number close to 0", argument("-0.5")},
		"number-overflow":      {"the greatest double", argument("1.7976931348623157e+308")},
		"number-underflow":     {"the smallest double", argument("5e-324")},
		"imprecise-number":     {"the greatest safe integer", argument("9007199254740991")},
		"non-canonical-number": {"JavaScript spells it with an exponent, too", argument("1e+21")},
		"duplicate-key":        {"the same key in the object inside", argument(`{"a":{"a":1}}`)},
		"lone-surrogate":       {"both halves of a pair, escaped", argument(`"\ud83d\ude00"`)},
		"invalid-utf8":         {"four bytes that are one character", argument("\"\U0001F4A1\"")},
		"proto-key":            {"the name as a value", argument(`"__proto__"`)},
		"deep-nesting":         {"exactly 1000 levels", argument(strings.Repeat("[", 998) + strings.Repeat("]", 998))},
		"index-key":            {"a number with a leading zero is no index", argument(`{"b":1,"07":2}`)},
		"foreign-writer":       {"white space inside a string", argument(`{"a":" 1"}`)},
	}
}

func nearEvents() map[string]nearMiss {
	ignorable := with(`"seq":6,`, `"seq":6,"ignorable":true,`)
	return map[string]nearMiss{
		"envelope":             {"ignorable may be true on a known type", ignorable},
		"unknown-type":         {"an unknown type that is marked ignorable", and(strings.Replace(title14, `"session/title"`, `"acme/audit","ignorable":true`, 1))},
		"retired-vocabulary":   {"the successor of mode/set", more(event("sandbox/mode", `"mode":"read-only"`))},
		"legacy-shape":         {"a steering/message that dsh migrates", inTurn2(`{"type":"steering/message","seq":15,"time":1790000002001,"data":{"turn":2,"message":{"id":"m5","role":"user","content":[],"source":{"kind":"user"}}},"surfaceOp":"append"}`)},
		"turn-end-data":        {"an aborted turn has a reason of its own", with(`"reason":{"kind":"completed"}`, `"reason":{"kind":"aborted","reason":{"kind":"user"}}`)},
		"message-shape":        {"further keys are allowed in a message", with(`"id":"m1",`, `"id":"m1","mood":"curious",`)},
		"request-header":       {"other settings are not looked at", inTurn2(`{"type":"request/header","seq":15,"time":1790000002001,"data":{"header":{"config":{"provider":"p","model":"m","temperature":0}},"reason":"initial"}}`)},
		"null-member":          {"a member that nobody reads may be null", with(`"seq":2,"time":1790000001002,"data":{"turn":1,"step":1}`, `"seq":2,"time":1790000001002,"data":{"turn":1,"step":1,"note":null}`)},
		"unknown-ignorable":    {"a known type that is marked ignorable", ignorable},
		"call-in-user-message": {"a user may write about tool calls", with("Is the lamp on?", "Why this tool-call?")},
	}
}

func nearSurfaces() map[string]nearMiss {
	replaced := func(op string) []byte { return with(`"surfaceOp":"append","sourceEventSeqs":[8,9,10]`, op) }
	return map[string]nearMiss{
		"surface-marker":     {"a replacement is a marker, too", replaced(`"surfaceOp":{"op":"replace","start":3,"end":3},"sourceEventSeqs":[3]`)},
		"surface-range":      {"a range of several events that are all on the surface", replaced(`"surfaceOp":{"op":"replace","start":1,"end":3},"sourceEventSeqs":[1,3]`)},
		"surface-sources":    {"sources need no order", with("[8,9,10]", "[10,8,9]")},
		"result-replacement": {"the content of the result may change", inTurn2(`{"type":"tool/result","seq":15,"time":1790000009999,"data":{"turn":1,"step":1,"message":{"id":"m3","role":"user","source":{"kind":"tool","callId":"c1"},"content":[{"type":"tool-result","toolCallId":"c1","content":[{"type":"text","text":"(left out)"}]}]}},"surfaceOp":{"op":"replace","start":5,"end":5},"sourceEventSeqs":[5]}`)},
	}
}

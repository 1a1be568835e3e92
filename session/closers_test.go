package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/session"
)

// follow feeds events, given as JSON texts, to new closers. Packed rows may be
// among them.
func follow(t *testing.T, events ...string) *session.Closers {
	t.Helper()
	var c session.Closers
	for _, text := range events {
		doc := parse(t, text)
		if kind := session.ChunkKindOf(doc.Get("type")); kind != session.NoChunks {
			var row session.Chunks
			if !row.Read(kind, doc) {
				t.Fatalf("%s is no valid row", text)
			}
			c.Chunks(&row)
			continue
		}
		if crash := c.Event(event(t, text)); crash != "" {
			t.Fatalf("%s: crash %q", text, crash)
		}
	}
	return &c
}

func closers(c *session.Closers) (all []string) {
	for _, text := range c.Append(nil) {
		all = append(all, string(text))
	}
	return all
}

// Events of one turn; seq and time do not matter but for the last time.
const (
	turnStart = `{"type":"turn/start","seq":0,"time":10,"data":{"turn":1}}`
	turnEnd   = `{"type":"turn/end","seq":0,"time":10,"data":{"turn":1,"reason":{"kind":"completed"}}}`
	stepStart = `{"type":"step/start","seq":0,"time":11,"data":{"turn":1,"step":2}}`
	stepEnd   = `{"type":"step/end","seq":0,"time":12,"data":{"turn":1,"step":2}}`
	title     = `{"type":"session/title","seq":0,"time":99,"data":{}}`
)

// announce is an assistant message with a call of each id, given as JSON.
func announce(ids ...string) string {
	var blocks []string
	for _, id := range ids {
		blocks = append(blocks, `{"type":"tool-call","id":`+id+`}`)
	}
	return `{"type":"assistant/message","seq":0,"time":13,"data":{"turn":1,"step":2,"message":{"content":[` + strings.Join(blocks, ",") + `]}}}`
}

func call(id string) string {
	return `{"type":"tool/call","seq":0,"time":14,"data":{"turn":1,"step":2,"callId":` + id + `}}`
}

func result(id string) string {
	return `{"type":"tool/result","seq":0,"time":15,"data":{"turn":1,"step":2,"message":{"source":{"callId":` + id + `}}}}`
}

// The closers, in the words of docs/format.md §4.4.
func notStarted(id, text string, seq, time int) string {
	return closerResult(id, text, seq, time,
		"The tool call was interrupted before the Harness recorded it as started. Retry it if it is still needed.",
		"ToolNotStartedError", "TOOL_NOT_STARTED", "")
}

func outcomeUnknown(id, text string, seq, time, callSeq int) string {
	return closerResult(id, text, seq, time,
		"The tool call was interrupted after it was recorded, but no result was durably recorded. Its outcome is unknown. "+
			"Decide whether to retry from the tool semantics: retry only if the operation is read-only or idempotent; "+
			"if it may have side effects, first verify external state or ask the user. Do not retry blindly.",
		"ToolOutcomeUnknownError", "TOOL_OUTCOME_UNKNOWN", fmt.Sprintf(`,"sourceEventSeqs":[%d]`, callSeq))
}

// closerResult spells a synthetic result; id is JSON, text the same in an id of a message.
func closerResult(id, text string, seq, time int, say, name, code, sources string) string {
	return fmt.Sprintf(`{"type":"tool/result","seq":%d,"time":%d,"data":{"turn":1,"step":2,"message":{"id":"interrupted-tool-result-%s-%d",`+
		`"role":"user","source":{"kind":"tool","callId":%s},"content":[{"type":"tool-result","toolCallId":%s,"isError":true,`+
		`"content":[{"type":"text","text":"%s"}]}]},"error":{"name":"%s","code":"%s"}},"surfaceOp":"append"%s}`,
		seq, time, text, seq, id, id, say, name, code, sources)
}

func closeStep(seq, time int) string {
	return fmt.Sprintf(`{"type":"step/end","seq":%d,"time":%d,"data":{"turn":1,"step":2}}`, seq, time)
}

func closeTurn(seq, time int) string {
	return fmt.Sprintf(`{"type":"turn/end","seq":%d,"time":%d,"data":{"turn":1,"reason":{"kind":"interrupted"}}}`, seq, time)
}

func TestClosers(t *testing.T) {
	tests := map[string]struct{ events, want []string }{
		"nothing for no events":         {nil, nil},
		"nothing for a finished turn":   {[]string{turnStart, stepStart, stepEnd, turnEnd}, nil},
		"nothing without a turn":        {[]string{title}, nil},
		"an open turn":                  {[]string{turnStart}, []string{closeTurn(1, 10)}},
		"an open step":                  {[]string{turnStart, stepStart}, []string{closeStep(2, 11), closeTurn(3, 11)}},
		"a closed step in an open turn": {[]string{turnStart, stepStart, stepEnd}, []string{closeTurn(3, 12)}},
		"the last event gives the time": {[]string{turnStart, title}, []string{closeTurn(2, 99)}},
		"a call that was not started":   {[]string{turnStart, stepStart, announce(`"a"`)}, []string{notStarted(`"a"`, "a", 3, 13), closeStep(4, 13), closeTurn(5, 13)}},
		"a call that was":               {[]string{turnStart, stepStart, announce(`"a"`), call(`"a"`)}, []string{outcomeUnknown(`"a"`, "a", 4, 14, 3), closeStep(5, 14), closeTurn(6, 14)}},
		"calls in the order of the message": {
			[]string{turnStart, stepStart, announce(`"b"`, `"a"`, `"c"`), call(`"c"`), result(`"a"`)},
			[]string{notStarted(`"b"`, "b", 5, 15), outcomeUnknown(`"c"`, "c", 6, 15, 3), closeStep(7, 15), closeTurn(8, 15)},
		},
		"an answered call needs nothing":          {[]string{turnStart, stepStart, announce(`"a"`), call(`"a"`), result(`"a"`)}, []string{closeStep(5, 15), closeTurn(6, 15)}},
		"calls of a closed step get no result":    {[]string{turnStart, stepStart, announce(`"a"`), call(`"a"`), stepEnd}, []string{closeTurn(5, 12)}},
		"a call that no message announced":        {[]string{turnStart, stepStart, call(`"a"`)}, []string{closeStep(3, 14), closeTurn(4, 14)}},
		"a later record of the call counts":       {[]string{turnStart, stepStart, announce(`"a"`), call(`"a"`), call(`"a"`)}, []string{outcomeUnknown(`"a"`, "a", 5, 14, 4), closeStep(6, 14), closeTurn(7, 14)}},
		"a call announced again keeps its place":  {[]string{turnStart, stepStart, announce(`"a"`, `"b"`), call(`"a"`), announce(`"a"`)}, []string{notStarted(`"a"`, "a", 5, 13), notStarted(`"b"`, "b", 6, 13), closeStep(7, 13), closeTurn(8, 13)}},
		"ids are compared as strings":             {[]string{turnStart, stepStart, announce(`"\u0061"`), call(`"a"`)}, []string{outcomeUnknown(`"a"`, "a", 4, 14, 3), closeStep(5, 14), closeTurn(6, 14)}},
		"a lone surrogate in an id is escaped":    {[]string{turnStart, stepStart, announce(`"\uD800"`)}, []string{notStarted(`"\ud800"`, `\ud800`, 3, 13), closeStep(4, 13), closeTurn(5, 13)}},
		"quotes and control characters in an id":  {[]string{turnStart, stepStart, announce(`"\"\u000a\u0001\/"`)}, []string{notStarted(`"\"\n\u0001/"`, `\"\n\u0001/`, 3, 13), closeStep(4, 13), closeTurn(5, 13)}},
		"a new turn forgets the step and calls":   {[]string{turnStart, stepStart, announce(`"a"`), turnStart}, []string{closeTurn(4, 10)}},
		"any turn/end closes the turn":            {[]string{turnStart, `{"type":"turn/end","seq":0,"time":1,"data":null}`}, nil},
		"a turn of null is not open":              {[]string{`{"type":"turn/start","time":10,"data":{"turn":null}}`}, nil},
		"a step of null is not open":              {[]string{turnStart, `{"type":"step/start","time":11,"data":{"turn":1,"step":null}}`}, []string{closeTurn(2, 11)}},
		"an absent step is open and stays absent": {[]string{turnStart, `{"type":"step/start","time":11,"data":{"turn":1}}`}, []string{`{"type":"step/end","seq":2,"time":11,"data":{"turn":1}}`, closeTurn(3, 11)}},
		"an absent turn is open and stays absent": {[]string{`{"type":"turn/start","time":10,"data":{}}`}, []string{`{"type":"turn/end","seq":1,"time":10,"data":{"reason":{"kind":"interrupted"}}}`}},
		"data of a number has no turn":            {[]string{`{"type":"turn/start","time":10,"data":5}`}, []string{`{"type":"turn/end","seq":1,"time":10,"data":{"reason":{"kind":"interrupted"}}}`}},
		"numbers are written as JavaScript does":  {[]string{`{"type":"turn/start","time":1e1,"data":{"turn":1.0}}`}, []string{closeTurn(1, 10)}},
		"a time beyond a double becomes null":     {[]string{`{"type":"turn/start","time":1e400,"data":{"turn":1}}`}, []string{`{"type":"turn/end","seq":1,"time":null,"data":{"turn":1,"reason":{"kind":"interrupted"}}}`}},
		"an absent time stays absent":             {[]string{`{"type":"turn/start","data":{"turn":1}}`}, []string{`{"type":"turn/end","seq":1,"data":{"turn":1,"reason":{"kind":"interrupted"}}}`}},
		"the members of a row count":              {[]string{turnStart, stepStart, textRow}, []string{closeStep(5, 12), closeTurn(6, 12)}},
		"blocks that are no object are no call":   {[]string{turnStart, `{"type":"assistant/message","time":13,"data":{"message":{"content":[1,"x",true,[]]}}}`}, []string{closeTurn(2, 13)}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := follow(t, test.events...)
			if diff := cmp.Diff(test.want, closers(c)); diff != "" {
				t.Errorf("closers (-want +got):\n%s", diff)
			}
			if c.Open() != (test.want != nil) {
				t.Errorf("Open() = %v with %d closers", c.Open(), len(test.want))
			}
		})
	}
}

func TestClosersDoNotReferToThePassedLines(t *testing.T) {
	var c session.Closers
	lines := []string{turnStart, stepStart, announce(`"a"`, `"b"`), call(`"a"`)}
	for _, text := range lines {
		line := []byte(text)
		doc := parse(t, "{}")
		if err := doc.Parse(line); err != nil {
			t.Fatal(err)
		}
		var e session.Event
		e.Read(doc.Root)
		c.Event(&e)
		for i := range line {
			line[i] = 'x'
		}
	}
	want := []string{outcomeUnknown(`"a"`, "a", 4, 14, 3), notStarted(`"b"`, "b", 5, 14), closeStep(6, 14), closeTurn(7, 14)}
	if diff := cmp.Diff(want, closers(&c)); diff != "" {
		t.Errorf("closers (-want +got):\n%s", diff)
	}
}

func TestClosersCrashWhereDshDoes(t *testing.T) {
	tests := map[string]struct{ event, want string }{
		"turn/start with data of null":        {`{"type":"turn/start","data":null}`, "Cannot read properties of null (reading 'turn')"},
		"turn/start without data":             {`{"type":"turn/start"}`, "Cannot read properties of undefined (reading 'turn')"},
		"step/start with data of null":        {`{"type":"step/start","data":null}`, "Cannot read properties of null (reading 'step')"},
		"tool/call with data of null":         {`{"type":"tool/call","data":null}`, "Cannot read properties of null (reading 'callId')"},
		"a block of null":                     {`{"type":"assistant/message","data":{"message":{"content":[1,null]}}}`, "Cannot read properties of null (reading 'type')"},
		"turn/end is not read":                {`{"type":"turn/end","data":null}`, ""},
		"step/end is not read":                {`{"type":"step/end","data":null}`, ""},
		"a string has members, all undefined": {`{"type":"turn/start","data":"x"}`, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var c session.Closers
			if got := c.Event(event(t, test.event)); got != test.want {
				t.Errorf("crash %q, want %q", got, test.want)
			}
		})
	}
}

func TestClosersThatDshRefuses(t *testing.T) {
	const refused = "session event at seq 3 message must have tool source"
	tests := map[string]struct{ id, want string }{
		"an id":          {`"a"`, ""},
		"an empty id":    {`""`, refused},
		"a number as id": {`5`, refused},
		"an id of null":  {`null`, refused},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := follow(t, turnStart, stepStart, announce(test.id))
			if got := c.Refused(); got != test.want {
				t.Errorf("Refused() = %q, want %q", got, test.want)
			}
		})
	}
	if got := follow(t, turnStart, announce(`"a"`, `""`)).Refused(); got != refused {
		t.Errorf("Refused() = %q, want the seq of the second closer: %q", got, refused)
	}
	if got := follow(t, announce(`""`)).Refused(); got != "" {
		t.Errorf("Refused() = %q without an open turn, want none", got)
	}
}

func TestBricks(t *testing.T) {
	for turn, want := range map[string]bool{
		`1`: false, `7.0`: false, `9007199254740991`: false, `null`: false,
		`0`: true, `-0`: true, `-1`: true, `1.5`: true, `9007199254740992`: true, `"1"`: true, `{}`: true, `1e999`: true,
	} {
		c := follow(t, `{"type":"turn/start","time":1,"data":{"turn":`+turn+`}}`)
		if got := c.Bricks(); got != want {
			t.Errorf("turn %s: Bricks() = %v, want %v", turn, got, want)
		}
	}
	if !follow(t, `{"type":"turn/start","time":1,"data":{}}`).Bricks() {
		t.Error("an absent turn does not brick the log")
	}
	if follow(t, turnEnd).Bricks() {
		t.Error("a log without an open turn bricks")
	}
}

package lifecycle_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/lifecycle"
	"github.com/turnlint/turnlint/session"
)

// feed gives the events of a log to a checker: one a line, its type, its payload
// and, where it has them, the members ignorable or surfaceOp and what follows.
func feed(t *testing.T, c *lifecycle.Checker, log string) {
	t.Helper()
	var doc jsjson.Doc
	var e session.Event
	seq := 0
	for line := range strings.Lines(strings.TrimSpace(log)) {
		typ, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		for _, key := range []string{` "ignorable":`, ` "surfaceOp":`} {
			rest = strings.Replace(rest, key, ","+key, 1)
		}
		if err := doc.Parse(fmt.Appendf(nil, `{"type":%q,"seq":%d,"time":1,"data":%s}`, typ, seq, rest)); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		e.Read(doc.Root)
		c.Event(&e)
		seq++
	}
}

// verdict returns what a checker says at the end of a log, as "seq: text".
func verdict(t *testing.T, target int, log string) string {
	t.Helper()
	c := lifecycle.New(target, lifecycle.Header{ID: "s"})
	feed(t, c, log)
	if v := c.Finish(); v != nil {
		return fmt.Sprintf("%d: %s", v.Seq, v.Text)
	}
	return ""
}

const (
	open   = "turn/start {\"turn\":1}\nstep/start {\"turn\":1,\"step\":1}\n"
	system = `system/message {"turn":1,"step":1,"message":{"source":{"kind":"system-prompt"}}} "surfaceOp":"append"` + "\n"
	human  = `user/message {"source":{"kind":"user"},"content":[]} "surfaceOp":"append"` + "\n"
	asks   = `assistant/message {"turn":1,"step":1,"message":{"content":[{"type":"tool-call","id":"c","name":"n","arguments":"{}"}]}} "surfaceOp":"append"` + "\n"
	call   = `tool/call {"turn":1,"step":1,"callId":"c","name":"n","arguments":"{}"}` + "\n"
	result = `tool/result {"turn":1,"step":1,"message":{"source":{"kind":"tool","callId":"c"}}} "surfaceOp":"append"` + "\n"
	closed = "step/end {\"turn\":1,\"step\":1}\nturn/end {\"turn\":1}\n"
	header = `request/header {"header":{"config":{"provider":"p"},"tools":[{"name":"a","description":"","parameters":{}},{"name":"b"}]}}` + "\n"
	begins = `compaction/start {"compactionId":"k","turn":null}` + "\n"
)

// retries returns attempts of one policy.
func retries(attempts ...string) string {
	var log strings.Builder
	for _, attempt := range attempts {
		typ, rest, _ := strings.Cut(attempt, " ")
		fmt.Fprintf(&log, "%s {\"turn\":1,\"step\":1,\"provider\":\"p\",\"policyKey\":\"y\",%s}\n", typ, rest)
	}
	return log.String()
}

func TestCheckerFindsTheFirstBrokenRelation(t *testing.T) {
	tests := []struct {
		name   string
		target int
		log    string
		want   string
	}{
		{"a balanced turn breaks nothing", 4, open + human + asks + call + result + closed, ""},
		{"a log that ends inside a step breaks nothing", 4, open + asks + call, ""},
		{"turns count from one", 4, `turn/start {"turn":2}`, "0: turn/start does not open the expected turn"},
		{"older rules show the number of the turn", 3, `turn/start {"turn":"1"}`, `0: turn/start "1" does not open expected turn 1`},
		{
			"the number of a wrong turn is adopted", 4, "turn/start {\"turn\":7}\nturn/end {\"turn\":8}",
			"0: turn/start does not open the expected turn",
		},
		{"a turn does not end inside a step", 2, open + `turn/end {"turn":1}`, "2: turn/end 1 crosses an open step"},
		{
			"steps count from one in each turn", 4, open + closed + "turn/start {\"turn\":2}\nstep/start {\"turn\":2,\"step\":2}",
			"5: step/start does not match the open turn and next step",
		},
		{"a call is made once", 4, open + asks + call + call, "4: tool/call c does not match one advertised tool call"},
		{"a call must be advertised in v4's words", 4, open + call, "2: tool/call c has no advertised tool lifecycle"},
		{"a call must be advertised in older words", 2, open + call, "2: tool/call c does not match one advertised tool call"},
		{"a call may be advertised again once it has a result", 4, open + asks + call + result + asks + call + result + closed, ""},
		{"a step does not end with an unanswered call", 4, open + asks + call + closed, "4: step/end leaves unresolved tool call c"},
		{"a result has one call", 4, open + asks + call + result + result, "5: tool/result c has no advertised tool lifecycle"},
		{"a result that replaces another needs a turn only", 4, open + asks + call + result +
			`tool/result {"message":{}} "surfaceOp":{"op":"replace","startSeq":4,"endSeq":4},"sourceEventSeqs":[4]`, ""},

		{
			"a policy counts its attempts", 4, open + header + retries(`llm/retry "retryId":"r","retry":1`, `llm/retry "retryId":"r","retry":3`),
			"4: llm/retry skips its policy attempt sequence",
		},
		{
			"a chain of retries keeps its id", 4, open + header + retries(`llm/retry "retryId":"r","retry":1`, `llm/retry "retryId":"q","retry":2`),
			"4: llm/retry changes its retryId",
		},
		{
			"an attempt starts once", 4, open + header +
				retries(`llm/retry "retryId":"r","retry":1`, `llm/retry-started "retryId":"r","retry":1`, `llm/retry-started "retryId":"r","retry":1`),
			"5: llm/retry-started pairs no prior scheduled attempt",
		},

		{"the first system message must be first of all", 4, open + human + system, "3: system/message requires a protected first surface head"},
		{"a later system message may follow the first", 4, open + system + human + system, ""},
		{
			"the system message in front keeps its place", 4, open + system + human +
				`user/message {"source":{"kind":"x"}} "surfaceOp":{"op":"replace","startSeq":2,"endSeq":3},"sourceEventSeqs":[2,3]`,
			"4: user/message replacement range is not on the current surface",
		},
		{
			"the pass over system messages of v3 comes first", 3,
			"turn/start {\"turn\":2}\n" + `system/message {"turn":2,"step":1,"message":{}} "surfaceOp":"append"`,
			"1: system/message does not match an open step",
		},
		{"runs of sources are as good as their members", 4, open + human + human +
			`user/message {"source":{"kind":"x"}} "surfaceOp":{"op":"replace","startSeq":2,"endSeq":3},"sourceEventSeqs":[[1,3]]`, ""},

		{"a turn does not start inside a compaction", 4, begins + open, "1: turn/start crosses an open compaction"},
		{"a seed marker ends what a crash left open", 4, begins + open + `session/end-seed {}`, ""},
		{
			"a compaction that goes on was never left open", 4, begins + open + "compaction/end {\"compactionId\":\"k\",\"turn\":null}\nsession/end-seed {}",
			"1: turn/start crosses an open compaction",
		},
		{
			"a summary names the open compaction", 4, begins + `compaction/summary {"compactionId":"j"}`,
			"1: compaction/summary has no matching compaction/start",
		},
		{
			"a log-only event carries no surface metadata", 2, `turn/start {"turn":1} "surfaceOp":"append"`,
			"0: format v2 event 0 has unexpected field surfaceOp",
		},
		{"a message needs a marker", 3, open + `user/message {"source":{"kind":"x"}}`, "2: user/message requires a surfaceOp marker"},
		{
			"a dispatch starts once", 4, open + strings.Repeat(`tool/ptc-dispatch-start {"rootCallId":"r","parentCallId":"r","subCallId":"a"}`+"\n", 2),
			"3: PTC dispatch repeats subCallId a",
		},
		{"compactions do not overlap", 2, begins + begins, "1: compaction/start overlaps an open compaction"},
		{
			"a compaction that succeeds has a summary", 4, begins + `compaction/end {"compactionId":"k","turn":null}`,
			"1: successful compaction/end requires one summary",
		},
		{"a compaction that fails needs none", 4, begins + `compaction/end {"compactionId":"k","turn":null,"error":{}}`, ""},
		{
			"a summary spares the system message in front", 4, open + system + human + closed + begins +
				`compaction/summary {"compactionId":"k","shadowedRange":{"start":2,"end":3},"shadowedSeqs":[2,3]}`,
			"7: compaction/summary shadowedSeqs do not name an exact current surface span",
		},

		{
			"a title of the user cites nothing", 4, human + `session/title {"messageSeqs":[0],"source":{"kind":"user"}}`,
			"1: session/title messageSeqs must be empty exactly for a user title",
		},
		{
			"a title cites a message once", 4, human + `session/title {"messageSeqs":[0,0],"source":{"kind":"fallback"}}`,
			"1: session/title messageSeqs must cite distinct earlier human user/message events",
		},
		{"a command ends that has run", 2, `command/done {"commandId":"k","kind":"success"}`, "0: command/done k has no prior command/run"},
		{
			"a command is not its own source", 4, "command/run {\"commandId\":\"k\"}\n" + `command/done {"commandId":"k","kind":"success","sourceEventSeq":0}`,
			"1: command/done has invalid sourceEventSeq",
		},
		{"a dispatch inside a dispatch keeps the root", 4, open +
			"tool/ptc-dispatch-start {\"rootCallId\":\"r\",\"parentCallId\":\"r\",\"subCallId\":\"a\"}\n" +
			`tool/ptc-dispatch-start {"rootCallId":"q","parentCallId":"a","subCallId":"b"}`, "3: PTC dispatch changes its rootCallId"},
		{"v3 has the dispatches of v2", 3, `tool/ptc-dispatch {}`, "0: tool/code-dispatch is outside an open turn"},

		{"tools are added that a header defines in full", 4, open + system + header +
			`developer/message {"turn":1,"step":1,"headerSeq":3,"message":{"content":[{"type":"tool-addition","toolName":"a"}]}} "surfaceOp":"append"`, ""},
		{
			"a definition without parameters defines nothing", 4, open + system + header +
				`developer/message {"turn":1,"step":1,"headerSeq":3,"message":{"content":[{"type":"tool-addition","toolName":"b"}]}} "surfaceOp":"append"`,
			`4: developer/message tool-addition "b" must name exactly one tool in headerSeq 3`,
		},
		{
			"a sub-agent has one fact", 4, strings.Repeat(`subagent/catalog {"version":0,"childId":"c","childCreatedAt":1,"mode":"one-shot"}`+"\n", 2),
			"1: duplicate catalog child c",
		},
		{"facts in front of the cut are those of the parent", 4, "subagent/catalog {}\nsession/end-seed {\"inherited\":true}", ""},
		{
			"facts in front of a plain seed marker count", 4, "subagent/catalog {}\nsession/end-seed {}",
			"0: subagent/catalog requires a supported versioned catalog fact",
		},
		{"a marker of an earlier generation says nothing", 4, `session-log-deepseek/delivery-accepted {"sessionId":"x","sessionFormatVersion":3}`, ""},
		{
			"a marker of this generation names the session", 4,
			"turn/start {\"turn\":1}\n" + `session-log-deepseek/delivery-accepted {"sessionId":"x","throughSeq":0,"sessionFormatVersion":4}`,
			"1: current-generation delivery marker names the wrong Session",
		},

		{"an unknown event is refused", 3, "x/y {}", `0: format v2 contains unknown event type "x/y" at seq 0`},
		{"an ignorable one is passed over", 4, `x/y 5 "ignorable":true,"surfaceOp":7`, ""},
		{"the vocabulary comes before all relations", 2, `turn/end {"turn":1}` + "\nx/y {}", `1: format v2 contains unknown event type "x/y" at seq 1`},
		{
			"a crash of the older rules is told", 2, open + `user/message {"source":{"kind":"user"}} "surfaceOp":"append"`,
			"2: Cannot read properties of undefined (reading 'flatMap')",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, verdict(t, test.target, test.log)); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

// notStarted returns the result that dsh makes up for a call that never started,
// with a message id and a text.
func notStarted(target int, id, text string) string {
	const failure = `"error":{"name":"ToolNotStartedError","code":"TOOL_NOT_STARTED"}`
	block := `[{"type":"text","text":"` + text + `"}]`
	message := `"role":"tool","toolCallId":"c","isError":true,"content":` + block
	if target < 4 {
		message = `"role":"user","content":[{"type":"tool-result","toolCallId":"c","isError":true,"content":` + block + `}]`
	}
	return `tool/result {"turn":1,"step":1,"message":{"id":"` + id + `","source":{"kind":"tool","callId":"c"},` + message + "}," + failure + `} "surfaceOp":"append"` + "\n"
}

func TestResultWithoutACallIsTheExactSyntheticOne(t *testing.T) {
	const refused = "3: tool/result c is not the exact TOOL_NOT_STARTED repair"
	tests := []struct {
		name     string
		target   int
		id, text string
		want     string
	}{
		{"v2 numbers it by its own seq", 2, "interrupted-tool-result-c-3", session.NotStartedText, ""},
		{"v2 takes no other number", 2, "interrupted-tool-result-c-2", session.NotStartedText, refused},
		{"v3 takes the number of an earlier generation", 3, "interrupted-tool-result-c-2", session.NotStartedText, ""},
		{"v4 does too", 4, "interrupted-tool-result-c-2", session.NotStartedText, ""},
		{"the number is canonical", 4, "interrupted-tool-result-c-02", session.NotStartedText, refused},
		{"it is there", 4, "interrupted-tool-result-c-", session.NotStartedText, refused},
		{"the text is that of dsh", 4, "interrupted-tool-result-c-3", "never started", refused},
		{"the id names the call", 4, "interrupted-tool-result-d-3", session.NotStartedText, refused},
		{"v4 knows the results that a fork makes up", 4, "forked-tool-result-c-3", "forked", ""},
		{"v3 does not", 3, "forked-tool-result-c-3", session.NotStartedText, refused},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			log := open + asks + notStarted(test.target, test.id, test.text) + closed
			if diff := cmp.Diff(test.want, verdict(t, test.target, log)); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRequestForATitleHasOneTextOfItsProducer(t *testing.T) {
	request := func(message string) string {
		return human + `session/title-llm-request {"messageSeqs":[0],"messages":[` + message + "]}"
	}
	const text = `"role":"user","content":[{"type":"text","text":"t"}],"source":`
	tests := []struct {
		name    string
		target  int
		message string
		ok      bool
	}{
		{"v2 names the plugin", 2, `{` + text + `{"kind":"plugin","plugin":"dsh-session-title-llm"}}`, true},
		{"v4 names the producer", 4, `{` + text + `{"kind":"dsh-session-title-llm"}}`, true},
		{"v4 has no plugins", 4, `{` + text + `{"kind":"plugin","plugin":"dsh-session-title-llm"}}`, false},
		{"there is one message", 4, "", false},
		{"it has one block", 4, `{"role":"user","content":[],"source":{"kind":"dsh-session-title-llm"}}`, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := verdict(t, test.target, request(test.message)); (got == "") != test.ok {
				t.Errorf("verdict %q, want a violation: %v", got, !test.ok)
			}
		})
	}
}

func TestAnyTypeLeavesTheVocabularyToTheCaller(t *testing.T) {
	c := lifecycle.New(4, lifecycle.Header{ID: "s"})
	c.AnyType = true
	feed(t, c, "x/y {}")
	if v := c.Finish(); v != nil {
		t.Errorf("an unknown type is refused with %q", v.Text)
	}
}

func TestMarkersOfTheParentMayStandInFrontOfTheCut(t *testing.T) {
	const foreign = "turn/start {\"turn\":1}\nsession-log-deepseek/delivery-accepted {\"sessionId\":\"p\",\"throughSeq\":0,\"sessionFormatVersion\":4}\n"
	for _, parent := range []bool{true, false} {
		c := lifecycle.New(4, lifecycle.Header{ID: "s", Parent: parent})
		feed(t, c, foreign+`session/end-seed {"inherited":true}`)
		if refused := c.Finish() != nil; refused == parent {
			t.Errorf("with a parent session = %v: refused = %v", parent, refused)
		}
	}
}

func TestNoPayloadMakesTheCheckerPanic(t *testing.T) {
	payloads := []string{
		"null", "5", `"x"`, "[]", "[null]", "{}", `{"turn":null,"step":[],"message":null,"header":5,"messageSeqs":{},"content":[1]}`,
		`{"turn":1e999,"step":-0,"message":{"source":5,"content":[null,{"type":"tool-call"}]},"shadowedSeqs":[{}],"inherited":true}`,
	}
	envelopes := []string{"", `"surfaceOp":null`, `"surfaceOp":{}`, `"surfaceOp":"append"`, `"surfaceOp":{"startSeq":0,"endSeq":0},"sourceEventSeqs":[[]]`}
	for target := 2; target <= 4; target++ {
		c := lifecycle.New(target, lifecycle.Header{})
		var log strings.Builder
		for typ := range session.DeveloperMessage + 1 {
			for _, payload := range payloads {
				for _, envelope := range envelopes {
					fmt.Fprintf(&log, "%s %s %s\n", nameOf(typ), payload, envelope)
				}
			}
		}
		feed(t, c, strings.ReplaceAll(log.String(), " \n", "\n"))
		if c.Finish() == nil {
			t.Errorf("v%d takes all of it", target)
		}
	}
}

func nameOf(typ session.Type) string {
	if typ == session.Unknown {
		return "x/y"
	}
	return typ.String()
}

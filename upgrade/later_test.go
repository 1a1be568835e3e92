package upgrade

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/jsjson"
)

// eventsOf returns the events of a log: one a line, its type, its payload and, where
// it has them, the other members of its envelope. The time of each is its seq.
func eventsOf(t *testing.T, log string) []Event {
	t.Helper()
	var list []Event
	for line := range strings.Lines(strings.TrimSpace(log)) {
		part := strings.SplitN(strings.TrimSpace(line), " ", 3)
		seq := len(list)
		text := fmt.Sprintf(`{"type":%q,"seq":%d,"time":%d,"data":%s`, part[0], seq, seq, part[1])
		if len(part) > 2 {
			text += "," + part[2]
		}
		var doc jsjson.Doc
		if err := doc.Parse([]byte(text + "}")); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		list = append(list, NewEvent(ObjectOf(doc.Root), int64(seq)))
	}
	return list
}

// through sends a log through the edge from a generation and returns its events in
// the next one, written like those of eventsOf, or the refusals.
func through(t *testing.T, from int, h *Header, opt Options, log string) string {
	t.Helper()
	var out []string
	seq := int64(0)
	emit := func(e Event) error {
		if n, ok := e.Get("seq").SafeInt(); !ok || n != seq || e.Seq != seq {
			t.Errorf("event %s has the seq %d, want %d", e.AppendText(nil), n, seq)
		}
		seq++
		line := e.Type + " " + string(jsjson.AppendCanonical(nil, e.Data()))
		for _, key := range []string{"ignorable", "sourceEventSeqs", "surfaceOp"} {
			if v := e.Get(key); v.Exists() {
				line += fmt.Sprintf(" %q:%s", key, jsjson.AppendCanonical(nil, v))
			}
		}
		out = append(out, line)
		return nil
	}
	refs := &refusals{all: opt.All}
	l := &link{edge: edges[from](h, &opt, emit), from: from, refs: refs}
	for _, e := range eventsOf(t, log) {
		if l.Event(e) != nil {
			break
		}
	}
	if refs.count == 0 {
		_, err := l.Finish(noCut)
		if err != nil && refs.count == 0 {
			t.Errorf("the end of the log is refused with %v, which nobody collects", err)
		}
	}
	if refs.count > 0 {
		out = nil
		for _, r := range refs.list {
			out = append(out, fmt.Sprintf("%d: %s", r.Row, r.Text))
		}
	}
	return strings.Join(out, "\n")
}

const (
	step          = "turn/start {\"turn\":1}\nstep/start {\"turn\":1,\"step\":1}\n"
	speaks        = `user/message {"id":"u","role":"user","content":[],"source":{"kind":"user"}} "surfaceOp":"append"` + "\n"
	head          = `system/message {"turn":1,"step":1,"message":{"id":"%s","role":"system","source":{"kind":"plugin","plugin":"@deepseek-ai/dsh-system-prompt"},"content":%s}}`
	requestConfig = `"config":{"provider":"p","model":"m"}`
	prefix23      = "@deepseek-ai/dsh-session-format-v2-to-v3 refuses this format v2 Session: "
	prefix34      = "@deepseek-ai/dsh-session-format-v3-to-v4 refuses this format v3 Session: "
)

// firstHead returns the empty one that the first step brings.
func firstHead() string {
	edge := newV2ToV3(&Header{ID: "s"}, nil, nil).(*v2ToV3)
	return fmt.Sprintf(head, edge.systemID(Event{Type: "step/start", Seq: 1}), "[]") + ` "surfaceOp":"append"` + "\n"
}

func TestEdgeFromV2ToV3(t *testing.T) {
	edge := newV2ToV3(&Header{ID: "s"}, nil, nil).(*v2ToV3)
	promptAt := func(seq int64, replaced int, content string) string {
		id := edge.systemID(Event{Type: "request/header", Seq: seq})
		return fmt.Sprintf(head, id, content) + fmt.Sprintf(` "sourceEventSeqs":[%d] "surfaceOp":{"op":"replace","startSeq":%[1]d,"endSeq":%[1]d}`, replaced) + "\n"
	}
	tests := []struct{ name, log, want string }{
		{"the first step brings an empty system message", step + speaks, step + firstHead() + speaks},
		{
			"a prompt becomes the system message in front",
			step + `request/header {"header":{` + requestConfig + `,"system":"S","tools":[],"adapterDefaults":{}},"reason":"initial"}` + "\n" +
				`request/header {"header":{` + requestConfig + `,"system":"S"},"reason":"resume"}` + "\n" +
				`request/header {"header":{` + requestConfig + `},"reason":"change"}`,
			step + firstHead() + promptAt(2, 2, `[{"type":"text","text":"S"}]`) +
				`request/header {"header":{` + requestConfig + `},"reason":"initial"}` + "\n" +
				`request/header {"header":{` + requestConfig + `},"reason":"resume"}` + "\n" +
				promptAt(4, 3, "[]") + `request/header {"header":{` + requestConfig + `},"reason":"change"}`,
		},
		{
			"references follow the events that they name",
			step + speaks + speaks + `session/title {"title":"t","messageSeqs":[2,3],"source":{"kind":"fallback"}}` + "\n" +
				`user/message {"id":"v","role":"user","content":[],"source":{"kind":"user"}} "sourceEventSeqs":[2,3],"surfaceOp":{"op":"replace","start":2,"end":3}`,
			step + firstHead() + speaks + speaks + `session/title {"title":"t","messageSeqs":[3,4],"source":{"kind":"fallback"}}` + "\n" +
				`user/message {"id":"v","role":"user","content":[],"source":{"kind":"user"}} "sourceEventSeqs":[3,4] "surfaceOp":{"op":"replace","startSeq":3,"endSeq":4}`,
		},
		{
			"dispatches, the preset and the plugin of the code mode get new names",
			`tool/code-dispatch-start {"rootCallId":"r","parentCallId":"r","subCallId":"r:code:1","name":"n","arguments":{}}` + "\n" +
				`agent-preset/selected {"agentPreset":"code"}` + "\n" +
				`agent/inbox/spliced {"target":"next-turn","start":0,"inserted":[{"id":"u","role":"user","content":[],"source":{"kind":"plugin","plugin":"tools-code-mode"}}]}`,
			`tool/ptc-dispatch-start {"rootCallId":"r","parentCallId":"r","subCallId":"r:code:1","name":"n","arguments":{}}` + "\n" +
				`agent-preset/selected {"agentPreset":"ptc"}` + "\n" +
				`agent/inbox/spliced {"target":"next-turn","start":0,"inserted":[{"id":"u","role":"user","content":[],"source":{"kind":"plugin","plugin":"tools-ptc"}}]}`,
		},
		{
			"a message in front of all steps is refused", speaks,
			"0: format v2 surface before first step cannot acquire a system head without changing chronology",
		},
		{
			"a prompt between two steps is refused",
			step + "step/end {\"turn\":1,\"step\":1}\n" + `request/header {"header":{` + requestConfig + `,"system":"S"},"reason":"initial"}`,
			"3: format v2 changed request prompt outside an open step cannot retain source chronology",
		},
		{"an unknown event is refused even when it is ignorable", `x/y {} "ignorable":true`, "0: format v2 to v3 cannot safely transform unclassified event x/y"},
		{"a producer that v1 did not have is refused", step + strings.Replace(speaks, `"kind":"user"`, `"kind":"at-file-mention"`, 1), "2: cannot safely transform unclassified message source"},
		{"a member that v2 did not have is refused", `plan/mode {"active":true,"zz":1}`, "0: " + prefix23 + "plan/mode data has unexpected field zz"},
		{"a value that v2 did not have is refused", `plan/mode {"active":1}`, "0: " + prefix23 + "plan/mode 0 active must be boolean"},
		{
			"a block of an unknown kind is refused in the stream too",
			step + `assistant/attempt {"turn":1,"step":1,"stream":[{"type":"chunk","time":1,"chunk":{"type":"block-start","index":0,"blockType":"audio"}}]}`,
			`2: format v2 assistant/attempt at seq 2 data.stream[0].chunk.blockType: cannot safely transform unclassified message content kind "audio"`,
		},
		{
			"a message whose id is one that this edge gives is refused",
			step + strings.Replace(speaks, `"id":"u"`, `"id":"`+edge.systemID(Event{Type: "step/start", Seq: 1})+`"`, 1),
			"2: source message id collides with a generated system message id",
		},
		{"a step of turn 0 has no place for a system message", "turn/start {\"turn\":0}\nstep/start {\"turn\":0,\"step\":1}", "1: " + prefix23 + "turn must be positive"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := through(t, 2, &Header{ID: "s", Cut: noCut}, Options{}, test.log)
			if diff := cmp.Diff(strings.TrimSpace(test.want), got); diff != "" {
				t.Errorf("the log of v3 (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEdgeFromV3ToV4(t *testing.T) {
	const splice = `agent/inbox/spliced {"target":"next-turn","start":0,"inserted":[{"id":"u","role":"user","content":[],"source":{"kind":"user"}}]}` + "\n"
	tests := []struct{ name, log, want string }{
		{
			"a result becomes a message of its tool",
			`tool/result {"turn":1,"step":1,"message":{"id":"r","role":"user","source":{"kind":"tool","callId":"c"},` +
				`"content":[{"type":"tool-result","toolCallId":"c","content":[{"type":"audio"}],"isError":true,"zz":1}],"yy":2}} "surfaceOp":"append"`,
			`tool/result {"turn":1,"step":1,"message":{"role":"tool","source":{"kind":"tool","callId":"c"},"toolCallId":"c",` +
				`"content":[{"type":"plugin:audio"}],"isError":true,"id":"r","plugin:result:zz":1,"plugin:message:yy":2}} "surfaceOp":"append"`,
		},
		{
			"messages name their producers",
			`user/message {"id":"u","role":"user","content":[],"source":{"kind":"plugin","plugin":"compact","compactionId":"k"}} "surfaceOp":"append"` + "\n" +
				`user/message {"id":"v","role":"user","content":[],"source":{"kind":"plugin","plugin":"@deepseek-ai/dsh-system-prompt","form":"x"}} "surfaceOp":"append"` + "\n" +
				`user/message {"id":"w","role":"user","content":[],"source":{"kind":"plugin","plugin":"hooks-codex"}} "surfaceOp":"append"` + "\n" +
				`user/message {"id":"x","role":"user","content":[],"source":{"kind":"plugin","plugin":"mine"}} "surfaceOp":"append"`,
			`user/message {"id":"u","role":"user","content":[],"source":{"kind":"compact-checkpoint","compactionId":"k"}} "surfaceOp":"append"` + "\n" +
				`user/message {"id":"v","role":"user","content":[],"source":{"kind":"runtime-context","form":"x"}} "surfaceOp":"append"` + "\n" +
				`user/message {"id":"w","role":"user","content":[],"source":{"kind":"hooks-codex"}} "surfaceOp":"append"` + "\n" +
				`user/message {"id":"x","role":"user","content":[],"source":{"kind":"plugin:mine"}} "surfaceOp":"append"`,
		},
		{"an unknown ignorable event gets a name of its own", `x/y 5 "ignorable":true`, `plugin:x/y 5 "ignorable":true`},
		{
			"a turn that a restart left open ends",
			"turn/start {\"turn\":1}\n" + splice + "turn/start {\"turn\":2}\n" + `image/offload {"targets":[{"seq":2,"imageIndexes":[0]}]}`,
			"turn/start {\"turn\":1}\n" + splice + "turn/end {\"turn\":1,\"reason\":{\"kind\":\"interrupted\"}}\nturn/start {\"turn\":2}\n" +
				`image/offload {"targets":[{"seq":3,"imageIndexes":[0]}]}`,
		},
		{
			"a turn that is open without a restart stays so",
			"turn/start {\"turn\":1}\n" + splice + "plan/mode {\"active\":true}\nturn/start {\"turn\":2}",
			"turn/start {\"turn\":1}\n" + splice + "plan/mode {\"active\":true}\nturn/start {\"turn\":2}",
		},
		{"a required unknown event is refused", "x/y {}", `0: format v3 contains unknown event type "x/y" at seq 0`},
		{
			"a result inside a result is refused",
			`tool/result {"message":{"id":"r","role":"user","source":{"kind":"tool","callId":"c"},"content":[{"type":"tool-result","toolCallId":"c","content":[{"type":"tool-result"}]}]}}`,
			"0: format v3 tool/result at seq 0 contains a nested tool-result unsupported by this converter",
		},
		{
			"a definition that v4 would take for a late one is refused", `request/header {"header":{"tools":[{},{"deferLoading":false}]}}`,
			"0: format v3 request/header at seq 0.header.tools[1] contains deferLoading, which is only defined in V4",
		},
		{
			"a marker of v4 is refused", `session-log-deepseek/delivery-accepted {"sessionId":"s","throughSeq":0,"sessionFormatVersion":4}`,
			"0: format v3 delivery marker claims target format v4",
		},
		{
			"content must be a list of blocks", `tool/ptc-dispatch {"content":5}`,
			"0: " + prefix34 + "format v3 tool/ptc-dispatch at seq 0.content content must be an array",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := through(t, 3, &Header{ID: "s", Cut: noCut}, Options{}, test.log)
			if diff := cmp.Diff(strings.TrimSpace(test.want), got); diff != "" {
				t.Errorf("the log of v4 (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFactsAboutSubAgentsAreAppended(t *testing.T) {
	known := []Child{
		{ID: "b", CreatedAt: 9, Descriptors: 1, Descriptor: []byte(`{"version":3,"mode":"one-shot","provider":"p"}`)},
		{ID: "a", CreatedAt: 7, Descriptors: 1, Descriptor: []byte(`{"version":1,"provider":"p","label":"L"}`)},
		{ID: "c", CreatedAt: 9, Descriptors: 2, Descriptor: []byte(`{}`)},
		{ID: "d", CreatedAt: 8},
	}
	log := `subagent/catalog {"version":0,"childId":"d","childCreatedAt":8,"mode":"one-shot"}`
	want := log + `
subagent/catalog {"version":0,"childId":"a","childCreatedAt":7,"mode":"continuable","label":"L"}
subagent/catalog {"version":0,"childId":"b","childCreatedAt":9,"mode":"one-shot"}
subagent/catalog {"version":1,"childId":"c","childCreatedAt":9,"mode":"unknown"}`
	got := through(t, 3, &Header{ID: "s", Cut: noCut}, Options{Children: known}, log)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the log of v4 (-want +got):\n%s", diff)
	}
}

func TestFactsOfAnEmptyLogDateFromItsCreation(t *testing.T) {
	const log = `{"type":"session","version":3,"id":"s","createdAt":77,"isSeeded":false,"delegationDepth":0}` + "\n"
	got, err := Run(strings.NewReader(log), int64(len(log)), 3, 4, Options{Children: []Child{{ID: "c", CreatedAt: 1}}})
	if err != nil || got.Refusal() != nil || got.Events != 1 {
		t.Errorf("%d events, refusal %v, error %v; want one event", got.Events, got.Refusal(), err)
	}
}

func TestAllRefusalsOfAnEdgeAreReported(t *testing.T) {
	log := speaks + step + speaks + "x/y {}\n" + `plan/mode {"active":1}` + "\n" + speaks
	want := strings.Join([]string{
		"0: format v2 surface before first step cannot acquire a system head without changing chronology",
		"4: format v2 to v3 cannot safely transform unclassified event x/y",
		"5: " + prefix23 + "plan/mode 5 active must be boolean",
	}, "\n")
	if diff := cmp.Diff(want, through(t, 2, &Header{ID: "s", Cut: noCut}, Options{All: true}, log)); diff != "" {
		t.Errorf("refusals (-want +got):\n%s", diff)
	}
}

func TestRefusedStepDoesNotMakeSoundMessagesRefused(t *testing.T) {
	log := "turn/start {\"turn\":1}\nstep/start {\"turn\":1,\"step\":1,\"zz\":1}\n" + speaks
	want := "1: " + prefix23 + "step/start data has unexpected field zz"
	if diff := cmp.Diff(want, through(t, 2, &Header{ID: "s", Cut: noCut}, Options{All: true}, log)); diff != "" {
		t.Errorf("refusals (-want +got):\n%s", diff)
	}
}

func TestRowsBehindABadOneAreDropped(t *testing.T) {
	const (
		begin   = `{"type":"session","version":2,"id":"s","createdAt":1,"isSeeded":false,"delegationDepth":0}` + "\n" + `{"type":"plan/mode","seq":0,"time":1,"data":{"active":true}}` + "\n"
		gap     = `{"type":"plan/mode","seq":7,"time":1,"data":{"active":true}}` + "\n"
		turnEnd = `{"type":"turn/end","seq":1,"time":1,"data":{"turn":1}}` + "\n"
		noTime  = `{"type":"turn/end","seq":1,"data":{"turn":1}}` + "\n"
	)
	tests := []struct {
		name, log string
		strict    bool
		dropped   int64
		want      string
	}{
		{"rows behind a gap", begin + gap + gap, false, 2, ""},
		{"rows behind what is no JSON", begin + "{bad}\n" + gap, true, 2, ""},
		{"not when a turn/end is among them", begin + gap + turnEnd, false, 0, "released v2 row 1 has seq gap (expected 1, got 7)"},
		{"not when a turn/end follows what is no JSON", begin + "{bad}\n" + turnEnd, false, 0, "corrupt session log: row 2 is not valid JSON"},
		{"a turn/end with a broken envelope is a bad row like others", begin + noTime, false, 1, ""},
		{"not when the check is strict", begin + gap, true, 0, "released v2 row 1 has seq gap (expected 1, got 7)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Run(strings.NewReader(test.log), int64(len(test.log)), 2, 3, Options{Strict: test.strict})
			if err != nil {
				t.Fatal(err)
			}
			refusal := ""
			if r := got.Refusal(); r != nil {
				refusal = r.Text
			} else if got.Events != 1 {
				t.Errorf("%d events, want 1", got.Events)
			}
			if refusal != test.want || refusal == "" && got.DroppedRows != test.dropped {
				t.Errorf("refusal %q with %d dropped rows, want %q with %d", refusal, got.DroppedRows, test.want, test.dropped)
			}
		})
	}
}

func TestNoDamageMakesAMigrationPanic(t *testing.T) {
	log := longLog(1)
	log = bytes.ReplaceAll(log, []byte(`"stream":[{"type":"chunk"`), []byte(`"stream":[5,{"type":"chunk"`))
	at := bytes.Index(log, []byte(`,{"type":"chunk","time":3`))
	end := bytes.LastIndex(log, []byte(`}]}`))
	log = append(log[:at:at], log[end+1:]...)
	damages := []string{"null", "[]", "{}", `"x"`, "-1", "1e999"}
	for from := 2; from <= 3; from++ {
		image := bytes.Replace(log, []byte(`"version":2`), fmt.Appendf(nil, `"version":%d`, from), 1)
		for i := range image {
			cut := image[:i]
			if _, err := Run(bytes.NewReader(cut), int64(len(cut)), from, 4, Options{All: true}); err != nil {
				t.Fatalf("v%d cut at byte %d: %v", from, i, err)
			}
			if image[i] != ':' {
				continue
			}
			rest := image[i+1:]
			value := rest[:max(bytes.IndexAny(rest, ",}"), 0)]
			for _, damage := range damages {
				broken := bytes.Join([][]byte{image[:i+1], []byte(damage), rest[len(value):]}, nil)
				if _, err := Run(bytes.NewReader(broken), int64(len(broken)), from, 4, Options{All: true}); err != nil {
					t.Fatalf("v%d with %s at byte %d: %v", from, damage, i, err)
				}
			}
		}
	}
}

func TestResultsInResultsAreRefusedAsByAFullStack(t *testing.T) {
	const depth = 200_000
	block := strings.Repeat(`{"type":"tool-result","toolCallId":"c","content":[`, depth) + strings.Repeat("]}", depth)
	log := step + strings.Replace(speaks, `"content":[]`, `"content":[`+block+"]", 1)
	want := "2: " + prefix23 + "Maximum call stack size exceeded"
	if got := through(t, 2, &Header{ID: "s", Cut: noCut}, Options{}, log); got != want {
		t.Errorf("the log of v3 is %.200q, want %q", got, want)
	}
}

func FuzzLaterEdges(f *testing.F) {
	const begin = `{"type":"session","version":%d,"id":"s","createdAt":1,"isSeeded":false,"delegationDepth":0}` + "\n"
	f.Add(fmt.Appendf(nil, begin+`{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}
{"type":"step/start","seq":1,"time":1,"data":{"turn":1,"step":1}}
{"type":"user/message","seq":2,"time":1,"data":{"id":"u","role":"user","content":[{"type":"text","text":"x"}],"source":{"kind":"plugin","plugin":"compact","compactionId":"k"}},"surfaceOp":"append"}
{"type":"assistant/attempt","seq":3,"time":1,"data":{"turn":1,"step":1,"stream":[{"type":"chunk","time":1,"chunk":{"type":"block-end","index":0,"block":{"type":"text","text":"x"}}}]}}
`, 2), false)
	f.Add(fmt.Appendf(nil, begin+`{"type":"agent/inbox/spliced","seq":0,"time":1,"data":{"target":"next-turn","start":0,"inserted":[{"content":[],"source":{"kind":"user"}}]}}
{"type":"tool/result","seq":1,"time":1,"data":{"message":{"id":"r","role":"user","source":{"kind":"tool","callId":"c"},"content":[{"type":"tool-result","toolCallId":"c","content":[{"type":"x"}]}]}},"surfaceOp":"append"}
{"type":"subagent/catalog","seq":2,"time":1,"data":{"version":0,"childId":"c","childCreatedAt":1,"mode":"one-shot"}}
`, 3), true)
	f.Fuzz(func(t *testing.T, log []byte, third bool) {
		from := 2
		if third {
			from = 3
		}
		one := fuzzed(t, log, from, 4, Options{})
		all := fuzzed(t, log, from, 4, Options{All: true})
		checkFirst(t, "log", one, all)
	})
}

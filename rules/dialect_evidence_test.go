package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// dates is the latest floor and the earliest ceiling that some signals give.
type dates struct{ Floor, Ceiling string }

func (d *dates) see(s *signal) {
	d.Floor = max(d.Floor, s.floor)
	if s.ceiling != "" && (d.Ceiling == "" || s.ceiling < d.Ceiling) {
		d.Ceiling = s.ceiling
	}
}

// TestEventsAreDatedByTheirShape has a row for each signal of an event in
// docs/format.md §6.2.
func TestEventsAreDatedByTheirShape(t *testing.T) {
	tests := []struct {
		name, event string
		want        dates
	}{
		{"usage was an event of its own", `{"type":"usage","data":{}}`, dates{"", "2026-06-21"}},
		{"error too", `{"type":"error","data":{}}`, dates{"", "2026-06-21"}},
		{"no surface mark, and no id", `{"type":"user/message","data":{"content":[],"source":{}}}`, dates{"", "2026-06-26"}},
		{"a surface mark, and no id", `{"type":"user/message","data":{"content":[],"source":{}},"surfaceOp":"append"}`, dates{"2026-06-26", "2026-07-28"}},
		{"context messages", `{"type":"context/message","data":{}}`, dates{"", "2026-07-24"}},
		{"deltas of the request header", `{"type":"request/header-delta","data":{}}`, dates{"2026-07-07", "2026-07-17"}},
		{"the request header", `{"type":"request/header","data":{}}`, dates{"2026-07-07", ""}},
		{"no provenance", `{"type":"assistant/message","data":{"content":[]},"surfaceOp":"append"}`, dates{"2026-06-26", "2026-07-17"}},
		{"provenance", `{"type":"assistant/message","data":{"content":[],"provenance":{}},"surfaceOp":"append"}`, dates{"2026-06-26", "2026-07-28"}},
		{"a blocked prompt", `{"type":"prompt/blocked","data":{}}`, dates{"2026-07-04", "2026-07-27"}},
		{"a rejected turn", `{"type":"turn/end","data":{"turn":1,"reason":{"kind":"rejected"}}}`, dates{"2026-07-04", "2026-07-27"}},
		{"a turn for a title", `{"type":"turn/start","data":{"turn":1,"trigger":{"kind":"session-title"}}}`, dates{"2026-07-21", "2026-07-28"}},
		{"a turn for an injection", `{"type":"turn/start","data":{"turn":1,"trigger":{"kind":"injection"}}}`, dates{"", "2026-07-27"}},
		{"a legacy tool result", `{"type":"tool/result","data":{"callId":"c","content":[],"isError":false},"surfaceOp":"append"}`, dates{"2026-06-26", "2026-07-28"}},
		{"an identified user message", `{"type":"user/message","data":{"id":"m","role":"user"},"surfaceOp":"append"}`, dates{"2026-07-28", ""}},
		{"an identified assistant message", `{"type":"assistant/message","data":{"message":{"id":"m"}},"surfaceOp":"append"}`, dates{"2026-07-28", ""}},
		{"a closer", `{"type":"tool/result","data":{"message":{"id":"interrupted-tool-result-c-5"}},"surfaceOp":"append"}`, dates{"2026-07-28", ""}},
		{"a message with an empty id says nothing of ids", `{"type":"user/message","data":{"id":"","content":[]},"surfaceOp":"append"}`, dates{"2026-06-26", ""}},
		{"the end of a seed", `{"type":"session/end-seed","data":{}}`, dates{"2026-07-30", ""}},
		{"a trigger", `{"type":"turn/start","data":{"turn":1,"trigger":{"kind":"message"}}}`, dates{"", "2026-08-05"}},
		{"no trigger", `{"type":"turn/start","data":{"turn":1}}`, dates{"2026-08-05", ""}},
		{"steering", `{"type":"steering/message","data":{}}`, dates{"", "2026-08-05"}},
		{"a disposed turn", `{"type":"turn/end","data":{"turn":1,"reason":{"kind":"disposed"}}}`, dates{"", "2026-08-05"}},
		{"an aborted turn without cause", `{"type":"turn/end","data":{"turn":1,"reason":{"kind":"aborted"}}}`, dates{"", "2026-08-05"}},
		{"an aborted turn with its cause says nothing", `{"type":"turn/end","data":{"turn":1,"reason":{"kind":"aborted","reason":{}}}}`, dates{}},
		{"an error that names a step", `{"type":"turn/end","data":{"turn":1,"reason":{"kind":"error","step":1}}}`, dates{"", "2026-08-05"}},
		{"an error with an error", `{"type":"turn/end","data":{"turn":1,"reason":{"kind":"error","error":{}}}}`, dates{"2026-08-05", ""}},
		{"a blocked turn", `{"type":"turn/end","data":{"turn":1,"reason":{"kind":"blocked"}}}`, dates{"2026-08-05", ""}},
		{"a completed turn says nothing", `{"type":"turn/end","data":{"turn":1,"reason":{"kind":"completed"}}}`, dates{}},
		{"the inbox", `{"type":"agent/inbox/spliced","data":{}}`, dates{"2026-08-05", ""}},
		{"goals", `{"type":"goal/change","data":{}}`, dates{"2026-08-05", ""}},
		{"compaction under its old name", `{"type":"compact/start","data":{}}`, dates{"", "2026-08-13"}},
		{"compaction under its new name", `{"type":"compaction/start","data":{}}`, dates{"2026-08-13", ""}},
		{"the key ignorable", `{"type":"x","data":{},"ignorable":true}`, dates{"2026-08-11", ""}},
		{"the first code of closers", `{"type":"tool/result","data":{"error":{"code":"interrupted"}},"surfaceOp":"append"}`, dates{"2026-06-26", "2026-07-22"}},
		{"today's codes", `{"type":"tool/result","data":{"error":{"code":"TOOL_NOT_STARTED"}},"surfaceOp":"append"}`, dates{"2026-07-22", ""}},
		{"other types say nothing", `{"type":"session/title","data":{}}`, dates{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var doc jsjson.Doc
			if err := doc.Parse([]byte(test.event)); err != nil {
				t.Fatal(err)
			}
			var event session.Event
			event.Read(doc.Root)
			var got dates
			eventSignals(&event, got.see)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("dates (-want +got):\n%s", diff)
			}
		})
	}
	var got dates
	if got.see(packedRow); got.Floor != "2026-07-22" {
		t.Errorf("a packed row has the floor %q", got.Floor)
	}
}

func TestCreationIsDatedByTheHeader(t *testing.T) {
	tests := []struct {
		name, members string
		encoding      scan.Encoding
		want          string // the latest floor
	}{
		{"every header that dsh reads has a depth", "", scan.Plain, "2026-07-20"},
		{"so a seed tells no more", `,"seedLength":3`, scan.Plain, "2026-07-20"},
		{"nor do frames", "", scan.Zstd, "2026-07-20"},
		{"an origin", `,"origin":"subagent"`, scan.Plain, "2026-08-02"},
		{"a preset", `,"origin":"subagent","agentPreset":"x"`, scan.Zstd, "2026-08-10"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h, refusal := session.ParseHeader([]byte(`{"type":"session","version":0,"id":"x","createdAt":1,"delegationDepth":0` + test.members + `}`))
			if refusal != nil {
				t.Fatal(refusal)
			}
			var got dates
			headerSignals(h, test.encoding, got.see)
			if got.Floor != test.want || got.Ceiling != "" {
				t.Errorf("got %+v, want the floor %q", got, test.want)
			}
		})
	}
}

func TestRuleSetIsTheMostPermissiveOfTheInterval(t *testing.T) {
	tests := []struct {
		name           string
		floor, ceiling string
		want           Dialect
	}{
		{"no evidence", "", "", Open},
		{"a floor only", "2026-06-21", "", Open},
		{"a ceiling behind the day of plugins", "2026-06-21", "2026-08-05", Open},
		{"the day of plugins itself, on which messages got their ids", "2026-06-21", "2026-07-28", Ctx},
		{"the day before", "2026-06-21", "2026-07-27", Strict},
		{"June", "", "2026-06-21", Strict},
		{"mixed, the floor is open", "2026-08-05", "2026-07-17", Open},
		{"mixed, the floor is ctx", "2026-07-27", "2026-07-17", Ctx},
		{"mixed, the floor is strict", "2026-07-22", "2026-07-17", Strict},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			i := interval{bound{date: test.floor}, bound{date: test.ceiling}}
			if got, _ := i.dialect(); got != test.want {
				t.Errorf("rule set %s, want %s", got, test.want)
			}
		})
	}
}

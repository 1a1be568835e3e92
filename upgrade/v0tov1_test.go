package upgrade

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEventsOfV0GetTheShapesOfV1(t *testing.T) {
	tests := []struct{ name, row, want string }{
		{
			"the trigger of a turn goes", `turn/start","time":1,"data":{"turn":1,"trigger":{"kind":"message"}}`,
			`{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}`,
		},
		{
			"a disposed turn was aborted", `turn/end","time":1,"data":{"turn":1,"reason":{"kind":"disposed"}}`,
			`{"type":"turn/end","seq":0,"time":1,"data":{"turn":1,"reason":{"kind":"aborted","reason":{"kind":"disposed"}}}}`,
		},
		{
			"an aborted turn without a reason gets one", `turn/end","time":1,"data":{"turn":1,"reason":{"kind":"aborted"}}`,
			`{"type":"turn/end","seq":0,"time":1,"data":{"turn":1,"reason":{"kind":"aborted","reason":{"kind":"legacy"}}}}`,
		},
		{
			"the message of an error becomes a failure", `turn/end","time":1,"data":{"turn":1,"reason":{"kind":"error","step":1,"message":"m"}}`,
			`{"type":"turn/end","seq":0,"time":1,"data":{"turn":1,"reason":{"kind":"error","error":{"message":"m","code":"UNKNOWN"}}}}`,
		},
		{
			"an unknown reason stays", `turn/end","time":1,"data":{"turn":1,"reason":{"kind":"tired","of":1}}`,
			`{"type":"turn/end","seq":0,"time":1,"data":{"turn":1,"reason":{"kind":"tired","of":1}}}`,
		},
		{
			"a message without an identity gets one", `user/message","time":1,"data":{"content":[],"source":{"kind":"user"}}`,
			`{"type":"user/message","seq":0,"time":1,"data":{"content":[],"source":{"kind":"user"},"id":"legacy-message:s:0","role":"user"}}`,
		},
		{
			"steering was a user message", `steering/message","time":1,"data":{"turn":1,"message":{"role":"user","content":[],"source":{"kind":"user"},"id":"u"}}`,
			`{"type":"user/message","seq":0,"time":1,"data":{"role":"user","content":[],"source":{"kind":"user"},"id":"u"}}`,
		},
		{
			"an early answer gets a wrapper", `assistant/message","time":1,"data":{"turn":1,"step":1,"content":[],"provenance":{"provider":"p","model":"m"}}`,
			`{"type":"assistant/message","seq":0,"time":1,"data":{"turn":1,"step":1,"message":{"id":"legacy-message:s:0","role":"assistant","content":[],"source":{"provider":"p","model":"m","kind":"model"}}}}`,
		},
		{
			"an early result gets a wrapper", `tool/result","time":1,"data":{"turn":1,"step":1,"callId":"c","content":[],"isError":false}`,
			`{"type":"tool/result","seq":0,"time":1,"data":{"turn":1,"step":1,"message":{"id":"legacy-message:s:0","role":"user","content":[{"type":"tool-result","toolCallId":"c","content":[],"isError":false}],"source":{"kind":"tool","callId":"c"}}}}`,
		},
		{
			"compaction had another name and no id", `compact/start","time":1,"data":{"turn":null}`,
			`{"type":"compaction/start","seq":0,"time":1,"data":{"turn":null,"compactionId":"legacy-compaction:s:0"}}`,
		},
		{
			"the prefix of messages leaves the request", `request/header","time":1,"data":{"header":{"config":{"provider":"p","model":"m"},"messagePrefix":[1]},"reason":"initial"}`,
			`{"type":"request/header","seq":0,"time":1,"data":{"header":{"config":{"provider":"p","model":"m"}},"reason":"initial"}}`,
		},
		{
			"members beside the payload stay for later edges to judge", `todo/write","time":1.5,"data":{"todos":[]},"zz":1`,
			`{"type":"todo/write","seq":0,"time":1.5,"data":{"todos":[]},"zz":1}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := carry(t, 0, oldLog(header0, tt.row))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("event of v1 (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAReplacementOfAnEarlyResultTakesOverItsID(t *testing.T) {
	result := `tool/result","time":1,"data":{"turn":1,"step":1,"callId":"c","content":[],"isError":false},"surfaceOp":`
	got, err := carry(t, 0, oldLog(header0, result+`"append"`, result+`{"op":"replace","start":0,"end":0}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || !strings.Contains(got[1], `"id":"legacy-message:s:0"`) {
		t.Errorf("events %q, want the id of the first in the second", got)
	}
}

func TestEventsThatV0DoesNotHaveAreRefused(t *testing.T) {
	tests := []struct{ name, row, want string }{
		{"foreign member", `todo/write","time":1,"data":{"todos":[],"x":1}`, `todo/write 0 data has unexpected member "x"`},
		{"missing member", `todo/write","time":1,"data":{}`, `todo/write 0 data lacks required member "todos"`},
		{"foreign member before a missing one", `todo/write","time":1,"data":{"x":1}`, `todo/write 0 data has unexpected member "x"`},
		{"member in an element", `todo/write","time":1,"data":{"todos":[{"content":"c","status":"done"}]}`, "todo/write 0 todos[0] status must be one of pending, in_progress, completed"},
		{"payload that is no object", `todo/write","time":1,"data":[]`, "todo/write 0 data must be a JSON object"},
		{"negative zero", `turn/start","time":1,"data":{"turn":-0}`, "turn/start 0 turn must be a non-negative safe integer"},
		{"members of a request lie in its header", `request/header","time":1,"data":{"header":{"config":{"provider":"","model":"m"}},"reason":"initial"}`, "request/header 0 header provider must be a non-empty string"},
		{"message in the inbox", `agent/inbox/spliced","time":1,"data":{"target":"next-step","start":0,"inserted":[{"role":"tool","content":[],"source":{"kind":"user"},"id":"i"}]}`, "agent/inbox/spliced 0 inserted message role must be one of user"},
		{"snapshot without sections", `user/message","time":1,"data":{"role":"user","content":[],"source":{"kind":"plugin","plugin":"p","form":"snapshot"},"id":"u"}`, "user/message 0 source sections must be an array"},
		{"title of the future", `session/title","time":1,"data":{"title":"t","messageSeqs":[0],"source":{"kind":"fallback"}}`, "session/title 0 messageSeqs[0] must identify an earlier event"},
		{"unknown type", `x/y","time":1,"data":{},"ignorable":true`, `format v0 contains unknown historical event type "x/y" at seq 0; migration refuses unknown historical events even when ignorable`},
		{"description of a sub-agent by 0.1.1", `subagent/descriptor","time":1,"data":{"version":2,"mode":"one-shot","provider":"p"}`, "subagent/descriptor 0 uses unsupported descriptor version 2"},
		{"turn that cannot be", `turn/end","time":1,"data":{"turn":0,"reason":{"kind":"completed"}}`, `session "s" contains malformed pre-react-loop turn/end at seq 0`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := carry(t, 0, oldLog(header0, tt.row))
			if err == nil || err.Error() != tt.want {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestUnknownKindsOfBlocksAndSourcesPassTheFirstEdge(t *testing.T) {
	log := oldLog(header0, `user/message","time":1,"data":{"role":"user","content":[{"type":"audio","x":1}],"source":{"kind":"at-file-mention","y":2},"id":"u"}`)
	if _, err := carry(t, 0, log); err != nil {
		t.Error(err)
	}
}

package repair

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/scan"
)

// remedyCase is a record behind the header of session "s", and what a remedy makes
// of it: nothing where want is "".
type remedyCase struct {
	name, record string
	allow        Permission
	want         string
}

func checkRemedy(t *testing.T, m *remedy, cases []remedyCase) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			e := &editor{logID: logID{session: "s"}, all: true, remedies: []*remedy{m}, steps: make([]stepCalls, 1)}
			r := recordOf(t, tt.record)
			edits := e.proposals(r)
			for _, edit := range edits {
				if edit.Allow != tt.allow {
					t.Errorf("%s needs the permission %q, want %q", edit.Member, edit.Allow, tt.allow)
				}
			}
			got := ""
			if len(edits) > 0 {
				got = edited(t, r, edits...)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got != "" && len(e.proposals(recordOf(t, got))) > 0 {
				t.Errorf("%s needs it again", got)
			}
		})
	}
}

func TestEventsOfAnUnknownTypeAreMarkedIgnorable(t *testing.T) {
	checkRemedy(t, markIgnorable, []remedyCase{
		{"an unknown type", `{"type":"a/b","seq":1,"data":{}}`, "mark-ignorable=a/b", `{"type":"a/b","seq":1,"data":{},"ignorable":true}`},
		{"one that is marked as not ignorable", `{"type":"a/b","ignorable":false,"seq":1}`, "mark-ignorable=a/b", `{"type":"a/b","ignorable":true,"seq":1}`},
		{"one with null as its mark", `{"type":"a/b","seq":1,"ignorable":null}`, "mark-ignorable=a/b", `{"type":"a/b","seq":1,"ignorable":true}`},
		{"one whose first mark is overruled", `{"type":"a/b","ignorable":true,"ignorable":1}`, "mark-ignorable=a/b", `{"type":"a/b","ignorable":true,"ignorable":true}`},
		{"a type with blanks and quotes", `{"type":"a \"b\""}`, `mark-ignorable=a "b"`, `{"type":"a \"b\"","ignorable":true}`},
		{"one that is marked stays", `{"type":"a/b","ignorable":true}`, "", ""},
		{"a known type stays", `{"type":"todo/write","seq":1,"data":{}}`, "", ""},
		{"a known type with escapes stays", `{"type":"todo\/write","seq":1,"data":{}}`, "", ""},
		{"a retired type stays", `{"type":"request/header-delta","seq":1,"data":{}}`, "", ""},
		{"a type that is no string stays", `{"type":["a/b"]}`, "", ""},
		{"a malformed row stays", `{"type":"text-chunks"}`, "", ""},
	})
}

func TestMessagesGetAnIDFromSessionAndSeq(t *testing.T) {
	checkRemedy(t, mintIDs, []remedyCase{
		{
			"a user message without one", `{"type":"user/message","seq":7,"data":{"role":"user"}}`,
			"mint-id=user/message", `{"type":"user/message","seq":7,"data":{"role":"user","id":"repaired-message:s:7"}}`,
		},
		{
			"an empty one", `{"type":"user/message","seq":7,"data":{"id":"","role":"user"}}`,
			"mint-id=user/message", `{"type":"user/message","seq":7,"data":{"id":"repaired-message:s:7","role":"user"}}`,
		},
		{
			"a number", `{"type":"tool/result","seq":7,"data":{"message":{"id":5,"role":"user"}}}`,
			"mint-id=tool/result", `{"type":"tool/result","seq":7,"data":{"message":{"id":"repaired-message:s:7","role":"user"}}}`,
		},
		{
			"an answer without one", `{"type":"assistant/message","seq":7,"data":{"id":"x","message":{"role":"assistant"}}}`,
			"mint-id=assistant/message", `{"type":"assistant/message","seq":7,"data":{"id":"x","message":{"role":"assistant","id":"repaired-message:s:7"}}}`,
		},
		{"a message with an id stays", `{"type":"user/message","seq":7,"data":{"id":"u","role":"user"}}`, "", ""},
		{"a message without a role stays", `{"type":"user/message","seq":7,"data":{"content":[]}}`, "", ""},
		{"a message without a seq stays", `{"type":"user/message","data":{"role":"user"}}`, "", ""},
		{"a message that is no object stays", `{"type":"user/message","seq":7,"data":["role"]}`, "", ""},
		{"an event of another type stays", `{"type":"tool/call","seq":7,"data":{"message":{"role":"user"}}}`, "", ""},
	})
}

func TestForeignMembersAreMovedOut(t *testing.T) {
	checkRemedy(t, moveMembers, []remedyCase{
		{"one", `{"type":"t","uuid":"1","seq":1}`, "move-member=t:uuid", `{"type":"t","seq":1}`},
		{"one with the name of an envelope key of a row", `{"seq0":1,"type":"t"}`, "move-member=t:seq0", `{"type":"t"}`},
		{"one with an empty name", `{"type":"t","":1}`, "move-member=t:", `{"type":"t"}`},
		{"one that occurs twice", `{"x":1,"type":"t","x":2}`, "move-member=t:x", `{"type":"t"}`},
		{"an escaped spelling", `{"type":"t","\u0078":1}`, "move-member=t:x", `{"type":"t"}`},
		{"envelope keys stay, escaped ones too", `{"type":"t","\u0073eq":1,"time":1,"data":{},"surfaceOp":"append","sourceEventSeqs":[],"ignorable":true}`, "", ""},
		{"members of data stay", `{"type":"t","data":{"uuid":1}}`, "", ""},
		{"an event without a type stays", `{"uuid":1,"seq":1}`, "", ""},
		{"a malformed row stays", `{"type":"text-chunks","seq0":1,"uuid":1}`, "", ""},
	})
}

func TestTimesLoseTheirFraction(t *testing.T) {
	checkRemedy(t, roundTimes, []remedyCase{
		{"a fraction", `{"type":"t","time":1783950000000.75}`, "round-time=t", `{"type":"t","time":1783950000000}`},
		{"a negative one", `{"type":"t","time":-1.9}`, "round-time=t", `{"type":"t","time":-1}`},
		{"one that is almost -0", `{"type":"t","time":-0.5}`, "round-time=t", `{"type":"t","time":0}`},
		{"one with an exponent", `{"type":"t","time":15e-1}`, "round-time=t", `{"type":"t","time":1}`},
		{"a whole number in another spelling stays", `{"type":"t","time":1e3}`, "", ""},
		{"a number that is too large stays", `{"type":"t","time":1e300}`, "", ""},
		{"an infinite one stays", `{"type":"t","time":1e999}`, "", ""},
		{"text stays", `{"type":"t","time":"1.5"}`, "", ""},
		{"no time stays", `{"type":"t"}`, "", ""},
	})
}

func TestMissingTimesOfARowAreZero(t *testing.T) {
	row := func(kind, rest string) string {
		return `{"type":"` + kind + `","seq0":1,"time0":2,"data":{"turn":1,"step":1,"index":0,` + rest + `}}`
	}
	checkRemedy(t, padTimes, []remedyCase{
		{"one is missing", row("text-chunks", `"dt":[5],"texts":["a","b","c"]`), "pad-times=text-chunks", row("text-chunks", `"dt":[5,0],"texts":["a","b","c"]`)},
		{"all are", row("reasoning-chunks", `"dt":[ ],"texts":["a","b","c"]`), "pad-times=reasoning-chunks", row("reasoning-chunks", `"dt":[ 0,0],"texts":["a","b","c"]`)},
		{"of a call", row("tool-call-chunks", `"dt":[],"id":"c","args":["a","b"]`), "pad-times=tool-call-chunks", row("tool-call-chunks", `"dt":[0],"id":"c","args":["a","b"]`)},
		{"a sound row stays", row("text-chunks", `"dt":[5],"texts":["a","b"]`), "", ""},
		{"one with too many stays", row("text-chunks", `"dt":[5,6],"texts":["a","b"]`), "", ""},
		{"one without a list of them stays", row("text-chunks", `"texts":["a","b"]`), "", ""},
		{"one without members stays", row("text-chunks", `"dt":[],"texts":[]`), "", ""},
		{"an event stays", `{"type":"t","data":{"dt":[],"texts":["a","b"]}}`, "", ""},
	})
}

func TestReferencesToNoEarlierEventGo(t *testing.T) {
	checkRemedy(t, dropReferences, []remedyCase{
		{"a later one", `{"type":"user/message","seq":5,"sourceEventSeqs":[1,9,3]}`, "drop-references=user/message", `{"type":"user/message","seq":5,"sourceEventSeqs":[1,3]}`},
		{"itself", `{"type":"user/message","seq":5,"sourceEventSeqs":[5,4]}`, "drop-references=user/message", `{"type":"user/message","seq":5,"sourceEventSeqs":[4]}`},
		{"a repeated one", `{"type":"tool/result","seq":5,"sourceEventSeqs":[1, 2, 1]}`, "drop-references=tool/result", `{"type":"tool/result","seq":5,"sourceEventSeqs":[1,2]}`},
		{"what is no number", `{"type":"user/message","seq":5,"sourceEventSeqs":[null,"1",-1,1.5,2]}`, "drop-references=user/message", `{"type":"user/message","seq":5,"sourceEventSeqs":[2]}`},
		{"all of an answer", `{"type":"assistant/message","seq":5,"sourceEventSeqs":[9]}`, "drop-references=assistant/message", `{"type":"assistant/message","seq":5,"sourceEventSeqs":[]}`},
		{"all of a user message, and the list with them", `{"type":"user/message","seq":5,"sourceEventSeqs":[9]}`, "drop-references=user/message", `{"type":"user/message","seq":5}`},
		{"the list is the first member", `{"sourceEventSeqs":[9],"type":"user/message","seq":5}`, "drop-references=user/message", `{"type":"user/message","seq":5}`},
		{"the list occurs twice", `{"sourceEventSeqs":[1],"type":"user/message","seq":5,"sourceEventSeqs":[9]}`, "drop-references=user/message", `{"type":"user/message","seq":5}`},
		{"an empty list that must not be empty", `{"type":"tool/result","seq":5,"sourceEventSeqs":[]}`, "drop-references=tool/result", `{"type":"tool/result","seq":5}`},
		{"an empty list that may be empty stays", `{"type":"assistant/message","seq":5,"sourceEventSeqs":[]}`, "", ""},
		{"good ones stay", `{"type":"user/message","seq":5,"sourceEventSeqs":[4,0,1e0]}`, "", ""},
		{"pairs stay", `{"type":"user/message","seq":5,"sourceEventSeqs":[[0,9]]}`, "", ""},
		{"an event that may not cite stays", `{"type":"tool/call","seq":5,"sourceEventSeqs":[9]}`, "", ""},
		{"an event without a seq stays", `{"type":"user/message","sourceEventSeqs":[9]}`, "", ""},
	})
}

func TestPairsOfReferencesAreWrittenOut(t *testing.T) {
	far := fmt.Sprintf(`{"type":"user/message","seq":%d,"sourceEventSeqs":[[0,%d],[0,%[2]d]]}`, int64(1)<<52, int64(1)<<51)
	checkRemedy(t, expandReferences, []remedyCase{
		{"a pair", `{"type":"user/message","seq":9,"sourceEventSeqs":[[1,3]]}`, "expand-references=user/message", `{"type":"user/message","seq":9,"sourceEventSeqs":[1,2,3]}`},
		{"pairs and numbers", `{"type":"assistant/message","seq":9,"sourceEventSeqs":[0, [2,3], 5, [7,7]]}`, "expand-references=assistant/message", `{"type":"assistant/message","seq":9,"sourceEventSeqs":[0,2,3,5,7]}`},
		{"numbers stay", `{"type":"user/message","seq":9,"sourceEventSeqs":[1,2]}`, "", ""},
		{"a pair that goes beyond the event stays", `{"type":"user/message","seq":9,"sourceEventSeqs":[[7,9]]}`, "", ""},
		{"pairs that overlap stay", `{"type":"user/message","seq":9,"sourceEventSeqs":[[1,3],[3,4]]}`, "", ""},
		{"a pair in the wrong order stays", `{"type":"user/message","seq":9,"sourceEventSeqs":[[3,1]]}`, "", ""},
		{"three numbers stay", `{"type":"user/message","seq":9,"sourceEventSeqs":[[1,2,3]]}`, "", ""},
		{"a pair with text in it stays", `{"type":"user/message","seq":9,"sourceEventSeqs":[[1,2,"x"]]}`, "", ""},
		{"a pair for more events than any log has stays", far, "", ""},
	})
}

// The remedy for call ids looks at whole steps.
func TestACallWithAnEmptyIDGetsOneEverywhere(t *testing.T) {
	const (
		chunk  = `{"type":"assistant/chunk","seq":1,"data":{"turn":1,"step":1,"chunk":{"type":"tool-call-delta","index":0,"id":""}}}`
		block  = `{"type":"assistant/chunk","seq":2,"data":{"turn":1,"step":1,"chunk":{"type":"block-end","index":0,"block":{"type":"tool-call","id":""}}}}`
		row    = `{"type":"tool-call-chunks","seq0":3,"time0":1,"data":{"turn":1,"step":1,"index":0,"dt":[],"id":"","args":["{}"]}}`
		answer = `{"type":"assistant/message","seq":4,"data":{"message":{"content":[{"type":"text","id":""},{"type":"tool-call","id":""}]}}}`
		call   = `{"type":"tool/call","seq":5,"data":{"callId":""}}`
		result = `{"type":"tool/result","seq":6,"data":{"message":{"source":{"kind":"tool","callId":""},"content":[{"type":"tool-result","toolCallId":""}]}}}`
		start  = `{"type":"step/start","seq":0,"data":{"turn":1,"step":1}}`
		end    = `{"type":"step/end","seq":7,"data":{"turn":1,"step":1}}`
	)
	tests := []struct {
		name  string
		lines []string
		want  string // the id of all, "" when none gets one
	}{
		{"a call with all of its traces", []string{start, chunk, block, row, answer, call, result, end}, "repaired-call:s:5"},
		{"without a result yet", []string{start, answer, call}, "repaired-call:s:5"},
		{"before the first step", []string{answer, call, result}, "repaired-call:s:5"},
		{"two calls in a step", []string{start, answer, call, call, result}, ""},
		{"two blocks in a step", []string{start, answer, answer, call, result}, ""},
		{"two results in a step", []string{start, answer, call, result, result}, ""},
		{"a call without a block", []string{start, call, result}, ""},
		{"a block without a call", []string{start, answer}, ""},
		{"two calls in two steps, of which one lacks its block", []string{start, call, end, start, answer}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			log := strings.Join(append([]string{healthy(0)[0][0]}, tt.lines...), "\n") + "\n"
			s := &source{src: strings.NewReader(log), size: int64(len(log)), encoding: scan.Plain}
			e, err := newEditor(s, "", []Permission{"mint-call-id"}, false)
			if err != nil {
				t.Fatal(err)
			}
			s.editor = e
			want := log
			if tt.want != "" {
				for _, key := range []string{"id", "callId", "toolCallId"} {
					want = strings.ReplaceAll(want, `"`+key+`":""`, `"`+key+`":"`+tt.want+`"`)
				}
				want = strings.Replace(want, `"text","id":"`+tt.want+`"`, `"text","id":""`, 1)
			}
			if diff := cmp.Diff(want, textOf(t, s)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// textOf returns the records of a log as its editor leaves them.
func textOf(t *testing.T, s *source) string {
	t.Helper()
	var b strings.Builder
	for p := range s.pieces() {
		b.WriteString(string(p.record.Text) + "\n")
	}
	if s.err != nil {
		t.Fatal(s.err)
	}
	return b.String()
}

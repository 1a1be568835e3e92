package upgrade

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// short returns the lines of events in short: type, seq and what a test looks at.
func short(lines []string) string {
	return strings.NewReplacer(`,"time":10`, "", `"type":`, "", `"seq":`, "", `"data":`, "", `"turn":1,"step":1`, "in step",
		`,"message":{"role":"assistant","content":[],"source":{"kind":"model","provider":"p","model":"m"},"id":"a"}`, "").
		Replace(strings.Join(lines, "\n"))
}

func TestChunksFoldIntoMessagesAndAttempts(t *testing.T) {
	finish := chunkRow(`{"type":"finish","reason":{"kind":"stop"}}`)
	tests := []struct {
		name string
		rows []string
		want string
	}{
		{
			"a message takes the chunks that it cites",
			[]string{textDelta("a"), textDelta("b"), answer("[0,1]")},
			`{"assistant/message",0,{in step,"stream":[{"text-chunks","time0":10,"index":0,"dt":[0],"texts":["a","b"]}]},"surfaceOp":"append"}`,
		},
		{
			"pairs stand for runs of seqs",
			[]string{textDelta("a"), textDelta("b"), answer("[[0,1]]")},
			`{"assistant/message",0,{in step,"stream":[{"text-chunks","time0":10,"index":0,"dt":[0],"texts":["a","b"]}]},"surfaceOp":"append"}`,
		},
		{
			"an empty list leaves the chunks to an attempt",
			[]string{textDelta("a"), answer("[]")},
			`{"assistant/attempt",0,{in step,"stream":[{"text-chunks","time0":10,"index":0,"dt":[],"texts":["a"]}]}}` + "\n" +
				`{"assistant/message",1,{in step,"stream":[]},"surfaceOp":"append"}`,
		},
		{
			"events behind the last chunk follow the attempt",
			[]string{textDelta("a"), todo, textDelta("b"), todo, stepEnd},
			`{"todo/write",0,{"todos":[]}}` + "\n" +
				`{"assistant/attempt",1,{in step,"stream":[{"text-chunks","time0":10,"index":0,"dt":[0],"texts":["a","b"]}]}}` + "\n" +
				`{"todo/write",2,{"todos":[]}}` + "\n" + `{"step/end",3,{in step}}`,
		},
		{
			"a finish ends an attempt",
			[]string{finish, textDelta("b"), answer("[1]")},
			`{"assistant/attempt",0,{in step,"stream":[{"chunk","chunk":{"finish","reason":{"kind":"stop"}}}]}}` + "\n" +
				`{"assistant/message",1,{in step,"stream":[{"text-chunks","time0":10,"index":0,"dt":[],"texts":["b"]}]},"surfaceOp":"append"}`,
		},
		{
			"the end of the log ends an attempt",
			[]string{textDelta("a")},
			`{"assistant/attempt",0,{in step,"stream":[{"text-chunks","time0":10,"index":0,"dt":[],"texts":["a"]}]}}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := carry(t, 1, oldLog(header0, tt.rows...))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, short(got)); diff != "" {
				t.Errorf("events of v2 (-want +got):\n%s", diff)
			}
		})
	}
}

func TestStreamsPackRunsOfDeltas(t *testing.T) {
	call := func(name string) string {
		return chunkRow(`{"type":"tool-call-delta","index":0,"id":"c"` + name + `,"argumentsDelta":"{"}`)
	}
	tests := []struct {
		name string
		rows []string
		want string
	}{
		{"a run ends with another block", []string{textDelta("a"), chunkRow(`{"type":"text-delta","index":1,"text":"b"}`)}, `"texts":["a"]},{"type":"text-chunks","time0":10,"index":1,"dt":[],"texts":["b"]}`},
		{"calls keep their id and name", []string{call(`,"name":"n"`), call(`,"name":"n"`)}, `{"type":"tool-call-chunks","time0":10,"index":0,"dt":[0],"id":"c","name":"n","args":["{","{"]}`},
		{"a name that comes later begins a run", []string{call(""), call(`,"name":"n"`)}, `"id":"c","args":["{"]},{"type":"tool-call-chunks"`},
		{"a call without an id stands alone", []string{chunkRow(`{"type":"tool-call-delta","index":0,"id":"","argumentsDelta":"{"}`)}, `{"type":"chunk","time":10,"chunk":{"type":"tool-call-delta","index":0,"id":"","argumentsDelta":"{"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := carry(t, 1, oldLog(header0, tt.rows...))
			if err != nil || len(got) != 1 || !strings.Contains(got[0], tt.want) {
				t.Errorf("events %q, error %v, want one with %s", got, err, tt.want)
			}
		})
	}
}

func TestAttemptsThatNoMessageAccountsForAreRefused(t *testing.T) {
	tests := []struct {
		name string
		rows []string
		want string
	}{
		{"no list", []string{textDelta("a"), answer("")}, "assistant/message 1 does not cite its complete v1 chunk attempt"},
		{"part of the chunks", []string{textDelta("a"), textDelta("b"), answer("[1]")}, "assistant/message 2 chunk provenance is not one complete ordered attempt"},
		{"another order", []string{textDelta("a"), textDelta("b"), answer("[1,0]")}, "assistant/message 2 chunk provenance is not one complete ordered attempt"},
		{"more than chunks", []string{todo, textDelta("b"), answer("[0,1]")}, "assistant/message 2 chunk provenance is not one complete ordered attempt"},
		{"chunk of an unknown type", []string{chunkRow(`{"type":"ping"}`)}, `unreachable variant in AssistantStreamAccumulator.push: {"type":"ping"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := carry(t, 1, oldLog(header0, tt.rows...))
			if err == nil || err.Error() != tt.want {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}

func TestReferencesFollowTheEventsThatTheyName(t *testing.T) {
	got, err := carry(t, 1, oldLog(header0, textDelta("a"), answer("[0]"),
		eventRow("compaction/prune", `{"shadowedRange":{"start":1,"end":1},"shadowedSeqs":[1],"shadowedTokenCount":0}`),
		`user/message","time":10,"data":{"role":"user","content":[],"source":{"kind":"user"},"id":"u"},"surfaceOp":{"op":"replace","start":1,"end":1},"sourceEventSeqs":[1]`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"type":"compaction/prune","seq":1,"time":10,"data":{"shadowedRange":{"start":0,"end":0},"shadowedSeqs":[0],"shadowedTokenCount":0}}`,
		`{"type":"user/message","seq":2,"time":10,"data":{"role":"user","content":[],"source":{"kind":"user"},"id":"u"},"sourceEventSeqs":[0],"surfaceOp":{"op":"replace","start":0,"end":0}}`,
	}
	if diff := cmp.Diff(want, got[1:]); diff != "" {
		t.Errorf("events of v2 (-want +got):\n%s", diff)
	}
}

func TestAReferenceToAChunkIsRefused(t *testing.T) {
	_, err := carry(t, 1, oldLog(header0, todo, textDelta("a"), answer("[1]"),
		eventRow("compaction/prune", `{"shadowedRange":{"start":0,"end":2},"shadowedSeqs":[0,1,2],"shadowedTokenCount":0}`)))
	if want := "compaction/prune 3 shadowedSeqs targets consumed assistant/chunk 1"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}

func TestTheCutOfASeededLogBecomesAMarker(t *testing.T) {
	seeded := func(cut string) string {
		return `{"type":"session","version":1,"id":"s","createdAt":7,"delegationDepth":0,"seedLength":` + cut + `}`
	}
	endSeed := eventRow("session/end-seed", `{}`)
	tests := []struct {
		name, header string
		rows         []string
		want         []string
	}{
		{"an end-seed at the cut is marked", seeded("1"), []string{todo, endSeed}, []string{`todo/write`, `{"type":"session/end-seed","seq":1,"time":10,"data":{"inherited":true}}`}},
		{"else one is put there", seeded("1"), []string{todo, todo}, []string{`todo/write`, `{"type":"session/end-seed","seq":1,"time":10,"data":{"inherited":true}}`, `todo/write`}},
		{"also at the end", seeded("1"), []string{todo}, []string{`todo/write`, `{"type":"session/end-seed","seq":1,"time":10,"data":{"inherited":true}}`}},
		{"also in a log without events", seeded("0"), nil, []string{`{"type":"session/end-seed","seq":0,"time":7,"data":{"inherited":true}}`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := carry(t, 1, oldLog(tt.header, tt.rows...))
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				if strings.Contains(got[i], "todo/write") {
					got[i] = "todo/write"
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("events of v2 (-want +got):\n%s", diff)
			}
		})
	}
}

func TestACutInsideAnAttemptIsRefused(t *testing.T) {
	header := `{"type":"session","version":1,"id":"s","createdAt":7,"delegationDepth":0,"seedLength":1}`
	_, err := carry(t, 1, oldLog(header, textDelta("a"), textDelta("b"), answer("[0,1]")))
	if want := "inherited Session cut 1 splits one Assistant attempt"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}

func TestATurnThatTheNextOneTookOverIsClosed(t *testing.T) {
	splice := eventRow("agent/inbox/spliced", `{"target":"next-turn","start":0,"inserted":[{"role":"user","content":[],"source":{"kind":"user"},"id":"i"}]}`)
	second := eventRow("turn/start", `{"turn":2}`)
	got, err := carry(t, 1, oldLog(header0, turnStart, splice, second))
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"type":"turn/end","seq":2,"time":10,"data":{"turn":1,"reason":{"kind":"interrupted"}}}`; len(got) != 4 || got[2] != want {
		t.Errorf("events %q, want the third %s", got, want)
	}
	for name, rows := range map[string][]string{
		"with an open step":    {turnStart, stepStart, splice, second},
		"without the splice":   {turnStart, second},
		"not right behind it":  {turnStart, splice, todo, second},
		"with another number":  {turnStart, splice, eventRow("turn/start", `{"turn":3}`)},
		"behind a closed step": {turnStart, stepStart, stepEnd, second},
	} {
		if _, err := carry(t, 1, oldLog(header0, rows...)); err == nil || !strings.HasSuffix(err.Error(), "does not close the prior turn") {
			t.Errorf("%s: error %v, want a refusal", name, err)
		}
	}
}

package upgrade

import (
	"fmt"
	"strings"
	"testing"
)

func TestABadRowIsRefusedOrDroppedWithWhatFollows(t *testing.T) {
	tests := []struct {
		name    string
		bad     string // the row behind two good ones
		refusal string
	}{
		{"no JSON", `{"type":`, "corrupt session log: row 3 is not valid JSON"},
		{"a gap", `{"type":"todo/write","seq":5,"time":10,"data":{"todos":[]}}`, "released Session row 2 has seq gap (expected 2, got 5)"},
		{"a seq that is no number", `{"type":"todo/write","seq":"2","time":10,"data":{"todos":[]}}`, "released Session row 2 has seq gap (expected 2, got 2)"},
		{"no object", `null`, "released Session row 2 must be a JSON object"},
		{"a packed row with a foreign member", `{"type":"text-chunks","seq0":2,"time0":1,"data":{},"x":1}`, `released text-chunks row 2 has unexpected member "x"`},
		{"a packed row without texts", `{"type":"text-chunks","seq0":2,"time0":1,"data":{"turn":1,"step":1,"index":0,"dt":[],"texts":[]}}`, "released text-chunks row 2 payload must be a non-empty string array"},
		{"sources that are too many", `{"type":"todo/write","seq":2,"time":10,"data":{},"sourceEventSeqs":[[0,999999999999]]}`, "sourceEventSeqs exceeds its event seq"},
		{"sources that are no list", `{"type":"todo/write","seq":2,"time":10,"data":{},"sourceEventSeqs":null}`, "sourceEventSeqs must be an array"},
		{"a pair of three", `{"type":"todo/write","seq":2,"time":10,"data":{},"sourceEventSeqs":[[0,1,1]]}`, "sourceEventSeqs range must be a [start, end] pair"},
		{"pairs that go back", `{"type":"todo/write","seq":2,"time":10,"data":{},"sourceEventSeqs":[1,[0,0]]}`, "sourceEventSeqs ranges must be strictly increasing"},
	}
	start := oldLog(header0, turnStart, todo)
	end := `{"type":"turn/end","seq":3,"time":10,"data":{"turn":1,"reason":{"kind":"completed"}}}` + "\n"
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			log := start + tt.bad + "\n"
			if got := predict(t, log, 0, 2, Options{}); got.Refusal() != nil || got.Events != 2 || got.DroppedRows != 1 {
				t.Errorf("%d events, %d rows dropped, refusal %v; want 2, 1, none", got.Events, got.DroppedRows, got.Refusal())
			}
			checkRefusal(t, "before turn/end", predict(t, log+end, 0, 2, Options{}), tt.refusal)
			if tt.name != "no JSON" { // which is not for the decoder to find
				checkRefusal(t, "strict", predict(t, log, 0, 2, Options{Strict: true}), tt.refusal)
			}
		})
	}
}

func checkRefusal(t *testing.T, name string, got *Result, want string) {
	t.Helper()
	if r := got.Refusal(); r == nil || r.Text != want {
		t.Errorf("%s: refusal %v, want %q", name, r, want)
	}
}

func TestPackedRowsSpellOutTheirChunks(t *testing.T) {
	log := header0 + "\n" + `{"type":"tool-call-chunks","seq0":0,"time0":5,"data":{"turn":1,"step":1,"index":2,"dt":[-3],"id":"c","name":"n","args":["a","b"]}}`
	got, err := carry(t, 0, log)
	want := `{"type":"assistant/chunk","seq":0,"time":5,"data":{"turn":1,"step":1,"chunk":{"type":"tool-call-delta","index":2,"id":"c","name":"n","argumentsDelta":"a"}}}
{"type":"assistant/chunk","seq":1,"time":2,"data":{"turn":1,"step":1,"chunk":{"type":"tool-call-delta","index":2,"id":"c","name":"n","argumentsDelta":"b"}}}`
	if err != nil || strings.Join(got, "\n") != want {
		t.Errorf("events %q, error %v, want %s", got, err, want)
	}
}

func TestHeadersOfOtherGenerationsAreRefused(t *testing.T) {
	header := func(version string) string {
		return fmt.Sprintf(`{"type":"session","version":%s,"id":"s","createdAt":1,"delegationDepth":0}`+"\n", version)
	}
	tests := []struct{ name, log, want string }{
		{"newer than its name", header("2"), "resolved JSONL source filename identifies v0, but its header identifies v2"},
		{"no version", header("null"), "corrupt session log: header version is not a non-negative safe integer"},
		{"no header", "", "empty or header-less session log"},
		{"half a header", `{"type":"session"`, "empty or header-less session log"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := predict(t, tt.log, 0, 2, Options{}).Refusal(); got == nil || got.Text != tt.want {
				t.Errorf("refusal %v, want %q", got, tt.want)
			}
		})
	}
}

func TestThereIsNoWayBack(t *testing.T) {
	for _, way := range [][2]int{{2, 2}, {3, 2}, {0, Latest + 1}, {-1, 2}} {
		if _, err := Run(strings.NewReader(""), 0, way[0], way[1], Options{}); err == nil {
			t.Errorf("migration from v%d to v%d, want an error", way[0], way[1])
		}
	}
}

func TestARunOfSourcesCostsNoMoreThanTheLogHasEvents(t *testing.T) {
	row := `{"type":"todo/write","seq":9007199254740991,"time":10,"data":{"todos":[]},"sourceEventSeqs":[[0,9007199254740990]]}`
	got := predict(t, header0+"\n"+row+"\n", 0, 2, Options{Strict: true})
	checkRefusal(t, "a far seq", got, "released Session row 0 has seq gap (expected 0, got 9007199254740991)")
}

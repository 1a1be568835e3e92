package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// bare is a projection whose header lacks the version and the depth too.
const bare = `{"type":"session","id":"{{id}}","createdAt":1,"cwd":"{{cwd}}/lamp"}
{"type":"turn/start","data":{"turn":1}}
{"type":"step/start","data":{"turn":1,"step":1}}
{"type":"text-chunks","data":{"turn":1,"step":1,"index":0,"texts":["The lamp ","is on."]}}
{"type":"assistant/message","data":{"turn":1,"step":1,"message":{"id":"{{id}}","role":"assistant","content":[],"source":{"kind":"model","provider":"p","model":"m"}}},"sourceEventSeqs":[70,71],"surfaceOp":{"op":"replace","start":60,"end":69}}
{"type":"step/end","data":{"turn":1,"step":1}}
{"type":"turn/end","data":{"turn":1,"reason":{"kind":"completed"}}}
`

func TestProjectionIsToldFromADamagedLog(t *testing.T) {
	header, events, _ := strings.Cut(bare, "\n")
	tests := []struct {
		name, log string
		want      bool
	}{
		{"no event has a seq or a time", bare, true},
		{"a placeholder in the header is enough", header + "\n", true},
		{"a header alone is a log", `{"type":"session","version":0,"id":"x","createdAt":1,"cwd":"/"}` + "\n", false},
		{"a sound log", lamp, false},
		{"the last event has a seq", bare + title14 + "\n", false},
		{"the last event has a time", bare + `{"type":"session/title","time":1,"data":{}}` + "\n", false},
		{"a packed row has its first seq", strings.Replace(bare, `"text-chunks",`, `"text-chunks","seq0":3,`, 1), false},
		{"a packed row has its first time", strings.Replace(bare, `"text-chunks",`, `"text-chunks","time0":3,`, 1), false},
		{"the header is missing", events, false},
		{"the header is not JSON", "{" + bare, true},
		{"a torn line tells nothing", bare + `{"type":"turn/st`, true},
		{"an object without data is no event", `{"type":"session"}` + "\n" + `{"type":"x"}` + "\n", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := inspect(t, []byte(test.log), rules.Options{}).Projection; got != test.want {
				t.Errorf("projection is %t, want %t", got, test.want)
			}
		})
	}
	if inspect(t, frames(header+"\n", events), rules.Options{}).Projection {
		t.Error("frames are taken for a projection, which is always plain")
	}
}

func TestProjectionIsJudgedByItsOrder(t *testing.T) {
	edit := func(old, with string) string { return strings.Replace(bare, old, with, 1) }
	tests := []struct {
		name, log string
		want      []string
	}{
		{"a sound one", bare, nil},
		{"placeholders stand for numbers", edit(`"createdAt":1`, `"createdAt":"{{now}}","delegationDepth":"{{depth}}"`), nil},
		{"deltas are kept", edit(`"index":0,`, `"index":0,"dt":[-5],`), nil},
		{"empty objects", bare + "{}\n" + `{"type":"x"}` + "\n", []string{
			"8 envelope", "8 unknown-type", "9 envelope", "9 unknown-type",
		}},
		{"a header member of the wrong type", edit(`"createdAt":1`, `"createdAt":-1`), []string{"1 header-shape"}},
		{"a relative cwd", edit(`{{cwd}}/lamp`, `lamp`), []string{"1 header-field"}},
		{"a newer format", edit(`{"type":"session",`, `{"type":"session","version":1,`), []string{"1 newer-format"}},
		{"a step without end", edit(`{"type":"step/end","data":{"turn":1,"step":1}}`+"\n", ""), []string{"6 turn-end-in-step"}},
		{"a message without id", edit(`"id":"{{id}}","role"`, `"role"`), []string{"5 message-shape"}},
		{"a surface event without mark", edit(`,"surfaceOp":{"op":"replace","start":60,"end":69}`, ""), []string{"5 surface-marker"}},
		{"a source that is named twice", edit(`[70,71]`, `[70,70]`), []string{"5 surface-sources"}},
		{"a row with a delta too many", edit(`"index":0,`, `"index":0,"dt":[1,2],`), []string{"4 malformed-row"}},
		{"a row without data", edit(`"data":{"turn":1,"step":1,"index":0,"texts":["The lamp ","is on."]}`, `"data":[]`), []string{"4 malformed-row"}},
		{"a duplicate key", edit(`"data":{"turn":1}}`, `"data":{"turn":1,"turn":1}}`), []string{"2 duplicate-key"}},
		{"an open turn", bare[:strings.Index(bare, `{"type":"turn/end"`)], []string{"2 open-turn"}},
		{"line endings of Windows", strings.ReplaceAll(bare, "\n", "\r\n"), []string{"1 crlf +6"}},
		{"a torn line", bare + `{"type":"turn/st`, []string{"8 torn-line"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := wantLines(t, []byte(test.log), rules.Options{}, test.want...)
			if t.Failed() {
				t.Log(listing(r))
			}
		})
	}
}

func TestReadingOfAProjectionIsThatOfDsh(t *testing.T) {
	const headerRefusal = "corrupt session log: first line is not a session header"
	whole := strings.Replace(bare, `{"type":"session",`, `{"type":"session","version":0,"delegationDepth":0,`, 1)
	tests := []struct {
		name, log string
		verdict   scan.Verdict
		refusal   string
		dropped   int64
	}{
		{"a header that lacks members is refused", bare, scan.Incompatible, headerRefusal, 0},
		{
			"so are events without seq before a turn/end", whole, scan.Incompatible,
			"corrupt session log: seq gap in committed region at line 1 (expected 0, got undefined)", 4,
		},
		{"other damage stays damage", strings.Replace(bare, `"cwd":"{{`, `"cwd":"`, 1), scan.Damaged, headerRefusal, 0},
		{
			"without a turn/end, dsh opens it and drops all", strings.Replace(whole[:strings.Index(whole, `{"type":"turn/end"`)], "{{cwd}}", "", 1),
			scan.Loses, "", 6,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := inspect(t, []byte(test.log), rules.Options{Path: "session.jsonl"})
			refusal := ""
			if r.Reading.Refusal() != nil {
				refusal = r.Reading.Refusal().Text
			}
			if !r.Projection || r.Reading.Verdict != test.verdict || refusal != test.refusal || r.Reading.Dropped != test.dropped {
				t.Errorf("projection %t, verdict %s, refusal %q, %d dropped; want %s, %q, %d",
					r.Projection, r.Reading.Verdict, refusal, r.Reading.Dropped, test.verdict, test.refusal, test.dropped)
			}
		})
	}
}

// fixtureFindings are the findings in the fixtures of the reference, all of them
// true: most files are cuttings, which the reference does not judge as sessions.
var fixtureFindings = map[string][]string{
	// Scripts of a model's answers: chunks without the turns that they came in.
	"headless-agent__ralph-loop__session.1":             {"2 event-outside-turn +4"},
	"headless-agent__ralph-loop__session.2":             {"2 event-outside-turn +4"},
	"headless-agent__subagent-settlement__child.replay": {"2 event-outside-turn +4"},
	"web__minimal-preset__session":                      {"3 event-outside-turn +4"},
	"web__web-search-round__session":                    {"3 event-outside-turn +9"},
	"web__cordis-tool-round__session":                   {"50 event-outside-turn +11"},
	// Requests of a fake provider: the config names a model only, and stands before any turn.
	"test-support__acp-snapshot__record-suite__rec-child__session.1": {"2 event-outside-turn", "2 request-header"},
	"test-support__acp-snapshot__record-suite__rec-child__session":   {"2 event-outside-turn", "2 request-header"},
	"test-support__acp-snapshot__record-suite__rec-pin__session.1":   {"2 event-outside-turn", "2 request-header"},
	"test-support__acp-snapshot__record-suite__rec-pin__session":     {"2 event-outside-turn", "2 request-header"},
	"test-support__acp-snapshot__suite__plain-turn__session.1":       {"2 event-outside-turn", "2 request-header"},
	"test-support__acp-snapshot__suite__plain-turn__session":         {"2 event-outside-turn +1", "2 request-header"},
	// The same, and the turn that they open has no end.
	"test-support__acp-snapshot__suite__pin-turn__session": {
		"2 event-outside-turn +1", "2 request-header", "3 request-header", "4 open-turn",
	},
	"test-support__acp-snapshot__suite__shared-pin__session": {
		"2 event-outside-turn +1", "2 request-header", "3 request-header", "4 open-turn",
	},
	// A single event: the result of a hook, and a turn/end with neither turn nor reason.
	"test-support__acp-snapshot__suite__blocked-log__session":    {"2 event-outside-turn", "2 event-data"},
	"test-support__acp-snapshot__suite__authored-error__session": {"2 turn-end-unmatched", "2 turn-end-data"},
}

func TestFixturesOfTheReferenceHaveNoFalseFinding(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(vectortest.Dir(t), "vectors", "upstream", "*.jsonl"))
	if err != nil || len(files) != 164 {
		t.Fatalf("%d fixtures, want 164 (%v)", len(files), err)
	}
	got := make(map[string][]string)
	projections := 0
	for _, file := range files {
		image, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := inspect(t, image, rules.Options{})
		if r.Projection {
			projections++
		}
		if found := lines(r); found != nil {
			got[strings.TrimSuffix(filepath.Base(file), ".jsonl")] = found
		}
	}
	if diff := cmp.Diff(fixtureFindings, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	// The other four are complete headers without events, and as such sound logs.
	if projections != 160 {
		t.Errorf("%d projections, want 160", projections)
	}
}

func TestSeqsThatAreMissingInARowAreOneFinding(t *testing.T) {
	log := lamp
	for n := 3; n < 6; n++ {
		log = strings.Replace(log, fmt.Sprintf(`"seq":%d,`, n), "", 1)
	}
	wantLines(t, []byte(strings.Replace(log, `"seq":12,`, "", 1)), rules.Options{}, "5 seq-missing +2", "12 seq-missing")
}

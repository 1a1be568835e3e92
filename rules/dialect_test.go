package rules_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/rules"
)

// july is a log as of July 2026: turns have triggers and messages have no ids.
// Its verbs are the events between the two turns and the trigger of the second.
const july = `{"type":"session","version":0,"id":"lamp","createdAt":1784000000000,"cwd":"/home/ada/lamp","delegationDepth":0}
{"type":"turn/start","seq":0,"time":1784000001000,"data":{"turn":1,"trigger":{"kind":"message","source":{"kind":"user"}}}}
{"type":"turn/end","seq":1,"time":1784000001001,"data":{"turn":1,"reason":{"kind":"completed"}}}
%s{"type":"turn/start","seq":3,"time":1784000001003,"data":{"turn":2,"trigger":{"kind":%q}}}
%s{"type":"turn/end","seq":5,"time":1784000001005,"data":{"turn":2,"reason":{"kind":"completed"}}}
`

const (
	looseTitle   = `{"type":"session/title","seq":2,"time":1784000001002,"data":{"title":"Lamp"}}` + "\n"
	looseMessage = `{"type":"user/message","seq":2,"time":1784000001002,"data":{"content":[],"source":{"kind":"user"}},"surfaceOp":"append"}` + "\n"
	looseTodo    = `{"type":"todo/write","seq":2,"time":1784000001002,"data":{"todos":[]}}` + "\n"
	oldMessage   = `{"type":"user/message","seq":4,"time":1784000001004,"data":{"content":[],"source":{"kind":"user"}},"surfaceOp":"append"}` + "\n"
	newMessage   = `{"type":"user/message","seq":4,"time":1784000001004,"data":{"id":"m","role":"user","content":[],"source":{"kind":"user"}},"surfaceOp":"append"}` + "\n"
)

func TestRuleSetFollowsFromTheEvidence(t *testing.T) {
	tests := []struct {
		name                  string
		loose, trigger, later string
		want                  string // "" for no finding
	}{
		{
			"a later turn of before 07-27 makes everything strict", looseTitle, "injection", newMessage,
			`session/title outside any turn; rule set "strict", by the trigger "injection" in line 5`,
		},
		{
			"messages too", looseMessage, "injection", oldMessage,
			`user/message outside any turn; rule set "strict", by the trigger "injection" in line 5`,
		},
		{"a message without id allows user messages outside", looseMessage, "message", oldMessage, ""},
		{
			"but no events of plugins", looseTitle, "message", oldMessage,
			`session/title outside any turn; rule set "ctx", by the message without id in line 6`,
		},
		{"messages with ids allow them too", looseTitle, "message", newMessage, ""},
		{"events of the core never stand outside", looseTodo, "message", newMessage, `todo/write outside any turn; rule set "open", as nothing dates it before 2026-07-28`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := inspect(t, fmt.Appendf(nil, july, test.loose, test.trigger, test.later), rules.Options{})
			got := ""
			for i := range r.Findings {
				if f := &r.Findings[i]; f.Rule == rules.EventOutsideTurn {
					got = f.Message
					if f.Place.Line != 4 || f.Severity != rules.Error {
						t.Errorf("got %s, want an error in line 4", show(f))
					}
				}
			}
			if got != test.want {
				t.Errorf("finding %q, want %q\n%s", got, test.want, listing(r))
			}
		})
	}
}

func TestDialectOptionOverridesTheEvidence(t *testing.T) {
	log := and(note14, strings.Replace(title14, "14", "15", 1))
	tests := []struct {
		dialect rules.Dialect
		want    []string
	}{
		{rules.AutoDialect, []string{"14 event-outside-turn"}}, // a warning: see the next test
		{rules.Strict, []string{"14 event-outside-turn +1"}},
		{rules.Ctx, []string{"15 event-outside-turn"}},
		{rules.Open, []string{"14 event-outside-turn"}},
	}
	for _, test := range tests {
		t.Run(test.dialect.String(), func(t *testing.T) {
			r := wantLines(t, log, rules.Options{Dialect: test.dialect}, test.want...)
			want := test.dialect
			if want == rules.AutoDialect {
				want = rules.Open
			}
			if f := r.Findings[0]; f.Dialect != want.String() || r.Dialect != want.String() {
				t.Errorf("finding has rule set %q, result %q, want %q", f.Dialect, r.Dialect, want)
			}
		})
	}
}

func TestLooseUserMessageOfTodayIsAWarning(t *testing.T) {
	r := wantLines(t, and(note14), rules.Options{}, "14 event-outside-turn")
	if got := r.Findings[0].Severity; got != rules.Warning {
		t.Errorf("severity %s, want a warning", got)
	}
}

func TestEachGapBetweenTurnsIsACauseOfItsOwn(t *testing.T) {
	const todo = `{"type":"todo/write","seq":%d,"time":1790000003000,"data":{"todos":[]}}`
	log := and(fmt.Sprintf(todo, 14), fmt.Sprintf(todo, 15),
		`{"type":"turn/start","seq":16,"time":1790000003000,"data":{"turn":2}}`,
		`{"type":"turn/end","seq":17,"time":1790000003000,"data":{"turn":2,"reason":{"kind":"completed"}}}`,
		fmt.Sprintf(todo, 18))
	wantLines(t, log, rules.Options{}, "14 event-outside-turn +1", "18 event-outside-turn")
}

func TestManyWaitingRunsAreBounded(t *testing.T) {
	var log bytes.Buffer
	first, _, _ := strings.Cut(july, "\n")
	log.WriteString(first + "\n")
	const n = 1000
	for i := range n {
		fmt.Fprintf(&log, `{"type":"turn/start","seq":%d,"time":1,"data":{"turn":%d,"trigger":{"kind":"message"}}}`+"\n", 3*i, i+1)
		fmt.Fprintf(&log, `{"type":"turn/end","seq":%d,"time":1,"data":{"turn":%d,"reason":{"kind":"completed"}}}`+"\n", 3*i+1, i+1)
		fmt.Fprintf(&log, `{"type":"feedback/record","seq":%d,"time":1,"data":{"text":""}}`+"\n", 3*i+2)
	}
	fmt.Fprintf(&log, `{"type":"turn/start","seq":%d,"time":1,"data":{"turn":%d,"trigger":{"kind":"injection"}}}`+"\n", 3*n, n+1)
	fmt.Fprintf(&log, `{"type":"turn/end","seq":%d,"time":1,"data":{"turn":%d,"reason":{"kind":"completed"}}}`+"\n", 3*n+1, n+1)
	r := inspect(t, log.Bytes(), rules.Options{})
	if len(r.Findings) != 101 {
		t.Errorf("%d findings, want 100 and one for the rest", len(r.Findings))
	}
}

func TestParseDialect(t *testing.T) {
	for d := rules.AutoDialect; d <= rules.Open; d++ {
		if got, err := rules.ParseDialect(d.String()); got != d || err != nil {
			t.Errorf("ParseDialect(%q) = %v, %v", d, got, err)
		}
	}
	const want = `unknown dialect "loose": want auto, strict, ctx or open`
	if _, err := rules.ParseDialect("loose"); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/scan"
)

// logLines joins the lines of a log, each with its LF, behind a header.
func logLines(lines ...string) string {
	return `{"type":"session","version":0,"id":"s","createdAt":1783950000000,"cwd":"/work","delegationDepth":0}` + "\n" +
		strings.Join(lines, "\n") + "\n"
}

// userMessage returns an event with what a user says.
func userMessage(seq int, op, more string) string {
	return fmt.Sprintf(`{"type":"user/message","seq":%d,"time":%d,"data":{"id":"m%d","role":"user","content":[],"source":{"kind":"user"}},"surfaceOp":%s%s}`,
		seq, seq, seq, op, more)
}

const (
	turnStart  = `{"type":"turn/start","seq":0,"time":0,"data":{"turn":1}}`
	assistant2 = `{"type":"assistant/message","seq":3,"time":3,"data":{"turn":1,"step":1,"message":{"id":"a","role":"assistant","content":[{"type":"tool-call","id":"c","name":"lamp","arguments":"{}"}],"source":{"kind":"model","provider":"p","model":"m"}}},"surfaceOp":"append"}`
)

func TestTheHistoryIsTheSurfaceAfterItsFold(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
		want  []string
	}{
		{"no messages", []string{turnStart}, nil},
		{
			"messages in the order of the log",
			[]string{turnStart, userMessage(1, `"append"`, ""), userMessage(2, `"append"`, "")},
			[]string{"1 user m1 line 3", "2 user m2 line 4"},
		},
		{
			"one that replaces others",
			[]string{
				turnStart, userMessage(1, `"append"`, ""), userMessage(2, `"append"`, ""),
				userMessage(3, `{"op":"replace","start":1,"end":2}`, `,"sourceEventSeqs":[1,2]`), userMessage(4, `"append"`, ""),
			},
			[]string{"3 user m3 line 5", "4 user m4 line 6"},
		},
		{
			"the result of a call that has none",
			[]string{
				turnStart, userMessage(1, `"append"`, ""), `{"type":"step/start","seq":2,"time":2,"data":{"turn":1,"step":1}}`, assistant2,
			},
			[]string{"1 user m1 line 3", "3 assistant a line 5", "4 user interrupted-tool-result-… line 0"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			log := logLines(tt.lines...)
			r, err := scan.NewReader(strings.NewReader(log), int64(len(log)), scan.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var h history
			if err := h.read(r, false); err != nil {
				t.Fatal(err)
			}
			if h.refusal != nil {
				t.Fatal(h.refusal.Text)
			}
			var got []string
			for _, m := range h.all {
				id := m.id
				if strings.HasPrefix(id, "interrupted-tool-result-") {
					id = "interrupted-tool-result-…"
				}
				got = append(got, fmt.Sprintf("%d %s %s line %d", m.seq, m.role, id, m.line))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestARefusedLogHasNoHistory(t *testing.T) {
	log := logLines(turnStart, "null")
	r, err := scan.NewReader(strings.NewReader(log), int64(len(log)), scan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var h history
	if err := h.read(r, false); err != nil {
		t.Fatal(err)
	}
	if h.refusal == nil || h.all != nil {
		t.Errorf("refusal %v, history %v", h.refusal, h.all)
	}
}

func TestSeqRanges(t *testing.T) {
	tests := []struct {
		text       string
		in, notIn  int64
		wantFailed bool
	}{
		{text: "7", in: 7, notIn: 8},
		{text: "10-20", in: 20, notIn: 21},
		{text: "10-", in: 1 << 50, notIn: 9},
		{text: "-20", in: 0, notIn: 21},
		{text: "20-10", wantFailed: true},
		{text: "-", wantFailed: true},
		{text: "1-2-3", wantFailed: true},
		{text: "+1", wantFailed: true},
		{text: "99999999999999999999", wantFailed: true},
	}
	for _, tt := range tests {
		r, err := parseSeqRange(tt.text)
		if (err != nil) != tt.wantFailed {
			t.Errorf("%q: error %v", tt.text, err)
		}
		if err == nil && (!r.has(tt.in) || r.has(tt.notIn)) {
			t.Errorf("%q: has %d: %t, has %d: %t", tt.text, tt.in, r.has(tt.in), tt.notIn, r.has(tt.notIn))
		}
	}
}

package rules_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/turnlint/turnlint/internal/biglog"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// cleanLog returns a plain log of so many turns, each with streamed text, a tool
// call and its result, and the number of its lines.
func cleanLog(turns int) (log []byte, lines int) {
	var b bytes.Buffer
	fmt.Fprintln(&b, `{"type":"session","version":0,"id":"clean","createdAt":1,"delegationDepth":0}`)
	seq := 0
	add := func(typ, data, rest string) {
		fmt.Fprintf(&b, `{"type":"%s","seq":%d,"time":%d,"data":{%s}%s}`+"\n", typ, seq, 1000+seq, data, rest)
		seq++
	}
	for turn := 1; turn <= turns; turn++ {
		in := fmt.Sprintf(`"turn":%d,"step":1`, turn)
		add("turn/start", fmt.Sprintf(`"turn":%d`, turn), "")
		add("user/message", fmt.Sprintf(`"id":"u%d","role":"user","content":[{"type":"text","text":"go on"}],"source":{"kind":"user"}`, seq), `,"surfaceOp":"append"`)
		add("step/start", in, "")
		for range 20 {
			add("assistant/chunk", in+`,"chunk":{"type":"text-delta","index":0,"text":"so far\nso good"}`, "")
		}
		add("assistant/message", fmt.Sprintf(`%s,"message":{"id":"a%d","role":"assistant","content":[{"type":"tool-call","id":"c%d","name":"ls","arguments":"{}"}],"source":{"kind":"model","provider":"p","model":"m"}}`, in, seq, turn), `,"surfaceOp":"append"`)
		add("tool/call", fmt.Sprintf(`%s,"callId":"c%d","name":"ls","arguments":"{}"`, in, turn), "")
		add("tool/result", fmt.Sprintf(`%s,"message":{"id":"r%d","role":"user","source":{"kind":"tool","callId":"c%d"},"content":[{"type":"tool-result","toolCallId":"c%d","content":[]}]}`, in, seq, turn, turn), fmt.Sprintf(`,"surfaceOp":"append","sourceEventSeqs":[%d]`, seq-1))
		add("step/end", in, "")
		add("turn/end", fmt.Sprintf(`"turn":%d,"reason":{"kind":"completed"}`, turn), "")
	}
	return b.Bytes(), seq + 1
}

// allocations counts those of a check of a log without findings.
func allocations(t *testing.T, log []byte) float64 {
	return testing.AllocsPerRun(5, func() {
		result, err := rules.Check(bytes.NewReader(log), int64(len(log)), rules.Options{})
		if err != nil || result.Reading.Verdict != scan.Opens || len(result.Findings) > 0 {
			t.Fatalf("verdict %v, %d findings, error %v", result.Reading.Verdict, len(result.Findings), err)
		}
	})
}

func TestCleanLinesCostNoAllocation(t *testing.T) {
	short, shortLines := cleanLog(10)
	long, longLines := cleanLog(210)
	perLine := (allocations(t, long) - allocations(t, short)) / float64(longLines-shortLines)
	// What grows with the log, such as the surface, grows in steps.
	if perLine > 0.01 {
		t.Errorf("%.3f allocations for each clean line, want none", perLine)
	}
}

func TestCleanLinesInFramesCostNoAllocation(t *testing.T) {
	if testing.Short() {
		t.Skip("with the race detector, pools forget what they are given")
	}
	for _, framing := range biglog.Framings {
		short, long := bigLog(t, biglog.Mixed, framing, 1<<20), bigLog(t, biglog.Mixed, framing, 4<<20)
		perLine := (allocations(t, long) - allocations(t, short)) / float64(3<<20/510)
		if perLine > 0.1 { // the skeletons of lines that come rarely are learnt on the way
			t.Errorf("%s: %.3f allocations for each clean line, want none", framing, perLine)
		}
	}
}

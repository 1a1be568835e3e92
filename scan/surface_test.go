package scan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// fold applies an event to the surface and returns dsh's message, if any.
func fold(t *testing.T, s *surface, seq int64, text string) string {
	t.Helper()
	var doc jsjson.Doc
	if err := doc.Parse([]byte(text)); err != nil {
		t.Fatal(err)
	}
	var e session.Event
	e.Read(doc.Root)
	_, fault := s.apply(&e, seq)
	return fault
}

// foldResult applies a tool result whose message has the given id.
func foldResult(t *testing.T, s *surface, seq int64, id, surface string) string {
	t.Helper()
	return fold(t, s, seq, fmt.Sprintf(`{"type":"tool/result","seq":%d,"time":1,"data":{"turn":1,"step":1,"message":`+
		`{"id":"%s","role":"user","source":{"kind":"tool","callId":"c"},"content":[`+
		`{"type":"tool-result","toolCallId":"c","content":[%d]}]}},%s}`, seq, id, seq, surface))
}

// foldCompaction applies a user message that replaces the events from first on.
func foldCompaction(t *testing.T, s *surface, seq, first int64) string {
	t.Helper()
	var sources []string
	for n := first; n < seq; n++ {
		sources = append(sources, fmt.Sprint(n))
	}
	return fold(t, s, seq, fmt.Sprintf(`{"type":"user/message","seq":%d,"time":1,"data":{},`+
		`"surfaceOp":{"op":"replace","start":%d,"end":%d},"sourceEventSeqs":[%s]}`,
		seq, first, seq-1, strings.Join(sources, ",")))
}

func TestSurfaceForgetsResultsThatCompactionTookAway(t *testing.T) {
	var s surface
	largest := 0
	for seq := int64(0); seq < 30_000; seq++ {
		fault := ""
		if seq%3000 == 2999 {
			fault = foldCompaction(t, &s, seq, seq-2999)
		} else {
			fault = foldResult(t, &s, seq, fmt.Sprint("r", seq), `"surfaceOp":"append"`)
		}
		if fault != "" {
			t.Fatal(fault)
		}
		largest = max(largest, s.results.len())
	}
	if s.Len() != 10 || largest > pageLen+3000 {
		t.Errorf("surface of %d, and up to %d results kept", s.Len(), largest)
	}
}

func TestPrunedSurfaceStillKnowsTheResultsOnIt(t *testing.T) {
	var s surface
	for seq := range int64(10) {
		foldResult(t, &s, seq, fmt.Sprint("r", seq), `"surfaceOp":"append"`)
	}
	s.pruneResults()
	op := `"surfaceOp":{"op":"replace","start":4,"end":4},"sourceEventSeqs":[4]`
	if fault := foldResult(t, &s, 10, "r4", op); fault != "" {
		t.Errorf("replacement with the same id: %s", fault)
	}
	op = `"surfaceOp":{"op":"replace","start":5,"end":5},"sourceEventSeqs":[5]`
	want := "tool/result surface replacement may change only content"
	if fault := foldResult(t, &s, 11, "other", op); fault != want {
		t.Errorf("replacement with another id: %q, want %q", fault, want)
	}
}

func TestBoundedSurfaceSaysWhenItForgotWhatItNeeds(t *testing.T) {
	s := surface{bounded: true}
	for seq := range int64(maxSurface + 1) {
		if fault := foldResult(t, &s, seq, fmt.Sprint("r", seq), `"surfaceOp":"append"`); fault != "" {
			t.Fatal(fault)
		}
	}
	if !s.forgotten || s.missed {
		t.Fatalf("forgotten = %v, missed = %v before a replacement", s.forgotten, s.missed)
	}
	foldCompaction(t, &s, maxSurface+1, maxSurface-1)
	if !s.missed {
		t.Error("a replacement passed that nobody could judge")
	}
}

func TestOnlyTheFirstMessageNamesEveryMissingEvent(t *testing.T) {
	var s surface
	for seq := range int64(40) {
		foldResult(t, &s, seq, fmt.Sprint("r", seq), `"surfaceOp":"append"`)
	}
	const uncited = `{"type":"user/message","seq":40,"time":1,"data":{},"surfaceOp":{"op":"replace","start":0,"end":39},"sourceEventSeqs":[3]}`
	for _, want := range []string{"37, 38, 39", "15, 16, …"} {
		if fault := fold(t, &s, 40, uncited); !strings.Contains(fault, "missing 0, 1, 2, 4, 5") || !strings.HasSuffix(fault, want) {
			t.Errorf("%q, want it to end in %q", fault, want)
		}
	}
}

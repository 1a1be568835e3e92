package scan_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// laterLog returns the lines of a sound log of a format from v2 on: one turn of
// two steps, with a call and an answer. Each line ends in LF.
func laterLog(generation int64) []string {
	lines := []string{
		fmt.Sprintf(`{"type":"session","version":%d,"id":"lamp","createdAt":1,"cwd":"/home/ada/lamp","isSeeded":false,"delegationDepth":0}`, generation),
		`{"type":"turn/start","seq":#,"time":2,"data":{"turn":1}}`,
		`{"type":"step/start","seq":#,"time":2,"data":{"turn":1,"step":1}}`,
	}
	switch generation {
	case 2:
	case 3:
		lines = append(lines, `{"type":"system/message","seq":#,"time":2,"data":{"turn":1,"step":1,"message":{"id":"s","role":"system","source":{"kind":"plugin","plugin":"p"},"content":[]}},"surfaceOp":"append"}`)
	default:
		lines = append(lines, `{"type":"system/message","seq":#,"time":2,"data":{"turn":1,"step":1,"message":{"id":"s","role":"system","source":{"kind":"system-prompt"},"content":[]}},"surfaceOp":"append"}`)
	}
	result := `"id":"r","role":"user","source":{"kind":"tool","callId":"c"},"content":[{"type":"tool-result","toolCallId":"c","content":[]}]`
	if generation >= 4 {
		result = `"id":"r","role":"tool","toolCallId":"c","source":{"kind":"tool","callId":"c"},"content":[]`
	}
	lines = append(lines,
		`{"type":"user/message","seq":#,"time":2,"data":{"id":"u","role":"user","content":[],"source":{"kind":"user"}},"surfaceOp":"append"}`,
		`{"type":"assistant/message","seq":#,"time":2,"data":{"turn":1,"step":1,"message":{"id":"a","role":"assistant","content":[{"type":"tool-call","id":"c","name":"lamp","arguments":"{}"}],"source":{"kind":"model","provider":"p","model":"m"}},"stream":[]},"surfaceOp":"append"}`,
		`{"type":"tool/call","seq":#,"time":2,"data":{"turn":1,"step":1,"callId":"c","name":"lamp","arguments":"{}"}}`,
		`{"type":"tool/result","seq":#,"time":2,"data":{"turn":1,"step":1,"message":{`+result+`}},"surfaceOp":"append"}`,
		`{"type":"step/end","seq":#,"time":2,"data":{"turn":1,"step":1}}`,
		`{"type":"step/start","seq":#,"time":2,"data":{"turn":1,"step":2}}`,
		`{"type":"step/end","seq":#,"time":2,"data":{"turn":1,"step":2}}`,
		`{"type":"turn/end","seq":#,"time":3,"data":{"turn":1,"reason":{"kind":"completed"}}}`,
	)
	for i := range lines {
		lines[i] = strings.Replace(lines[i], "#", fmt.Sprint(i-1), 1) + "\n"
	}
	return lines
}

// openLater reads a plain log as a dsh of its format opens it.
func openLater(t *testing.T, generation int64, lines ...string) *scan.Reading {
	t.Helper()
	_, reading := restore(t, []byte(strings.Join(lines, "")), scan.Plain, generation, scan.Restore{})
	return reading
}

func TestLaterLogsAreOpenedByTheirOwnFormatOnly(t *testing.T) {
	for generation := int64(2); generation <= session.Newest; generation++ {
		for reader := int64(2); reader <= session.Newest; reader++ {
			want := scan.Incompatible
			if reader == generation {
				want = scan.Opens
			}
			if got := openLater(t, reader, laterLog(generation)...); got.Verdict != want {
				t.Errorf("v%d read as v%d: %s, want %s (%v)", generation, reader, got.Verdict, want, got.Refusal())
			}
		}
	}
}

func TestVerdictsOfLaterLogs(t *testing.T) {
	log := laterLog(4)
	end := len(log) - 1
	edited := func(line int, old, with string) []string {
		lines := laterLog(4)
		if !strings.Contains(lines[line], old) {
			t.Fatalf("no %q in line %d", old, line)
		}
		lines[line] = strings.Replace(lines[line], old, with, 1)
		return lines
	}
	const gap = `{"type":"todo/write","seq":99,"time":4,"data":{}}` + "\n"
	tests := []struct {
		name    string
		lines   []string
		verdict scan.Verdict
		refusal string
		line    int // where dsh refuses it, 0 for no row
	}{
		{"a sound log", log, scan.Opens, "", 0},
		{"an open turn", log[:end], scan.Recovers, "", 0},
		{"a torn line", append(laterLog(4), `{"type":"turn/st`), scan.Recovers, "", 0},
		{"garbage behind the end", append(laterLog(4), "{\n"), scan.Recovers, "", 0},
		{"an event behind a gap", append(laterLog(4), gap), scan.Loses, "", 0},
		{
			"a gap before a turn/end", append(append(laterLog(4)[:end:end], gap), log[end]), scan.Damaged,
			"corrupt session log: invalid committed event at line 11: released v2 row 10 has seq gap (expected 10, got 99)", 12,
		},
		{"a turn/end of another turn", edited(end, `"turn":1`, `"turn":2`), scan.Damaged, "turn/end does not match the open turn with no open step", 12},
		{
			"a message without id", edited(4, `"id":"u"`, `"id":""`), scan.Damaged,
			`stored session "lamp" failed validation: Error: session event at seq 3 lacks an identified message`, 5,
		},
		{"a result of v3", edited(7, `"role":"tool"`, `"role":"user"`), scan.Incompatible, "format v4 tool/result at seq 6 requires a tool-role message", 8},
		{"a dispatch of v2", edited(10, `{"type":"step/end"`, `{"type":"tool/code-dispatch"`), scan.Incompatible, "format v4 rejects retired event type tool/code-dispatch", 11},
		{
			"an unknown event", append(laterLog(4), `{"type":"x/y","seq":11,"time":4,"data":{}}`+"\n"), scan.Incompatible,
			`session "lamp" contains event type "x/y" (seq 11) unknown to this harness and not marked ignorable; refusing to interpret the log — it was likely written by a newer harness`, 13,
		},
		{
			"a marker in a log that is not seeded", append(laterLog(4), `{"type":"session/end-seed","seq":11,"time":4,"data":{"inherited":true}}`+"\n"), scan.Damaged,
			"released v2 unseeded Session contains an inherited end-seed marker", 0,
		},
		{"no header", log[1:], scan.Damaged, "corrupt session log: first line is not a session header", 0},
		{"nothing", nil, scan.Unreadable, "empty or header-less session log", 0},
		{"text", []string{"hello\n"}, scan.Unreadable, "corrupt session log: header line is not valid JSON", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := openLater(t, 4, test.lines...)
			if got.Verdict != test.verdict {
				t.Errorf("verdict %s, want %s", got.Verdict, test.verdict)
			}
			text, line := "", 0
			if r := got.Refusal(); r != nil {
				text = r.Text
			}
			if got.RefusedAt != nil {
				line = got.RefusedAt.Line
			}
			if text != test.refusal || line != test.line {
				t.Errorf("line %d: %q, want line %d: %q", line, text, test.line, test.refusal)
			}
		})
	}
}

func TestPairsOfSourcesAreSpelledOut(t *testing.T) {
	lines := laterLog(4)
	lines[4] = strings.Replace(lines[4], `"append"`, `"append","sourceEventSeqs":[0,[1,2]]`, 1)
	r, err := scan.NewReader(strings.NewReader(strings.Join(lines, "")), int64(len(strings.Join(lines, ""))), scan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := scan.NewNative(4, scan.Restore{}, scan.ModelOptions{})
	for record := range r.Records() {
		if n.Add(record) && record.Line == 5 {
			if got := string(n.Event().Sources.Raw()); got != "[0,1,2]" {
				t.Errorf("sources %s, want [0,1,2]", got)
			}
		}
	}
}

func TestResultsOfV4HaveARoleOfTheirOwn(t *testing.T) {
	got := openLater(t, 4, laterLog(4)[:7]...)
	want := []string{
		`{"type":"tool/result","seq":6,"time":2,"data":{"turn":1,"step":1,"message":{"id":"interrupted-tool-result-c-6","role":"tool","toolCallId":"c","isError":true,` +
			`"source":{"kind":"tool","callId":"c"},"content":[{"type":"text","text":"The tool call was interrupted after it was recorded, but no result was durably recorded. ` +
			`Its outcome is unknown. Decide whether to retry from the tool semantics: retry only if the operation is read-only or idempotent; if it may have side effects, ` +
			`first verify external state or ask the user. Do not retry blindly."}]},"error":{"name":"ToolOutcomeUnknownError","code":"TOOL_OUTCOME_UNKNOWN"}},"surfaceOp":"append","sourceEventSeqs":[5]}`,
		`{"type":"step/end","seq":7,"time":2,"data":{"turn":1,"step":1}}`,
		`{"type":"turn/end","seq":8,"time":2,"data":{"turn":1,"reason":{"kind":"interrupted"}}}`,
	}
	var texts []string
	for _, c := range got.Closers {
		texts = append(texts, string(c))
	}
	if diff := cmp.Diff(want, texts); diff != "" {
		t.Errorf("closers (-want +got):\n%s", diff)
	}
	closed := append(laterLog(4)[:7:7], strings.Join(want, "\n")+"\n")
	if again := openLater(t, 4, closed...); again.Verdict != scan.Opens {
		t.Errorf("closed, the log %s: %v", again.Verdict, again.Refusal())
	}
}

func TestForkGenerationsAreNotMisjudged(t *testing.T) {
	fork := func(lines ...string) *scan.Reading {
		head := strings.Replace(laterLog(4)[0], `"version":4`, `"version":7,"theme":"dark"`, 1)
		return openLater(t, 7, append([]string{head}, lines...)...)
	}
	events := laterLog(4)[1:]
	const foreign = `session "lamp" uses log format v7, but this harness reads only v4: the log was written by a newer harness — upgrade the harness to open it`
	sound := fork(append(events, `{"type":"automation/start","seq":11,"time":4,"data":{}}`+"\n")...)
	if r := sound.Refusal(); sound.Verdict != scan.Incompatible || r == nil || r.Text != foreign {
		t.Errorf("with events of its own: %s, %v", sound.Verdict, r)
	}
	if sound.Scan.Events != 12 || sound.Violation != nil {
		t.Errorf("%d events, violation %v", sound.Scan.Events, sound.Violation)
	}
	if gap := fork(append(events[:3:3], events[5:]...)...); gap.Verdict != scan.Damaged {
		t.Errorf("with a gap before a turn/end: %s", gap.Verdict)
	}
	if nested := fork(events[0], strings.Replace(events[0], `"seq":0`, `"seq":1`, 1)); nested.Violation == nil {
		t.Error("a turn in a turn is no violation")
	}
}

func TestOwnGeneration(t *testing.T) {
	header := func(version string) string { return `{"type":"session","version":` + version + `}` }
	tests := []struct {
		name, header, path string
		want               int64
	}{
		{"the header of a log without a name", header("3"), "", 3},
		{"a name that says nothing", header("3"), "/logs/lamp.jsonl", 3},
		{"the name goes first", header("3"), "/x/session.v4.jsonl.zstd", 4},
		{"the first format has no number in its name", header("3"), "/x/session.jsonl", 0},
		{"a later fork", header("12"), "", 12},
		{"v1 is known by its name only", header("1"), "", 0},
		{"and then is v1", header("1"), "/x/session.v1.jsonl", 1},
		{"a version that is none", header("2.5"), "", 0},
		{"no header", "{", "", 0},
	}
	for _, test := range tests {
		if got := scan.OwnGeneration([]byte(test.header), test.path); got != test.want {
			t.Errorf("%s: v%d, want v%d", test.name, got, test.want)
		}
	}
}

// inFrames returns a zstd log with the header in a frame of its own, and the other
// lines in frames of three.
func inFrames(t *testing.T, lines []string) []byte {
	t.Helper()
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	log := enc.EncodeAll([]byte(lines[0]), nil)
	for rest := lines[1:]; len(rest) > 0; rest = rest[min(3, len(rest)):] {
		log = enc.EncodeAll([]byte(strings.Join(rest[:min(3, len(rest))], "")), log)
	}
	return log
}

// TestEveryTruncationOfLaterLogs cuts sound logs: what is left is always a prefix
// of sound rows and a torn tail, which only a strict reading minds.
func TestEveryTruncationOfLaterLogs(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	for generation := int64(2); generation <= session.Newest; generation++ {
		lines := laterLog(generation)
		plain := []byte(strings.Join(lines, ""))
		for n := len(lines[0]); n <= len(plain); n++ {
			whole := bytes.Count(plain[:n], []byte("\n"))
			checkCut(t, plain[:n], scan.Plain, generation, int64(whole-1))
		}
		framed := inFrames(t, lines)
		first := len(inFrames(t, lines[:1]))
		for n := first; n <= len(framed); n++ {
			checkCut(t, framed[:n], scan.Zstd, generation, -1)
		}
		for n := range first {
			_, got := restore(t, framed[:n], scan.Zstd, generation, scan.Restore{})
			if got.Scan.Refusal == nil {
				t.Errorf("v%d: %d bytes of the header frame give a log", generation, n)
			}
		}
	}
}

// checkCut compares the readings of a log that is cut. events are those that are
// left, -1 where that is not known.
func checkCut(t *testing.T, log []byte, encoding scan.Encoding, generation, events int64) {
	t.Helper()
	_, open := restore(t, log, encoding, generation, scan.Restore{})
	_, strict := restore(t, log, encoding, generation, scan.Restore{Strict: true})
	_, migrated := restore(t, log, encoding, generation, scan.Restore{Migrates: true, Strict: true})
	if r := open.Refusal(); r != nil || migrated.Scan.Refusal != nil {
		t.Fatalf("v%d cut to %d bytes is refused: %v, %v", generation, len(log), r, migrated.Scan.Refusal)
	}
	if events >= 0 && open.Scan.Events != events || migrated.Scan.Events != open.Scan.Events || migrated.Scan.Digest != open.Scan.Digest {
		t.Errorf("v%d cut to %d bytes: %d events, %d to migrate, want %d", generation, len(log), open.Scan.Events, migrated.Scan.Events, events)
	}
	if torn := open.Scan.Torn; torn == (strict.Scan.Refusal == nil) || torn != (open.Scan.Committed < int64(len(log))) {
		t.Errorf("v%d cut to %d bytes: torn %v, committed %d, strict %v", generation, len(log), torn, open.Scan.Committed, strict.Scan.Refusal)
	}
	if open.Verdict > scan.Loses {
		t.Errorf("v%d cut to %d bytes: %s", generation, len(log), open.Verdict)
	}
}

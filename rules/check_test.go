package rules_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// lines returns the findings as "line NAME" or, with more, "line NAME +more".
func lines(r *rules.Result) []string {
	var all []string
	for i := range r.Findings {
		f := &r.Findings[i]
		text := fmt.Sprintf("%d %s", f.Place.Line, f.Rule.Name)
		if f.Consequences > 0 {
			text += fmt.Sprintf(" +%d", f.Consequences)
		}
		all = append(all, text)
	}
	return all
}

func wantLines(t *testing.T, log []byte, opt rules.Options, want ...string) *rules.Result {
	t.Helper()
	r := inspect(t, log, opt)
	if diff := cmp.Diff(want, lines(r)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	return r
}

func TestOneCauseGivesOneFinding(t *testing.T) {
	tests := []struct {
		name string
		log  []byte
		want []string
	}{
		{"a sound log has none", twoTurns, nil},
		{"a lost step/start makes the events of its step consequences of the gap", without(4), []string{"4 seq-gap +3"}},
		{"a lost turn/start is a gap, and its turn/end a consequence", without(2), []string{"2 seq-gap +1"}},
		{"an undecodable turn/start is one finding", with(`{"type":"turn/start"`, `{"type":turn/start"`), []string{"2 undecodable-line +1"}},
		{"a blank line loses nothing, so that the rest is judged", bytes.Replace(before(8, "\n"), []byte(`"step":2}}`), []byte(`"step":4}}`), 1), []string{
			"8 blank-line", "10 step-order", "11 event-misplaced +2",
		}},
		{
			"the turn behind one whose start is lost has the right number", and("turn/start",
				`{"type":"step/start","seq":15,"time":1790000002000,"data":{"turn":2,"step":1}}`,
				`{"type":"step/end","seq":16,"time":1790000002000,"data":{"turn":2,"step":1}}`,
				`{"type":"turn/end","seq":17,"time":1790000002000,"data":{"turn":2,"reason":{"kind":"completed"}}}`,
				`{"type":"turn/start","seq":18,"time":1790000002000,"data":{"turn":3}}`,
				`{"type":"turn/end","seq":19,"time":1790000002000,"data":{"turn":3,"reason":{"kind":"completed"}}}`),
			[]string{"14 undecodable-line +1"},
		},
		{"a repeated batch is one finding, however long it is", slices.Concat(lampLog, lampLog[len(upTo(7)):]), []string{"14 seq-repeat +5"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { wantLines(t, test.log, rules.Options{}, test.want...) })
	}
}

func TestRepeatedEventsAreComparedWithTheFirst(t *testing.T) {
	chunk := `{"type":"assistant/chunk","seq":10,"time":1790000001010,"data":{"turn":1,"step":2,"chunk":{"type":"text-delta","index":0,"text":%q}}}` + "\n"
	end := strings.SplitAfter(lamp, "\n")[12]
	todo := `{"type":"todo/write","seq":%d,"time":1790000001013,"data":{"todos":[]}}` + "\n"
	tests := []struct {
		name, again, want string
		rule              *rules.Rule
	}{
		{"a copy", end, "seq 13 again, expected 14: equal to the first", rules.SeqRepeat},
		{
			"a copy of a member of a packed row, which lies in the middle of the log", fmt.Sprintf(chunk, "on."),
			"seq 10 again, expected 14: equal to the first", rules.SeqRepeat,
		},
		{"another delta", fmt.Sprintf(chunk, "off."), "stream deltas from seq 10, expected 14: with other content than the first", rules.StaleDeltas},
		{"an event that was left out", strings.Replace(title14, `"seq":14`, `"seq":16`, 1) + "\n" + title14 + "\n" + strings.Replace(title14, `"seq":14`, `"seq":15`, 1) + "\n", "seq 16, expected 14: out of order", rules.SeqGap},
		{"one of two events that were left out", strings.Replace(title14, `"seq":14`, `"seq":16`, 1) + "\n" + title14 + "\n", "seq 16, expected 14: 2 events missing", rules.SeqGap},
		{
			"an event that was left out and is not the first of those", strings.Replace(title14, `"seq":14`, `"seq":16`, 1) + "\n" + strings.Replace(title14, `"seq":14`, `"seq":15`, 1) + "\n",
			"seq 15 comes late, expected 17: it was missing so far", rules.SeqRepeat,
		},
		{
			"a copy and another event", fmt.Sprintf(chunk, "on.") + fmt.Sprintf(todo, 11),
			"2 events from seq 10, expected 14: stale, no message is among them", rules.StaleTail,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := inspect(t, []byte(lamp+test.again), rules.Options{})
			i := slices.IndexFunc(r.Findings, func(f rules.Finding) bool { return f.Rule == test.rule })
			if i < 0 || r.Findings[i].Message != test.want {
				t.Errorf("want %s: %q, got:\n%s", test.rule.Name, test.want, listing(r))
			}
		})
	}
}

func TestRepetitionTooFarFromTheFirstIsNotCompared(t *testing.T) {
	log := append(manyTurns(4000), strings.Replace(title14, "14", "1", 1)+"\n"...)
	r := wantLines(t, log, rules.Options{}, "12002 seq-repeat", "12002 events-dropped")
	if got, want := r.Findings[0].Message, "seq 1 again, expected 12000: too far from the first to compare"; got != want {
		t.Errorf("message %q, want %q", got, want)
	}
}

func TestSeverityFollowsFromWhatDshDoesWithTheTail(t *testing.T) {
	tests := []struct {
		name     string
		log      []byte
		verdict  scan.Verdict
		severity rules.Severity
		reader   rules.Reaction
	}{
		{"dsh cuts off a line that holds nothing", and(""), scan.Recovers, rules.Warning, rules.Repairs},
		{"dsh drops complete events behind it", and("", title14), scan.Loses, rules.Error, rules.Drops},
		{"dsh drops a complete record on the line itself", and("\x00\x00" + title14), scan.Loses, rules.Error, rules.Drops},
		{"dsh refuses it before a turn/end", before(13, "\n"), scan.Damaged, rules.Error, rules.Refuses},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := inspect(t, test.log, rules.Options{})
			f := r.Findings[0]
			if r.Reading.Verdict != test.verdict || f.Severity != test.severity || f.Reader != test.reader {
				t.Errorf("got verdict %s and %s", r.Reading.Verdict, show(&f))
			}
		})
	}
}

func TestNothingIsFoundInTheTextOfABrokenFrame(t *testing.T) {
	header := string(upTo(1))
	log := frames(header, string(without(1, 6)), "null\n"+lamp)
	log[len(log)-1] ^= 1                   // the checksum of the last frame
	log[len(frames(header))+textAt+2] ^= 1 // the text of the second
	r := wantLines(t, log, rules.Options{}, "0 frame-checksum", "0 frame-checksum")
	for i := range r.Findings {
		if seq := r.Findings[i].Seq; seq == nil || *seq != 0 {
			t.Errorf("finding %d does not say that the lost events begin with seq 0", i)
		}
	}
}

func TestLooseEventsOfABrokenFrameAreForgotten(t *testing.T) {
	header, events, _ := strings.Cut(fmt.Sprintf(july, "", "message", ""), "\n")
	header = strings.Replace(header, "1784", "1783", 1) + "\n"
	log := frames(header, looseTodo+looseTodo+events)
	log[len(log)-1] ^= 1
	wantLines(t, log, rules.Options{}, "0 frame-checksum")
}

func TestOpenLongLineIsNotRead(t *testing.T) {
	r := wantLines(t, append(lampLog[:len(lamp):len(lamp)], title14...), rules.Options{MaxLine: 500}, "14 missing-newline")
	if r.Reading.Verdict != scan.Loses {
		t.Errorf("verdict %q, want loses", r.Reading.Verdict)
	}
	long := append(lampLog[:len(lamp):len(lamp)], strings.Repeat("x", 600)...)
	r = wantLines(t, long, rules.Options{MaxLine: 500}, "14 line-too-long")
	if r.Reading.Verdict != scan.Recovers || r.Findings[0].Severity != rules.Warning {
		t.Errorf("verdict %q and %s, want recovers and a warning", r.Reading.Verdict, show(&r.Findings[0]))
	}
}

func TestFindingsOfOneRuleAreBounded(t *testing.T) {
	const n = 150
	var log bytes.Buffer
	log.Write(lampLog)
	for i := range n {
		fmt.Fprintf(&log, `{"type":"feedback/record","seq":%d,"time":1790000002000,"data":{"text":"1","text":"2"}}`+"\n", 14+i)
	}
	r := inspect(t, log.Bytes(), rules.Options{})
	if len(r.Findings) != 101 {
		t.Fatalf("%d findings, want 101", len(r.Findings))
	}
	last := r.Findings[100]
	if want := "50 more of these from here on are not listed"; last.Message != want || last.Place.Line != 114 {
		t.Errorf("the last is in line %d: %q, want line 114: %q", last.Place.Line, last.Message, want)
	}
}

func TestMessagesAreOneShortLineOfPlainText(t *testing.T) {
	name := `\u001b[31mred\n` + strings.Repeat("é", 200)
	r := inspect(t, and(strings.Replace(title14, "session/title", name, 1)), rules.Options{})
	got := r.Findings[0].Message
	if strings.ContainsAny(got, "\x1b\n") || len(got) > 160 || !strings.HasSuffix(got, "é…") {
		t.Errorf("message %q", got)
	}
}

func TestTurnsAreHandedOver(t *testing.T) {
	var got []rules.TurnInfo
	log := and(start2, `{"type":"step/start","seq":15,"time":1790000002005,"data":{"turn":2,"step":1}}`)
	inspect(t, log, rules.Options{Turn: func(turn rules.TurnInfo) { got = append(got, turn) }})
	want := []rules.TurnInfo{
		{
			Number: "1", Line: 2, Seq: 0, EndSeq: 13, Start: 1790000001000, End: 1790000001013,
			Reason: "completed", Steps: 2, Calls: 1, Events: 14,
		},
		{Number: "2", Line: 14, Seq: 14, EndSeq: 15, Start: 1790000002000, End: 1790000002005, Steps: 1, Events: 2, Open: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("turns (-want +got):\n%s", diff)
	}
}

func TestCountsIncludeWhatDshWouldNotRead(t *testing.T) {
	r := inspect(t, and("", start2, end2, "null"), rules.Options{})
	if r.Events != 16 || r.Turns != 2 {
		t.Errorf("%d events in %d turns, want 16 in 2", r.Events, r.Turns)
	}
}

func TestForeignFormatsAreNotJudged(t *testing.T) {
	log := bytes.Replace(without(6), []byte(`"version":0`), []byte(`"version":1`), 1)
	wantLines(t, append(log, "null\n"...), rules.Options{}, "1 newer-format")
}

func TestMisnamedLogIsReadAsItsNameSays(t *testing.T) {
	const plain, framed = "x/session.jsonl", "x/session.jsonl.zstd"
	tests := []struct {
		name    string
		log     []byte
		opt     rules.Options
		verdict scan.Verdict
		refusal string
	}{
		{"text under a zstd name", lampLog, rules.Options{Path: framed}, scan.Damaged, "corrupt Zstandard session log: invalid frame magic at byte 0"},
		{"frames under a plain name", lampFrames, rules.Options{Path: plain}, scan.Damaged, "corrupt session log: header line is not valid JSON"},
		{"the encoding is given", lampLog, rules.Options{Path: framed, Encoding: scan.Plain}, scan.Opens, ""},
		{"the name fits", lampLog, rules.Options{Path: plain}, scan.Opens, ""},
		{"there is no name", lampFrames, rules.Options{}, scan.Opens, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := inspect(t, test.log, test.opt)
			refusal := ""
			if r.Reading.Refusal() != nil {
				refusal = r.Reading.Refusal().Text
			}
			if r.Reading.Verdict != test.verdict || refusal != test.refusal {
				t.Errorf("verdict %q with refusal %q, want %q with %q", r.Reading.Verdict, refusal, test.verdict, test.refusal)
			}
			if named := r.Reading.Verdict == scan.Damaged; named != (len(r.Findings) == 1) {
				t.Errorf("findings:\n%s", listing(r))
			}
		})
	}
}

type failingReader struct{ err error }

func (f failingReader) ReadAt([]byte, int64) (int, error) { return 0, f.err }

func TestUnreadableSourceIsAnError(t *testing.T) {
	want := errors.New("bad sector")
	if _, err := rules.Check(failingReader{want}, 100, rules.Options{}); !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}

func TestShorterSourceIsAnError(t *testing.T) {
	for _, log := range [][]byte{lampLog, lampFrames} {
		_, err := rules.Check(bytes.NewReader(log), int64(len(log))+100, rules.Options{})
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("error %v, want %v or none", err, io.ErrUnexpectedEOF)
		}
	}
}

func TestSoundLinesCostNoMemory(t *testing.T) {
	short, long := manyTurns(1000), manyTurns(2000)
	allocs := func(log []byte) float64 {
		return testing.AllocsPerRun(3, func() { inspect(t, log, rules.Options{}) })
	}
	perEvent := (allocs(long) - allocs(short)) / 3000
	if perEvent > 1.5 {
		t.Errorf("%.2f allocations per event", perEvent)
	}
}

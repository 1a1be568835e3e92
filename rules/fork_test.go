package rules_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/rules"
)

// An event after the turns of a fork test, which dsh reads on to.
func laterTurn(turn, seq int) string {
	return fmt.Sprintf(`{"type":"turn/start","seq":%d,"time":1790000005000,"data":{"turn":%d}}
{"type":"turn/end","seq":%d,"time":1790000005000,"data":{"turn":%[2]d,"reason":{"kind":"completed"}}}
`, seq, turn, seq+1)
}

func TestTwoWritersAreToldApart(t *testing.T) {
	closed := slices.Concat(upTo(6), []byte(closersOfLamp)) // seqs 0 to 7
	goesOn := lampLog[len(upTo(6)):]
	tests := []struct {
		name string
		log  []byte
		want []string
	}{
		{
			"a marker and the event that took its seq",
			numbered([]int{14, 14, 15}, endSeed, startTurn2, endTurn2),
			[]string{"14 stale-end-seed", "15 seq-repeat"},
		},
		{
			"two markers and the event that took the seq of the first",
			numbered([]int{14, 15, 14, 15, 16}, endSeed, endSeed, startTurn2, message("a", "On."), endTurn2),
			[]string{"14 stale-end-seed", "16 seq-repeat +1"},
		},
		{
			"two markers with the same seq",
			numbered([]int{14, 14, 15, 16}, endSeed, edited(endSeed, "2000", "3000"), startTurn2, endTurn2),
			[]string{"14 stale-end-seed", "15 seq-repeat"},
		},
		{"closers under a writer that goes on", slices.Concat(closed, goesOn), []string{"7 repair-closers", "10 seq-repeat +2"}},
		{"closers behind a writer that had gone on", slices.Concat(upTo(9), []byte(closersOfLamp), []byte(laterTurn(2, 8))), []string{"10 repair-closers +2"}},
		{"the same closers twice", slices.Concat(closed, []byte(closersOfLamp), []byte(laterTurn(2, 8))), []string{"10 seq-repeat +2"}},
		{"the end of a step is no sign of a repair", slices.Concat(upTo(8), []byte(laterTurn(2, 6))), []string{"9 forked-log"}},
		{
			"deltas that were written late", before(11, `{"type":"text-chunks","seq0":9,"time0":1790000001019,"data":{"turn":1,"step":2,"index":0,"dt":[1],"texts":["it was ","off."]}}`+"\n"),
			[]string{"11 stale-deltas"},
		},
		{
			"two branches with messages",
			numbered([]int{14, 15, 16, 14, 15, 16}, startTurn2, message("a", "On."), endTurn2, startTurn2, message("b", "Off."), endTurn2),
			[]string{"17 forked-log +2"},
		},
		{
			"one history with seqs that fell back to a turn",
			numbered([]int{14, 15, 16, 14, 15, 16}, startTurn2, message("a", "On."), endTurn2, startTurn3, message("b", "Off."), endTurn3),
			[]string{"17 seq-regressed +2"},
		},
		{
			"one history with seqs that fell back to a step",
			numbered([]int{14, 15, 16, 15, 16, 17}, startTurn2, startStep, endStep, edited(startStep, `"step":1`, `"step":2`), edited(endStep, `"step":1`, `"step":2`), endTurn2),
			[]string{"17 seq-regressed +1"},
		},
		{
			"a stale notice in the middle",
			numbered([]int{14, 9, 15}, startTurn2, edited(endTurn2, `"turn":2`, `"turn":1`), endTurn2),
			[]string{"15 stale-tail +1"},
		},
		{"an equal batch, for a third time", slices.Concat(lampLog, lampLog[len(upTo(12)):], lampLog[len(upTo(12)):]), []string{"14 seq-repeat", "15 seq-repeat"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := inspect(t, test.log, rules.Options{})
			var got []string
			for _, line := range lines(r) {
				if !strings.Contains(line, "events-dropped") && !strings.Contains(line, "open-turn") {
					got = append(got, line)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestForksSayWhatEachBranchHolds(t *testing.T) {
	log := numbered([]int{14, 15, 16, 14, 15, 16, 17}, startTurn2, message("a", "On."), endTurn2, startTurn2, message("b", "Off."), message("c", "Off?"), endTurn2)
	f := inspect(t, log, rules.Options{}).Findings[0]
	if want := "a second branch from seq 14, expected 17: 2 messages here, 1 message in the first"; f.Message != want {
		t.Errorf("message %q, want %q", f.Message, want)
	}
	if len(f.Related) != 1 || f.Related[0].Place.Line != 14 {
		t.Errorf("related %v, want line 14, where the first branch starts", f.Related)
	}
}

func TestForkIsFoundBeyondTheTextThatIsKept(t *testing.T) {
	// The copy of the first event lies 300 KB behind it, but within 4096 records.
	var log bytes.Buffer
	log.Write(lampLog)
	for i := range 1000 {
		log.WriteString(strings.Replace(message("a", strings.Repeat("long ", 60)), "#", fmt.Sprint(14+i), 1) + "\n")
	}
	first := strings.SplitAfter(lamp, "\n")[12]
	r := inspect(t, append(log.Bytes(), first...), rules.Options{})
	i := slices.IndexFunc(r.Findings, func(f rules.Finding) bool { return f.Rule == rules.SeqRepeat })
	if want := "seq 13 again, expected 1014: equal to the first"; i < 0 || r.Findings[i].Message != want {
		t.Errorf("want %q, got:\n%s", want, listing(r))
	}
	other := strings.Replace(first, "completed", "blocked", 1)
	r = inspect(t, append(log.Bytes(), other...), rules.Options{})
	if !fires(r, rules.StaleTail) {
		t.Errorf("an event with other text is not found stale:\n%s", listing(r))
	}
}

func TestFindingsThatChangeTheirRuleAreBounded(t *testing.T) {
	var log bytes.Buffer
	log.Write(lampLog)
	const n = 1500
	for i := range n {
		log.WriteString(strings.Replace(title14, `"seq":14`, fmt.Sprintf(`"seq":%d`, 14+i), 1) + "\n")
		fmt.Fprintf(&log, `{"type":"feedback/record","seq":9,"time":1790000002000,"data":{"text":"%d"}}`+"\n", i)
	}
	r := inspect(t, log.Bytes(), rules.Options{})
	found := make(map[*rules.Rule]int)
	for i := range r.Findings {
		found[r.Findings[i].Rule]++
	}
	if found[rules.StaleTail] != 101 || found[rules.SeqRepeat] > 101 {
		t.Errorf("%d and %d findings, want 101 and no more", found[rules.StaleTail], found[rules.SeqRepeat])
	}
}

func TestForksInABrokenFrameAreForgotten(t *testing.T) {
	header := string(upTo(1))
	fork := numbered([]int{14, 15, 14, 15}, startTurn2, endTurn2, startTurn3, endTurn3)
	log := frames(header, lamp[len(header):], string(fork[len(lamp):]), laterTurn(4, 16))
	third := len(frames(header, lamp[len(header):]))
	log[third+textAt+2] ^= 1
	wantLines(t, log, rules.Options{}, "0 frame-checksum")
}

func TestRecordsInTheWrongOrderAreOneCause(t *testing.T) {
	swap := func(a, b int) []byte {
		all := strings.SplitAfter(lamp, "\n")
		all[a-1], all[b-1] = all[b-1], all[a-1]
		return []byte(strings.Join(all, ""))
	}
	tests := []struct {
		name, message string
		log           []byte
		want          []string
	}{
		{"two events", "seq 5, expected 4: out of order", swap(6, 7), []string{"6 seq-gap +1"}},
		{"an event and a row", "seq 11, expected 8: out of order", swap(10, 11), []string{"10 seq-gap +1"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := wantLines(t, test.log, rules.Options{}, test.want...)
			if got := r.Findings[0].Message; got != test.message {
				t.Errorf("message %q, want %q", got, test.message)
			}
		})
	}
}

func TestLooseEventsSayWhatBecameOfTheirTurn(t *testing.T) {
	tests := []struct {
		name, want string
		log        []byte
	}{
		{"the turn has no start", `step/start outside any turn: turn 2 has no turn/start; rule set "open"`, more(startStep, endStep, endTurn2)},
		{"the turn has ended", `step/start outside any turn: turn 1 has ended; rule set "open"`, more(edited(startStep, `"turn":2`, `"turn":1`))},
		{"no turn is named", `todo/write outside any turn; rule set "open"`, more(event("todo/write", `"todos":[]`))},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if f := inspect(t, test.log, rules.Options{}).Findings[0]; !strings.HasPrefix(f.Message, test.want) {
				t.Errorf("message %q, want %q", f.Message, test.want)
			}
		})
	}
}

func TestLongLinesLeaveTheTextOfTheOthers(t *testing.T) {
	var log bytes.Buffer
	log.Write(lampLog)
	seq := 14
	add := func(text string) {
		log.WriteString(strings.Replace(message("a", text), "#", fmt.Sprint(seq), 1) + "\n")
		seq++
	}
	for range 700 {
		add(strings.Repeat("short ", 20))
	}
	for range 3 {
		add(strings.Repeat("long ", 9<<10))
		for range 10 {
			add("short")
		}
		add(strings.Repeat("long ", 8<<10))
		add(strings.Repeat("longer ", 20<<10))
		add("short")
	}
	again := strings.Replace(message("a", "short"), "#", fmt.Sprint(seq-1), 1)
	again = strings.Replace(again, `"content"`, ` "content"`, 1) // equal as data only
	r := inspect(t, append(log.Bytes(), again+"\n"...), rules.Options{})
	i := slices.IndexFunc(r.Findings, func(f rules.Finding) bool { return f.Rule == rules.SeqRepeat })
	if want := fmt.Sprintf("seq %d again, expected %d: equal to the first", seq-1, seq); i < 0 || r.Findings[i].Message != want {
		t.Errorf("want %q, got:\n%s", want, listing(r))
	}
}

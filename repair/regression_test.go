package repair_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/repair"
)

// What a second run of seqs may start with, behind the events of a log whose turns 1
// and 2 are closed at the seqs 1 and 5, of which a writer has the first ones again.
const (
	said2      = `{"type":"user/message","seq":3,"time":35,"data":{"id":"u","role":"user","content":[],"source":{"kind":"user"}},"surfaceOp":"append"}`
	saidAgain2 = `{"type":"user/message","seq":2,"time":65,"data":{"id":"v","role":"user","content":[],"source":{"kind":"user"}},"surfaceOp":"append"}`
	saidAgain3 = `{"type":"user/message","seq":3,"time":66,"data":{"id":"v","role":"user","content":[],"source":{"kind":"user"}},"surfaceOp":"append"}`
	step3      = `{"type":"step/start","seq":4,"time":40,"data":{"turn":2,"step":1}}`
	stepEnd3   = `{"type":"step/end","seq":5,"time":50,"data":{"turn":2,"step":1}}`
	endOf2     = `{"type":"turn/end","seq":6,"time":60,"data":{"turn":2,"reason":{"kind":"completed"}}}`
)

// behindTwoTurns is a log with seqs 0 to 6 and more lines.
func behindTwoTurns(more ...string) []byte {
	return []byte(text(append([]string{header, start1, end1, start2, said2, step3, stepEnd3, endOf2}, more...)...))
}

func startOf(turn, seq string) string {
	return `{"type":"turn/start","seq":` + seq + `,"time":70,"data":{"turn":` + turn + `}}`
}

func endOf(turn, seq string) string {
	return `{"type":"turn/end","seq":` + seq + `,"time":80,"data":{"turn":` + turn + `,"reason":{"kind":"completed"}}}`
}

func TestOnlyARegressionIsRenumbered(t *testing.T) {
	endSeed := `{"type":"session/end-seed","seq":7,"time":69,"data":{}}`
	cites := strings.Replace(saidAgain3, `"surfaceOp"`, `"sourceEventSeqs":[5],"surfaceOp"`, 1)
	tests := []struct {
		name string
		log  []byte
		want bool
	}{
		{"the next turn at an earlier seq", behindTwoTurns(startOf("3", "2"), saidAgain3, endOf("3", "4")), true},
		{"a message before the next turn", behindTwoTurns(saidAgain2, startOf("3", "3"), endOf("3", "4")), true},
		{"the next turn from seq 0 on", behindTwoTurns(startOf("3", "0"), endOf("3", "1"), saidAgain2), true},
		{"the next step of an open turn", []byte(text(header, start1, end1, start2, said2, step3, stepEnd3, `{"type":"step/start","seq":3,"time":70,"data":{"turn":2,"step":2}}`)), true},
		{"the rest of a turn that does not exist there", []byte(text(header, start1, end1, start2, said2, endOf("2", "2"))), true},
		{"the same turn again, a fork", behindTwoTurns(startOf("2", "2"), saidAgain3, endOf("2", "4")), false},
		{"a later turn than the next", behindTwoTurns(startOf("4", "2"), saidAgain3, endOf("4", "4")), false},
		{"the next turn, over a stale end-seed", behindTwoTurns(endSeed, startOf("3", "7"), endOf("3", "8")), false},
		{"the next turn, at a seq behind the last turn", behindTwoTurns(strings.Replace(saidAgain2, `"seq":2`, `"seq":7`, 1), startOf("3", "7"), endOf("3", "8")), false},
		{"messages only", behindTwoTurns(saidAgain2, saidAgain3), false},
		{"a stale notice", behindTwoTurns(`{"type":"llm/retry","seq":3,"time":70,"data":{"turn":2,"step":1}}`), false},
		{"copies", behindTwoTurns(start2, said2, step3, stepEnd3, endOf2), false},
		{"closers of a repair", behindTwoTurns(closedAt3), false},
		{"the end of the open turn, which fits at the seq too", []byte(text(header, start1, end1, start2, said2, endOf("2", "3"))), false},
		{"references to events that it has not", behindTwoTurns(startOf("3", "2"), cites, endOf("3", "4")), false},
		{"the next turn behind a gap", []byte(text(header, start1, end1, step2, startOf("2", "1"), endOf("2", "2"))), false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := plan(t, test.log, renumber)
			if got := p.Action == repair.Repair && len(p.Rewrites) > 0; got != test.want {
				t.Errorf("renumbered: %v, want %v; %s: %s", got, test.want, p.Action, p.Reason)
			}
			if test.want {
				write(t, p, test.log)
			}
			p = plan(t, test.log, repair.Options{})
			if p.Action == repair.Repair && p.Level != repair.Safe || !test.want && strings.Contains(p.Next, "renumber") {
				t.Errorf("without permission %s, %s: %s", p.Action, p.Level, p.Next)
			}
		})
	}
}

func TestNoOtherDamageIsTakenForARegression(t *testing.T) {
	logs := make(map[string]bool) // whether it is one, by path
	for _, c := range vectortest.Cases(t) {
		logs[c.Log] = false
	}
	corpus, err := filepath.Glob("../testdata/rules/*/bad.jsonl*")
	if err != nil || len(corpus) == 0 {
		t.Fatalf("%d logs of rules: %v", len(corpus), err)
	}
	for _, name := range corpus {
		logs[name] = filepath.Base(filepath.Dir(name)) == "seq-regressed"
	}
	for name, want := range logs {
		image, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		offered := false
		for _, need := range plan(t, image, repair.Options{}).NeedAllow {
			offered = offered || need.Allow == "renumber"
		}
		renumbered := false
		for _, r := range plan(t, image, renumber).Rewrites {
			renumbered = renumbered || r.Allow == "renumber"
		}
		if offered != want || renumbered != want {
			t.Errorf("%s: offered %v, renumbered %v, want %v", name, offered, renumbered, want)
		}
	}
}

func TestARegressedHistoryKeepsItsFrames(t *testing.T) {
	image := frame(t, header+"\n")
	kept := frame(t, text(start1, end1, start2, said2, step3, stepEnd3, endOf2))
	image = append(image, kept...)
	whole := len(image)
	image = append(image, frame(t, text(startOf("3", "2"), saidAgain3, endOf("3", "4")))...)
	p := plan(t, image, renumber)
	got := write(t, p, image)
	if p.Keep != int64(whole) || string(got[:whole]) != string(image[:whole]) {
		t.Errorf("%d bytes stay, want %d", p.Keep, whole)
	}
	want := []string{startOf("3", "7"), strings.Replace(saidAgain3, `"seq":3`, `"seq":8`, 1), endOf("3", "9")}
	if diff := cmp.Diff(want, lines(t, got)[8:]); diff != "" {
		t.Errorf("second run (-want +got):\n%s", diff)
	}
}

func TestARegressionIsRenumberedAmongOtherDamage(t *testing.T) {
	second := []string{startOf("3", "2"), saidAgain3, endOf("3", "4")}
	renumbered := []string{startOf("3", "7"), strings.Replace(saidAgain3, `"seq":3`, `"seq":8`, 1), endOf("3", "9")}
	tests := []struct {
		name  string
		more  []string
		want  []string
		allow []repair.Permission
	}{
		{"a batch of the first run again", append(second, start2, said2, step3, stepEnd3, endOf2), renumbered, nil},
		{"a batch of the second run again", append(second, second...), renumbered, nil},
		{"a torn last line", append(second, `{"type":"turn/st`), renumbered, nil},
		{
			"a message without an id, which gets one with its new seq",
			[]string{second[0], strings.Replace(saidAgain3, `"id":"v",`, ``, 1), second[2]},
			[]string{renumbered[0], strings.Replace(strings.Replace(saidAgain3, `"seq":3`, `"seq":8`, 1), `"id":"v",`, ``, 1), renumbered[2]},
			[]repair.Permission{"mint-id=user/message"},
		},
		{
			"references of which one is named twice",
			[]string{second[0], strings.Replace(saidAgain3, `"surfaceOp"`, `"sourceEventSeqs":[0,2,2],"surfaceOp"`, 1), second[2]},
			[]string{renumbered[0], strings.Replace(renumbered[1], `"surfaceOp"`, `"sourceEventSeqs":[0,7],"surfaceOp"`, 1), renumbered[2]},
			[]repair.Permission{"drop-references=user/message"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			log := behindTwoTurns(test.more...)
			if len(test.allow) > 0 {
				if p := plan(t, log, renumber); p.Action != repair.Refuse || len(p.NeedAllow) != 2 {
					t.Errorf("%s, needs %v", p.Action, p.NeedAllow)
				}
			}
			p := plan(t, log, repair.Options{Allow: append(test.allow, "renumber")})
			if p.Action != repair.Repair || p.Level != repair.Assisted {
				t.Fatalf("%s, %s: %s", p.Action, p.Level, p.Reason)
			}
			got := lines(t, write(t, p, log))[8:]
			for i := range got {
				got[i] = strings.Replace(got[i], `,"id":"repaired-message:s:8"`, "", 1)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("second run (-want +got):\n%s", diff)
			}
		})
	}
}

func TestALogMadeOfShortRunsIsNotRenumbered(t *testing.T) {
	for turns, want := range map[int]bool{64: true, 65: false, 20000: false} {
		all := []string{header}
		for n := 1; n <= turns; n++ {
			all = append(all, startOf(strconv.Itoa(n), "0"), endOf(strconv.Itoa(n), "1"))
		}
		all = append(all, saidAgain2)
		if p := plan(t, []byte(text(all...)), renumber); len(p.Rewrites) > 0 != want {
			t.Errorf("%d turns: %s: %s", turns, p.Action, p.Reason)
		}
	}
}

func TestARunThatDoesNotFitTheInboxIsNotRenumbered(t *testing.T) {
	splice := `{"type":"agent/inbox/spliced","seq":3,"time":71,"data":{"target":"next-turn","start":0,"removedCount":1,"inserted":[]}}`
	log := behindTwoTurns(startOf("3", "2"), splice, saidAgain3, endOf("3", "4"))
	log = []byte(strings.Replace(string(log), saidAgain3+"\n"+endOf("3", "4"), strings.Replace(saidAgain3, `"seq":3`, `"seq":4`, 1)+"\n"+endOf("3", "5"), 1))
	p := plan(t, log, renumber)
	if p.Action != repair.Refuse || !strings.Contains(p.Reason, "inbox") {
		t.Errorf("%s: %s", p.Action, p.Reason)
	}
	if p := plan(t, log, repair.Options{}); p.Action != repair.Refuse || len(p.NeedAllow) > 0 {
		t.Errorf("without permission: %s, needs %v", p.Action, p.NeedAllow)
	}
}

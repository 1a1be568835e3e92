package repair

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var anyTime = regexp.MustCompile(`"time":\d+`)

func TestACounterThatFellBackGoesOnInLaterFormats(t *testing.T) {
	for _, generation := range natives {
		for back := 1; back <= 10; back++ {
			n := &nativeLog{generation: generation}
			b := append(batches{{nativeHeader(generation, false)}}, n.turn(1)...)
			n.seq -= back
			b = append(b, n.turn(2)...)
			image := render(b, false)
			p := planFor(t, image, nativeName(generation, false), Options{Allow: []Permission{renumber.permission("")}})
			if p.Action != Repair || p.Level != Assisted {
				t.Errorf("v%d, back by %d: %s, %s; %s", generation, back, p.Action, p.Level, p.Next)
				continue
			}
			got := string(imageOf(t, p, image))
			want := string(render(healthyNative(generation, 2), false))
			if diff := cmp.Diff(anyTime.ReplaceAllString(want, ""), anyTime.ReplaceAllString(got, "")); diff != "" {
				t.Errorf("v%d, back by %d (-want +got):\n%s", generation, back, diff)
			}
			checkRepair(t, p, image, nativeName(generation, false))
		}
	}
}

func TestEventsOfEachFormatCiteOthersInItsOwnMembers(t *testing.T) {
	envelope := func(kind, rest string) string { return fmt.Sprintf(`{"type":%q,"seq":90,"time":1,%s}`, kind, rest) }
	result := func(id string) string {
		return envelope("tool/result", `"data":{"message":{"id":"`+id+`","source":{"kind":"tool","callId":"c"}}}`)
	}
	delivery := func(rest string) string {
		return envelope("session-log-deepseek/delivery-accepted", `"data":{"sessionId":"s","throughSeq":7`+rest+`}`)
	}
	for _, tt := range []struct {
		name, record string
		want         map[int64]string // by generation
	}{
		{"sources, of which pairs stand for all between them", envelope("user/message", `"data":{},"sourceEventSeqs":[1,[3,5]]`), map[int64]string{
			0: "sourceEventSeqs 1", 2: "sourceEventSeqs 1, sourceEventSeqs 3-5", 4: "sourceEventSeqs 1, sourceEventSeqs 3-5",
		}},
		{"the ends of a replaced range", envelope("user/message", `"data":{},"surfaceOp":{"op":"replace","start":1,"end":2}`), map[int64]string{
			0: "surfaceOp.start 1, surfaceOp.end 2", 2: "surfaceOp.start 1, surfaceOp.end 2", 3: "",
		}},
		{"the ends by their later names", envelope("user/message", `"data":{},"surfaceOp":{"op":"replace","startSeq":1,"endSeq":2}`), map[int64]string{
			2: "", 3: "surfaceOp.startSeq 1, surfaceOp.endSeq 2", 4: "surfaceOp.startSeq 1, surfaceOp.endSeq 2",
		}},
		{"the id of an interrupted result", result("interrupted-tool-result-c-90"), map[int64]string{
			0: "data.message.id 90", 2: "data.message.id 90", 3: "", 4: "",
		}},
		{"the id of a forked result", result("forked-tool-result-c-90"), map[int64]string{
			0: "data.message.id 90", 2: "data.message.id 90", 3: "data.message.id 90", 4: "data.message.id 90",
		}},
		{"offloaded images", envelope("image/offload", `"data":{"targets":[{"seq":3},{"seq":4}]}`), map[int64]string{
			2: "", 3: "data.targets.seq 3, data.targets.seq 4", 4: "data.targets.seq 3, data.targets.seq 4",
		}},
		{"the header of a developer's message", envelope("developer/message", `"data":{"headerSeq":5}`), map[int64]string{
			3: "", 4: "data.headerSeq 5",
		}},
		{"a delivery in this format", delivery(`,"sessionFormatVersion":3`), map[int64]string{0: "", 2: "", 3: "data.throughSeq 7", 4: ""}},
		{"a delivery in v0", delivery(""), map[int64]string{0: "data.throughSeq 7", 2: "", 3: "", 4: ""}},
		{"numbers that are no seqs", envelope("turn/start", `"data":{"turn":1,"seq":3,"sourceEventSeq":4}`), map[int64]string{0: "", 2: "", 3: "", 4: ""}},
	} {
		for generation, want := range tt.want {
			r := recordOf(t, tt.record)
			know(r, generation)
			var got []string
			for c := range citations(logID{"s", generation}, r) {
				text := fmt.Sprintf("%s %d", c.member, c.seq)
				if c.isPair() {
					text += fmt.Sprintf("-%d", c.last)
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("%s, v%d (-want +got):\n%s", tt.name, generation, diff)
			}
		}
	}
}

func TestAPairIsWrittenAsSeveralWhereItsSeqsMoveApart(t *testing.T) {
	// The second run goes on from seq 10 of the first, and had the number 6 for it.
	e := &editor{logID: logID{"s", 2}, runs: &runs{all: []run{{0, 0, 0}, {9, 6, 4}, {20, 8, 20}}}}
	for _, tt := range []struct {
		name string
		run  int
		pair string
		want string
	}{
		{"before the fall", 0, "[2,9]", "[2,9]"},
		{"of the later run", 1, "[6,8]", "[10,12]"},
		{"across the fall", 1, "[3,8]", "[3,5],[10,12]"},
		{"with one seq before it", 1, "[5,6]", "5,10"},
		{"across two falls", 2, "[4,9]", "[4,5],[10,11],[28,29]"},
	} {
		e.run = tt.run
		r := recordOf(t, `{"type":"user/message","seq":90,"time":1,"data":{},"sourceEventSeqs":[`+tt.pair+`]}`)
		know(r, 2)
		got := ""
		for c := range citations(e.logID, r) {
			got = e.pairText(&c)
		}
		if got != tt.want {
			t.Errorf("a pair %s: %s becomes %s, want %s", tt.name, tt.pair, got, tt.want)
		}
	}
}

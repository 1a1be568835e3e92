package repair_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/turnlint/turnlint/repair"
)

var renumber = repair.Options{Allow: []repair.Permission{"renumber"}}

// history is a sound log in which every seq is written as <n>, so that it can be
// written again as a writer would have whose counter fell back.
type history struct {
	lines []string
	first []int // seq of the first event of each line
	seq   int   // of the next event
}

func (h *history) add(events int, format string, args ...any) (seq int) {
	seq = h.seq
	line := fmt.Sprintf(format, args...)
	h.lines = append(h.lines, strings.ReplaceAll(line, "<own>", fmt.Sprintf("<%d>", seq)))
	h.first = append(h.first, seq)
	h.seq += events
	return seq
}

// event adds an event; rest is what follows its data.
func (h *history) event(kind, data, rest string, args ...any) (seq int) {
	return h.add(1, `{"type":"`+kind+`","seq":<own>,"time":`+strconv.Itoa(1000+h.seq)+`,"data":`+data+rest+"}", args...)
}

const appended = `,"surfaceOp":"append"`

// turn adds a turn with every kind of reference to seqs that a log can have, and with
// numbers that are none. Nothing in it cites an event of another turn but the command,
// which cites the event with the seq cited.
func (h *history) turn(n, cited int) {
	message := func(id string) string {
		return fmt.Sprintf(`{"id":"%s","role":"user","content":[{"type":"text","text":"see 7 in [3,4]"}],"source":{"kind":"user"}}`, id)
	}
	result := func(id, call, text string) string {
		return fmt.Sprintf(`{"turn":%d,"step":1,"message":{"id":"%s","role":"user","source":{"kind":"tool","callId":"%s"},"content":[{"type":"tool-result","toolCallId":"%s","isError":true,"content":[{"type":"text","text":"%s"}]}]},"error":{"name":"E","code":"TOOL_NOT_STARTED"}}`, n, id, call, call, text)
	}
	call := func(id string) string {
		return fmt.Sprintf(`{"turn":%d,"step":1,"callId":"%s","name":"ls","arguments":"{\"seq\":5}"}`, n, id)
	}
	at := fmt.Sprintf(`"turn":%d,"step":1`, n)
	queued := fmt.Sprintf("u%d", n)
	h.event("agent/inbox/spliced", `{"target":"next-turn","start":0,"inserted":[`+message(queued)+`]}`, "")
	start := h.event("turn/start", fmt.Sprintf(`{"turn":%d}`, n), "")
	h.event("agent/inbox/spliced", `{"target":"next-turn","start":0,"removedCount":1,"inserted":[]}`, "")
	user := h.event("user/message", message(queued), appended)
	legacy := h.event("user/message", message("legacy-message:s:<own>"), appended)
	h.event("session/title-llm-request", `{"titleProvider":"p","messageSeqs":[<%d>, <%d>],"route":{"provider":"p","model":"m"},"system":"","messages":[],"maxTokens":9}`, "", user, legacy)
	h.event("session/title", `{"title":"1, 2","messageSeqs":[<%d>],"source":{"kind":"fallback"}}`, "", user)
	h.event("step/start", "{"+at+"}", "")
	h.add(4, `{"type":"text-chunks","seq0":<own>,"time0":9,"data":{%s,"index":0,"dt":[1,1,1],"texts":["1","2","3","4"]}}`, at)
	assistant := h.event("assistant/message", `{`+at+`,"message":{"id":"a","role":"assistant","content":[{"type":"tool-call","id":"c1-1","name":"ls","arguments":"{}"}],"source":{"kind":"model","provider":"p","model":"m"}}}`, `,"sourceEventSeqs":[<%d>,<%d>]`+appended, user, start)
	called := h.event("tool/call", call("c1-1"), "")
	h.event("tool-workflow/agent-start", `{"runId":"w","seq":2,"label":"l","childId":"c"}`, "")
	first := h.event("tool/result", result("interrupted-tool-result-c1-1-<own>", "c1-1", "x"), appended+`,"sourceEventSeqs":[<%d>]`, called)
	h.event("tool/call", call("c2"), "")
	second := h.event("tool/result", result("forked-tool-result-c2-<own>", "c2", "x"), appended)
	h.event("compaction/prune", `{"shadowedRange":{"start":<%d>,"end":<%d>},"shadowedSeqs":[<%d>],"shadowedTokenCount":6}`, "", second, second, second)
	pruned := h.event("tool/result", result(fmt.Sprintf("forked-tool-result-c2-<%d>", second), "c2", "y"), `,"surfaceOp":{"op":"replace","start":<%d>,"end":<%d>},"sourceEventSeqs":[<%d>]`, second, second, second)
	h.event("step/end", "{"+at+"}", "")
	h.event("turn/end", fmt.Sprintf(`{"turn":%d,"reason":{"kind":"completed"}}`, n), "")
	h.event("command/run", `{"commandId":"k","name":"compact","source":{"kind":"user"}}`, "")
	h.event("command/done", `{"commandId":"k","kind":"success","sourceEventSeq":<%d>}`, "", cited)
	h.event("compaction/summary", `{"compactionId":"k","summary":[],"shadowedRange":{"start":<%d>,"end":<%d>},"shadowedSeqs":[<%d>,<%d>,<%d>,<%d>,<%d>],"shadowedTokenCount":6,"provider":"p","model":"m"}`, "", user, pruned, user, legacy, assistant, first, pruned)
	h.event("user/message", message("s"), `,"surfaceOp":{"op":"replace","start":<%d>,"end":<%d>},"sourceEventSeqs":[<%d>,<%d>,<%d>,<%d>,<%d>]`, user, pruned, user, legacy, assistant, first, pruned)
	h.event("session-log-deepseek/delivery-accepted", `{"sessionId":"s","throughSeq":<%d>}`, `,"ignorable":true`, called)
	h.event("session-log-deepseek/delivery-accepted", `{"sessionId":"s","throughSeq":3,"sessionFormatVersion":2}`, `,"ignorable":true`)
	h.event("session-log-deepseek/delivery-accepted", `{"sessionId":"other","throughSeq":3}`, `,"ignorable":true`)
}

func historyOf(turns int) *history {
	h := &history{}
	for n := 1; n <= turns; n++ {
		h.turn(n, 0)
	}
	return h
}

// fall is a place where the counter of a writer fell back.
type fall struct {
	at   int // seq that was due
	from int // seq that it went on with instead
}

// falls are those of a log, in order.
type falls []fall

// run returns the index of the last fall at or before an event, -1 for none.
func (fs falls) run(seq int) int {
	k := len(fs) - 1
	for k >= 0 && fs[k].at > seq {
		k--
	}
	return k
}

// shown returns the seq that an event has on disk.
func (fs falls) shown(seq int) int {
	if k := fs.run(seq); k >= 0 {
		return seq - fs[k].at + fs[k].from
	}
	return seq
}

// meant returns the event that a seq on disk means behind the first k+1 falls.
func (fs falls) meant(k, seq int) int {
	for ; k >= 0; k-- {
		if seq >= fs[k].from {
			return seq - fs[k].from + fs[k].at
		}
	}
	return seq
}

var seqMark = regexp.MustCompile(`<(\d+)>`)

// text writes the history with falls. ok is false when a reference cannot be told
// from another one then.
func (h *history) text(fs falls) (text string, ok bool) {
	ok = true
	lines := []string{header}
	for i, line := range h.lines {
		k := fs.run(h.first[i])
		lines = append(lines, seqMark.ReplaceAllStringFunc(line, func(mark string) string {
			seq, _ := strconv.Atoi(mark[1 : len(mark)-1])
			shown := fs.shown(seq)
			ok = ok && fs.meant(k, shown) == seq
			return strconv.Itoa(shown)
		}))
	}
	return strings.Join(lines, "\n") + "\n", ok
}

// canFall returns the falls at a line for which nobody could take the later events
// for a fork: they start a turn or go on with one that is not there yet at their seq.
func (h *history) canFall(fs falls, line int) (all falls) {
	at, since, rest := h.first[line], -1, false
	for i, text := range h.lines {
		switch turn := strings.HasPrefix(text, `{"type":"turn/`); {
		case turn && i < line:
			since = h.first[i]
		case turn && i >= line:
			rest = true
		}
	}
	if n := len(fs); n > 0 && since < fs[n-1].at {
		return nil // nothing in the run before shows what that is
	}
	for from := 0; rest && from < fs.shown(at-1)+1; from++ {
		next := fall{at, from}
		if since < fs.meant(len(fs)-1, from) {
			continue
		}
		if _, ok := h.text(append(slices.Clone(fs), next)); ok {
			all = append(all, next)
		}
	}
	return all
}

func TestARegressedHistoryBecomesWhatItWouldHaveBeen(t *testing.T) {
	h := historyOf(2)
	sound, _ := h.text(nil)
	if p := plan(t, []byte(sound), renumber); p.Action != repair.Nothing || p.Verdict != "opens" {
		t.Fatalf("the sound log %s: %s", p.Verdict, p.Reason)
	}
	checked, offered := 0, 0
	for line := range h.lines {
		for _, f := range h.canFall(nil, line) {
			image, _ := h.text(falls{f})
			p := plan(t, []byte(image), renumber)
			if p.Action != repair.Repair || p.Level != repair.Assisted || p.Ledger.Dropped > 0 || p.Ledger.Rewritten != int64(h.seq-f.at) {
				t.Fatalf("%+v: %s, %s: %s", f, p.Action, p.Level, p.Reason)
			}
			if diff := cmp.Diff(strings.Split(sound, "\n"), strings.Split(string(write(t, p, []byte(image))), "\n")); diff != "" {
				t.Fatalf("%+v (-want +got):\n%s", f, diff)
			}
			checked++
			if p := plan(t, []byte(image), repair.Options{}); p.Action == repair.Refuse {
				offered++
				if p.Level != repair.Assisted || len(p.NeedAllow) != 1 || p.NeedAllow[0].Allow != "renumber" || !strings.Contains(p.Next, "--allow renumber ") {
					t.Fatalf("%+v: %s, needs %v: %s", f, p.Level, p.NeedAllow, p.Next)
				}
			}
		}
	}
	t.Logf("%d falls, of which %d are refused without permission", checked, offered)
	if checked < 100 || offered < checked/2 {
		t.Errorf("%d falls, %d of them refused", checked, offered)
	}
}

func TestSeveralRegressionsAreEachRenumberedByTheirOwnAmount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := historyOf(rapid.IntRange(2, 4).Draw(t, "turns"))
		sound, _ := h.text(nil)
		var fs falls
		for line := 1; len(fs) < 4; {
			line += rapid.IntRange(0, 40).Draw(t, "lines")
			if line >= len(h.lines) {
				break
			}
			if can := h.canFall(fs, line); len(can) > 0 {
				fs = append(fs, rapid.SampledFrom(can).Draw(t, "fall"))
			}
			line++
		}
		image, _ := h.text(fs)
		p, err := repair.NewPlan(strings.NewReader(image), int64(len(image)), "", renumber)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := p.Write(&got, strings.NewReader(image)); err != nil {
			t.Fatal(err)
		}
		if got.String() != sound {
			t.Fatalf("%+v: %s: %s\n%s", fs, p.Action, p.Reason, cmp.Diff(strings.Split(sound, "\n"), strings.Split(got.String(), "\n")))
		}
		if err := p.Verify(bytes.NewReader(got.Bytes()), int64(got.Len())); err != nil {
			t.Fatal(err)
		}
	})
}

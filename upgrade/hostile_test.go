package upgrade

import (
	"bytes"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/scan"
)

// wholeLog is a log of v0 with what the edges have to work for.
func wholeLog() string {
	return oldLog(header0, turnStart, stepStart,
		eventRow("request/header", `{"header":{"config":{"provider":"p","model":"m"},"system":"S","tools":[]},"reason":"initial"}`),
		`user/message","time":10,"data":{"role":"user","content":[{"type":"text","text":"hi"}],"source":{"kind":"user"},"id":"u"},"surfaceOp":"append"`,
		textDelta("a"), textDelta("b"), answer("[[4,5]]"), todo, stepEnd, turnEnd)
}

func TestEveryPrefixOfALogMigratesAsItsCompleteLinesDo(t *testing.T) {
	log := wholeLog()
	for cut := range len(log) {
		lines := log[:strings.LastIndexByte(log[:cut], '\n')+1]
		for to := 2; to <= Latest; to++ {
			got, want := predict(t, log[:cut], 0, to, Options{}), predict(t, lines, 0, to, Options{})
			if got.Digest != want.Digest || got.Events != want.Events || len(got.Refusals) != len(want.Refusals) {
				t.Fatalf("cut at %d, to v%d: %d events, refusals %q; the lines before: %d, %q",
					cut, to, got.Events, texts(got), want.Events, texts(want))
			}
		}
	}
}

func TestDeepNestingIsRefusedAsByAFullStack(t *testing.T) {
	const depth = 200_000
	block := strings.Repeat(`{"type":"tool-result","toolCallId":"c","content":[`, depth) + strings.Repeat(`]}`, depth)
	log := oldLog(header0, `user/message","time":10,"data":{"role":"user","content":[`+block+`],"source":{"kind":"user"},"id":"u"},"surfaceOp":"append"`)
	got := predict(t, log, 0, Latest, Options{All: true}).Refusal()
	if got == nil || !strings.HasSuffix(got.Text, "Maximum call stack size exceeded") {
		t.Errorf("refusal %v, want one for the stack", got)
	}
}

func FuzzRun(f *testing.F) {
	f.Add([]byte(wholeLog()), 0)
	f.Add([]byte(strings.Replace(wholeLog(), `"version":0`, `"version":1`, 1)), 1)
	f.Add([]byte(oldLog(header0, textDelta("a"), answer("[0]"))+"null\n{}\n[]\n"), 0)
	f.Add([]byte(oldLog(strings.Replace(header0, "}", `,"seedLength":2}`, 1), todo, todo, todo)), 0)
	f.Fuzz(func(t *testing.T, log []byte, from int) {
		if from < 0 || from >= Latest {
			return
		}
		for to := from + 1; to <= Latest; to++ {
			one := fuzzed(t, log, from, to, Options{})
			all := fuzzed(t, log, from, to, Options{All: true})
			checkFirst(t, "log", one, all)
			if strict := fuzzed(t, log, from, to, Options{Strict: true}); strict.Refusal() == nil && strict.Digest != one.Digest {
				t.Error("a strict migration gives another log")
			}
		}
	})
}

func fuzzed(t *testing.T, log []byte, from, to int, opt Options) *Result {
	opt.Encoding = scan.Plain
	got, err := Run(bytes.NewReader(log), int64(len(log)), from, to, opt)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// hostileLog is a log whose names and texts try to be something else on a terminal,
// and whose id is long; its last line is no record.
func hostileLog() string {
	const hostile = `\u001b[2J\u202e\u009b\u2028\ud800\tx`
	id := hostile + strings.Repeat("i", 1<<20)
	return `{"type":"session","version":0,"id":"` + hostile + `","createdAt":1783950000000,"cwd":"/` + hostile + `","delegationDepth":0}
{"type":"turn/start","seq":0,"time":10,"data":{"turn":"` + hostile + `"}}
{"type":"user/message","seq":1,"time":20,"data":{"id":"` + id + `","role":"user","content":[{"type":"text","text":"` + hostile + `"}],"source":{"kind":"user"}},"surfaceOp":"append"}
{"type":"` + hostile + `","seq":2,"time":30,"data":{},"ignorable":true}
` + "junk \x1b[2J\xff\x9b\u202e\x00\n"
}

func TestNothingThatIsShownOfAHostileLogControlsATerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	name, other := "a\x1b[2J\u202e.jsonl", "b\x1b[2J.jsonl"
	log := hostileLog()
	writeFile(t, name, []byte(log))
	writeFile(t, other, []byte(strings.Replace(log, `{"type":"turn/start"`, `{"type":"turn/\u001b"`, 1)))
	tests := []struct {
		args   []string
		isJSON bool
	}{
		{args: []string{"inspect", name}},
		{args: []string{"inspect", name, "--show-text"}},
		{args: []string{"inspect", name, "--events", "0-", "--messages", "--turns"}},
		{args: []string{"inspect", name, "--events", "0-", "--messages", "--turns", "--show-text"}},
		{args: []string{"inspect", name, "--events", "0-", "--messages", "--show-text", "--json"}, isJSON: true},
		{args: []string{"diff", name, other}},
		{args: []string{"diff", name, other, "--show-text"}},
		{args: []string{"diff", name, other, "--show-text", "--format", "json"}, isJSON: true},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.args[2:], " "), func(t *testing.T) {
			_, stdout, stderr := run(t, tt.args...)
			if stderr != "" || stdout == "" {
				t.Fatalf("prints %q, and on standard error %q", stdout, stderr)
			}
			for _, r := range stdout {
				if r != '\n' && !unicode.IsPrint(r) {
					t.Fatalf("prints %q", r)
				}
			}
			if !utf8.ValidString(stdout) || tt.isJSON && !json.Valid([]byte(stdout)) {
				t.Error("it is not valid")
			}
			if texts := strings.Contains(strings.Join(tt.args, " "), "--show-text"); !texts && len(stdout) > 20_000 {
				t.Errorf("prints %d bytes", len(stdout))
			}
		})
	}
}

func TestBodiesAreShownOnRequestOnly(t *testing.T) {
	inFolder(t, map[string]string{"log.jsonl": "bad/two-writers-after-a-crash.jsonl", "other.jsonl": "ok/two-turns-with-a-tool-call.jsonl"})
	text, err := os.ReadFile("log.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "Light both lamps") {
		t.Fatal("the log says something else by now")
	}
	for _, args := range [][]string{
		{"inspect", "log.jsonl"},
		{"inspect", "log.jsonl", "--events", "0-", "--messages"},
		{"inspect", "log.jsonl", "--events", "0-", "--messages", "--json"},
		{"diff", "log.jsonl", "other.jsonl"},
		{"diff", "log.jsonl", "other.jsonl", "--format", "json"},
	} {
		if _, stdout, _ := run(t, args...); strings.Contains(stdout, "both lamps") {
			t.Errorf("%q shows what was said", args)
		}
		if _, stdout, _ := run(t, append(args, "--show-text")...); !strings.Contains(stdout, "both lamps") {
			t.Errorf("%q --show-text does not", args)
		}
	}
}

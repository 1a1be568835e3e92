package sketch_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/columns"
	"github.com/turnlint/turnlint/internal/corpus"
	"github.com/turnlint/turnlint/internal/lang"
	"github.com/turnlint/turnlint/picture"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/sketch"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// draw sketches a log.
func draw(t *testing.T, log []byte, showText bool, opt sketch.Options) string {
	t.Helper()
	src, size := bytes.NewReader(log), int64(len(log))
	result, err := rules.Check(src, size, rules.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := picture.Draw(src, size, result, picture.Options{ShowText: showText})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := sketch.Draw(&out, p, opt); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestSketchesTellTheStory(t *testing.T) {
	tests := []struct {
		name, log string
		width     int
		showText  bool
		color     bool
	}{
		{name: "clean", log: "ok/two-turns-with-a-tool-call.jsonl", width: 100},
		{name: "fork", log: "bad/two-writers-after-a-crash.jsonl", width: 100, showText: true},
		{name: "tear", log: "bad/false-torn-tail.jsonl.zstd", width: 100},
		{name: "zeros", log: "bad/zeros-between-records.jsonl", width: 60},
		{name: "foreign", log: "bad/text-behind-the-last-frame.jsonl.zstd", width: 100},
		{name: "open", log: "torn/cut-before-the-turn-end.jsonl", width: 100},
		{name: "color", log: "bad/two-writers-after-a-crash.jsonl", width: 100, color: true},
		{name: "no-log", log: "bad/not-a-log.jsonl", width: 100},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			log, err := os.ReadFile(filepath.Join("..", "testdata", "corpus", filepath.FromSlash(tt.log)))
			if err != nil {
				t.Fatal(err)
			}
			got := draw(t, log, tt.showText, sketch.Options{Width: tt.width, Color: tt.color})
			golden := filepath.Join("testdata", tt.name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEverySketchFitsItsTerminal(t *testing.T) {
	logs, err := corpus.Load(filepath.FromSlash("../testdata/corpus"))
	if err != nil {
		t.Fatal(err)
	}
	chinese, err := lang.For(lang.Chinese)
	if err != nil {
		t.Fatal(err)
	}
	for _, log := range logs {
		t.Run(log.Path, func(t *testing.T) {
			for _, width := range []int{sketch.MinWidth, 80, 200} {
				checkLines(t, draw(t, log.Data, true, sketch.Options{Width: width}), width)
				checkLines(t, draw(t, log.Data, true, sketch.Options{Width: width, Lang: chinese}), width)
			}
		})
	}
}

func TestFurtherBranchesAreCounted(t *testing.T) {
	for more, want := range map[int]string{1: "1 further branch not shown", 2: "2 further branches not shown"} {
		p := &picture.Picture{Branches: []picture.Branch{{Parent: -1, To: 9}, {From: 3, To: 6}}, MoreBranches: more}
		var out strings.Builder
		if err := sketch.Draw(&out, p, sketch.Options{Width: 80}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), want+"\n") {
			t.Errorf("it does not say %q:\n%s", want, out.String())
		}
	}
}

// checkLines checks that all lines fit, and hold nothing but characters that print.
func checkLines(t *testing.T, text string, width int) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if n := columns.Width(line); n > width {
			t.Errorf("a line of %d columns for a width of %d: %s", n, width, line)
		}
		if i := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
			t.Errorf("%q has the character %q", line, []rune(line[i:])[0])
		}
	}
}

func TestASketchOfAHostileLogHoldsNoControls(t *testing.T) {
	const hostile = "\u001b[2J\u202e\u009b\u2028\U000e0041"
	turn := fmt.Sprintf(`{"type":"turn/start","seq":0,"time":10,"data":{"turn":%q}}
{"type":"user/message","seq":1,"time":11,"data":{"id":"m","role":"user","content":[{"type":"text","text":%q}],"source":{"kind":"user"}},"surfaceOp":"append"}
{"type":"turn/end","seq":7,"time":1e300,"data":{"turn":1,"reason":{"kind":%q}}}
%s
`, "T"+hostile, "U"+hostile, "R"+hostile, "junk\x1b[2J\xff\u202e\x00")
	text := strings.NewReplacer(`\x1b`, `\u001b`, `\U000e0041`, `\udb40\udc41`).Replace(turn)
	log := `{"type":"session","version":0,"id":"s","createdAt":1,"cwd":"/","delegationDepth":0}` + "\n" + text
	got := draw(t, []byte(log), true, sketch.Options{Width: 100})
	checkLines(t, got, 100)
	if !strings.Contains(got, "U\\x1b[2J\\u202e") {
		t.Errorf("it does not show what is said:\n%s", got)
	}
}

func TestCharactersOfEastAsiaTakeTwoColumns(t *testing.T) {
	log := `{"type":"session","version":0,"id":"s","createdAt":1,"cwd":"/","delegationDepth":0}
{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}
{"type":"user/message","seq":1,"time":2,"data":{"id":"m","role":"user","content":[{"type":"text","text":"` +
		strings.Repeat("灯", 60) + `"}],"source":{"kind":"user"}},"surfaceOp":"append"}
`
	got := draw(t, []byte(log), true, sketch.Options{Width: 80})
	want := "      open: " + strings.Repeat("灯", 33) + "…\n"
	if !strings.Contains(got, want) {
		t.Errorf("it has no line %q:\n%s", want, got)
	}
}

func TestASketchOfALongLogIsShort(t *testing.T) {
	var log bytes.Buffer
	log.WriteString(`{"type":"session","version":0,"id":"s","createdAt":1,"cwd":"/","delegationDepth":0}` + "\n")
	for i := range 20000 {
		fmt.Fprintf(&log, `{"type":"turn/start","seq":%d,"time":%d,"data":{"turn":%d}}`+"\n", 2*i, 100*i, i+1)
		fmt.Fprintf(&log, `{"type":"turn/end","seq":%d,"time":%d,"data":{"turn":%d,"reason":{"kind":"completed"}}}`+"\n", 2*i+1, 100*i+50, i+1)
	}
	got := draw(t, log.Bytes(), false, sketch.Options{Width: 100})
	if lines := strings.Count(got, "\n"); lines > 60 || !strings.Contains(got, "turns: 20000") || !strings.Contains(got, "all of them: --turns") {
		t.Errorf("%d lines:\n%s", lines, got)
	}
}

func TestNothingIsDrawnOfAnEmptyFile(t *testing.T) {
	if got := draw(t, nil, false, sketch.Options{Width: 100}); got != "" {
		t.Errorf("drawn: %q", got)
	}
}

//go:build !gofuzz

package fuzz

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/fuzz/reference"
	"github.com/turnlint/turnlint/internal/corpus"
)

func corpusLogs(tb testing.TB) []corpus.Log {
	tb.Helper()
	logs, err := corpus.Load(filepath.FromSlash("../testdata/corpus"))
	if err != nil {
		tb.Fatal(err)
	}
	return logs
}

// addFolder adds the files of a folder of the committed corpus as seeds.
func addFolder(f *testing.F, folder string) {
	f.Helper()
	names, err := filepath.Glob(filepath.Join("corpus", folder, "*"))
	if err != nil || len(names) == 0 {
		f.Fatalf("no seeds in %q: %v", folder, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
}

// run fuzzes a check.
func run(f *testing.F, check func([]byte) error) {
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > MaxInput {
			t.Skip("too long")
		}
		if err := check(data); err != nil && !errors.Is(err, ErrSkip) {
			t.Error(err)
		}
	})
}

// runRecipes fuzzes a check of whole logs, which the input is the recipe of.
func runRecipes(f *testing.F, check func([]byte) error) {
	addFolder(f, "recipes")
	run(f, func(recipe []byte) error { return check(Cook(recipe)) })
}

func FuzzFrames(f *testing.F) {
	for _, log := range corpusLogs(f) {
		f.Add(log.Data)
	}
	f.Add([]byte("\x28\xB5\x2F"))
	addFolder(f, "logs")
	run(f, CheckFrames)
}

// jsonTexts are the corners of JSON.parse (docs/format.md §3.6).
var jsonTexts = []string{
	``, ` `, `nul`, `null`, ` [ 1 , 2 ] `, `[1,]`, `{"a":1,}`, `[1] x`, "\uFEFF1",
	`01`, `+1`, `1.`, `.5`, `-`, `0x1`, `NaN`, `-Infinity`, `1e400`, `1e-400`, `-0`, `-0.0`, `3.0`, `30e-1`, `9007199254740993`, `1e21`, `1e-7`,
	"\"\t\"", "\"\x00\"", "\"\x7F\u2028\"", `"\/"`, `"\u0041"`, `"\v"`, `"\ud83d"`, `"\ud83d\ude00"`, `"\u00"`, "\"\xF0\x9F\x98\"", "\"\xED\xA0\x80\"",
	`{"b":1,"a":2,"b":3}`, `{"b":1,"10":2,"2":3}`, `{"__proto__":{}}`, `{"\u0061":1,"a":2}`, `{"a":{"x":1},"a":{"y":2}}`,
	strings.Repeat("[", 2000) + strings.Repeat("]", 2000),
}

func FuzzJSON(f *testing.F) {
	for _, text := range jsonTexts {
		f.Add([]byte(text))
	}
	addFolder(f, "lines")
	run(f, CheckJSON)
}

func FuzzHeader(f *testing.F) {
	addFolder(f, "lines")
	run(f, CheckHeader)
}

func FuzzRecord(f *testing.F) {
	addFolder(f, "lines")
	run(f, CheckRecord)
}

func FuzzScanner(f *testing.F) { runRecipes(f, CheckScanner) }

func FuzzLint(f *testing.F) { runRecipes(f, CheckLint) }

func FuzzFix(f *testing.F) { runRecipes(f, CheckFix) }

func FuzzReport(f *testing.F) { runRecipes(f, CheckReport) }

func FuzzPlan(f *testing.F) {
	valid, err := ValidPlan()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(valid)
	f.Add(bytes.Replace(valid, []byte(`"keep":`), []byte(`"keep":1`), 1))
	f.Add([]byte(`{"options":{"likeDsh":true,"allowLoss":-1,"branch":9,"allow":["x"]},"parts":[{"copy":{"fileOff":-1,"len":9223372036854775807}}]}`))
	run(f, CheckPlan)
}

func TestCheckChunkingSeesADifference(t *testing.T) {
	a, err := readLog(bytes.NewReader([]byte("{}\n1\n")), 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"another record": "{}\n2\n", "a record more": "{}\n1\n3", "another size": "{}\n1\n3\n"} {
		b, err := readLog(bytes.NewReader([]byte(text)), int64(len(text)), 1)
		if err != nil {
			t.Fatal(err)
		}
		if a.difference(b) == "" {
			t.Errorf("%s: no difference found", name)
		}
	}
}

func TestEveryLogOfTheCorpusReadsLikeTheReference(t *testing.T) {
	judged := 0
	for _, log := range corpusLogs(t) {
		switch err := CheckScanner(log.Data); {
		case errors.Is(err, ErrSkip):
		case err != nil:
			t.Errorf("%s: %v", log.Path, err)
		default:
			judged++
		}
	}
	if judged < 100 {
		t.Errorf("%d logs judged, want at least 100", judged)
	}
}

func TestARecipeOfALogGivesItsText(t *testing.T) {
	for _, log := range corpusLogs(t) {
		if log.Expect.Verdict != "opens" {
			continue
		}
		got := Cook(Recipe(log.Data))
		if a, b := plaintext(t, got), plaintext(t, log.Data); !bytes.Equal(a, b) {
			t.Errorf("%s: the recipe has another text", log.Path)
		}
	}
}

func plaintext(t *testing.T, log []byte) (text []byte) {
	t.Helper()
	walk := reference.WalkFrames(log)
	if len(walk.Frames) == 0 {
		return log
	}
	for i := range walk.Frames {
		part, _, err := walk.Frames[i].Text()
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, part...)
	}
	return text
}

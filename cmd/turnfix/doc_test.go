package main

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/repair"
)

var update = flag.Bool("update", false, "rewrite what the commands print in docs/repair*.md, and the manual page")

// pages are the page about repairs in each language.
var pages = []struct {
	name, locale string
	repaired     string // the end of the first line that says that a session opens again
}{
	{"repair.md", "C", ": repaired, dsh opens it now"},
	{"repair.zh.md", "zh_CN.UTF-8", ": 已修复，dsh 现在可以打开"},
}

func pathOf(page string) string { return filepath.Join("..", "..", "docs", page) }

// console matches a block of commands and what they print.
var console = regexp.MustCompile("(?s)```console\n(.*?)```")

// varying matches what differs from run to run, and says what the page has instead.
var varying = []struct {
	pattern *regexp.Regexp
	text    string
}{
	{regexp.MustCompile(`\S*/backups/`), "~/.local/state/turnlint/backups/"},
	{regexp.MustCompile(`\b[0-9a-f]{12}-([0-9a-f]{12})\b`), "4be59e0d71a2-$1"}, // the number that a log has by its path
	{regexp.MustCompile(`\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ`), "2026-09-01T12:00:00Z"},
	{regexp.MustCompile(`\S*/TestTheRepairPage[\w.]*/\d+/`), "/home/you/"},
}

func TestTheRepairPageShowsWhatTurnfixPrints(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		t.Run(page.name, func(t *testing.T) {
			text := readFile(t, pathOf(page.name))
			t.Setenv("LC_ALL", page.locale)
			t.Setenv("TURNLINT_STATE", filepath.Join(t.TempDir(), "state"))
			t.Chdir(t.TempDir())
			got := console.ReplaceAllFunc(text, func(block []byte) []byte { return runBlock(t, root, block) })
			if *update {
				writeFile(t, filepath.Join(root, "docs", page.name), got)
			}
			if diff := cmp.Diff(string(text), string(got)); diff != "" {
				t.Errorf("out of date; go test ./cmd/turnfix -run Page -update (-want +got):\n%s", diff)
			}
		})
	}
}

// TestTheRepairPageComesToTheRepairAtOnce makes sure that a reader whose session does
// not open has it open again within ten lines.
func TestTheRepairPageComesToTheRepairAtOnce(t *testing.T) {
	for _, page := range pages {
		read := 0
		for line := range strings.Lines(string(readFile(t, pathOf(page.name)))) {
			line = strings.TrimSpace(line)
			if strings.HasSuffix(line, page.repaired) {
				break
			}
			if line != "" {
				read++
			}
		}
		if read >= 10 {
			t.Errorf("%s: %d lines come before it, want fewer than 10", page.name, read)
		}
	}
}

func TestTheRepairPageExplainsEveryPermission(t *testing.T) {
	for _, page := range pages {
		text := string(readFile(t, pathOf(page.name)))
		for _, name := range repair.Permissions() {
			if !strings.Contains(text, "| `--allow "+name+"` |") {
				t.Errorf("%s: there is no row for %s", page.name, name)
			}
		}
	}
}

// runBlock runs the commands of a block and returns it with what they print.
func runBlock(t *testing.T, root string, block []byte) []byte {
	var out bytes.Buffer
	out.WriteString("```console\n")
	for line := range strings.Lines(string(console.FindSubmatch(block)[1])) {
		if command, ok := strings.CutPrefix(strings.TrimSpace(line), "$ "); ok {
			out.WriteString(line)
			runLine(t, root, strings.Fields(command), &out)
		}
	}
	out.WriteString("```")
	shown := out.Bytes()
	for _, v := range varying {
		shown = v.pattern.ReplaceAll(shown, []byte(v.text))
	}
	return shown
}

// runLine runs one command: turnfix, or cp and mkdir for the plot. A last argument
// ">" FILE sends the output to a file.
func runLine(t *testing.T, root string, words []string, out *bytes.Buffer) {
	t.Helper()
	to := out
	if i := slices.Index(words, ">"); i >= 0 {
		to = new(bytes.Buffer)
		defer func(name string) { writeFile(t, name, to.Bytes()) }(words[i+1])
		words = words[:i]
	}
	switch words[0] {
	case "turnfix":
		leaveAlone(t)
		p := program()
		p.App.Writer, p.App.ErrWriter = to, to
		p.Run(t.Context(), words[1:])
	case "cp":
		from := words[1]
		if strings.HasPrefix(from, "testdata/") {
			from = filepath.Join(root, from)
		}
		writeFile(t, words[2], readFile(t, from))
	case "mkdir":
		if err := os.MkdirAll(words[1], 0o700); err != nil {
			t.Fatal(err)
		}
	default:
		t.Fatalf("the page has the command %q", words[0])
	}
}

// leaveAlone makes the files below the directory old, as if a while had passed since
// the last command.
func leaveAlone(t *testing.T) {
	t.Helper()
	then := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(name, then, then)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

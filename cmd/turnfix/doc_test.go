package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what the commands print into docs/repair.md")

const page = "../../docs/repair.md"

// console matches a block of commands and what they print.
var console = regexp.MustCompile("(?s)```console\n(.*?)```")

// stateDir matches what differs from machine to machine: where the state
// directory is, and the number that a log has by its path.
var stateDir = regexp.MustCompile(`\S*/backups/[0-9a-f]{12}-`)

func TestTheRepairPageShowsWhatTurnfixPrints(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TURNLINT_STATE", filepath.Join(t.TempDir(), "state"))
	t.Chdir(t.TempDir())
	got := console.ReplaceAllFunc(text, func(block []byte) []byte {
		return runBlock(t, root, block)
	})
	if *update {
		if err := os.WriteFile(filepath.Join(root, "docs", "repair.md"), got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(text), string(got)); diff != "" {
		t.Errorf("docs/repair.md is out of date; go test ./cmd/turnfix -run Page -update (-want +got):\n%s", diff)
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
	return stateDir.ReplaceAll(out.Bytes(), []byte("~/.local/state/turnlint/backups/4be59e0d71a2-"))
}

// runLine runs one command: turnfix, or cp and cat for the plot. A last argument
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
		p := program()
		p.App.Writer, p.App.ErrWriter = to, to
		p.Run(t.Context(), words[1:])
	case "cp":
		from := words[1]
		if strings.HasPrefix(from, "testdata/") {
			from = filepath.Join(root, from)
		}
		writeFile(t, words[2], readFile(t, from))
	default:
		t.Fatalf("the page has the command %q", words[0])
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

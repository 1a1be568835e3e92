package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the outputs in the documents, except lines with an ellipsis, and the manual page")

// TestReadmeShowsRealOutputs runs the commands of the console blocks of each
// document, in order and in one folder, and compares what they print. An ellipsis
// stands for text that differs from run to run.
func TestReadmeShowsRealOutputs(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	for _, tool := range []string{"sh", "go"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	bin := buildCommands(t, root)
	for _, document := range []struct{ name, locale string }{
		{"README.md", "C"},
		{"README.zh.md", "zh_CN.UTF-8"},
		{"docs/ci.md", "C"},
	} {
		t.Run(document.name, func(t *testing.T) {
			t.Setenv("LC_ALL", document.locale)
			checkDocument(t, filepath.Join(root, filepath.FromSlash(document.name)), inDocumentFolder(t, root, bin))
		})
	}
}

func checkDocument(t *testing.T, name string, run func(command string) string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	got := consoleBlocks.ReplaceAllStringFunc(string(text), func(block string) string {
		return replay(block, run)
	})
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(text), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

var consoleBlocks = regexp.MustCompile("(?s)```console\n.*?```\n")

// buildCommands returns a folder with both commands.
func buildCommands(t *testing.T, root string) (bin string) {
	t.Helper()
	bin = t.TempDir()
	build := exec.Command("go", "build", "-buildvcs=false", "-o", bin, "./cmd/turnlint", "./cmd/turnfix")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return bin
}

// inDocumentFolder returns a function that runs a shell command with the programs
// in bin, in a new folder that has the corpus.
func inDocumentFolder(t *testing.T, root, bin string) func(command string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(root, "testdata"), filepath.Join(dir, "testdata")); err != nil {
		t.Skip(err)
	}
	return func(command string) string {
		sh := exec.Command("sh", "-c", command)
		sh.Dir = dir
		sh.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+dir, "XDG_STATE_HOME="+dir)
		out, _ := sh.CombinedOutput() // the exit codes are what the examples are about
		return string(out)
	}
}

// replay returns the block with the outputs that its commands have now.
func replay(block string, run func(string) string) string {
	var b strings.Builder
	lines := strings.SplitAfter(block, "\n")
	for i := 0; i < len(lines); {
		line := lines[i]
		b.WriteString(line)
		i++
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		shown := i
		for shown < len(lines) && !strings.HasPrefix(lines[shown], "$ ") && lines[shown] != "```\n" {
			shown++
		}
		b.WriteString(merge(lines[i:shown], strings.SplitAfter(run(command), "\n")))
		i = shown
	}
	return b.String()
}

// merge returns the lines of got, but those of shown where they match by an
// ellipsis.
func merge(shown, got []string) string {
	for i, line := range got {
		if i < len(shown) && strings.Contains(shown[i], "…") && ellipsis(shown[i]).MatchString(line) {
			got[i] = shown[i]
		}
	}
	return strings.Join(got, "")
}

func ellipsis(line string) *regexp.Regexp {
	return regexp.MustCompile(`^` + strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*") + `$`)
}

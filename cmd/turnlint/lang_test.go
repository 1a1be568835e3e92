package main

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/internal/lang"
)

// runInChinese runs turnlint in Chinese. It returns what it prints, and tells of texts that stay in
// English.
func runInChinese(t *testing.T, missing func(string), args ...string) (stdout, stderr string) {
	t.Helper()
	p := program()
	var out, errs bytes.Buffer
	p.App.Writer, p.App.ErrWriter = &out, &errs
	for _, c := range p.App.Commands {
		action := c.Action
		c.Action = func(c *cli.Context) error {
			l, err := lang.For(lang.Chinese)
			if err != nil {
				return err
			}
			l.Missing = missing
			c.App.Metadata["lang"] = l
			return action(c)
		}
	}
	p.Run(t.Context(), args)
	return out.String(), errs.String()
}

// logsBelow returns the logs of testdata, whatever they are called.
func logsBelow(t *testing.T, folder string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join("..", "..", "testdata", folder), func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && strings.Contains(entry.Name(), ".jsonl") && !strings.HasSuffix(name, ".json") {
			names = append(names, name)
		}
		return err
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %d logs, %v", folder, len(names), err)
	}
	return names
}

func TestNothingOfTheTestdataIsMissingInChinese(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	page, testdata := filepath.Join(t.TempDir(), "page.html"), filepath.Join("..", "..", "testdata")
	runs := map[string][]string{
		"messages": {"inspect", "--messages", filepath.Join(testdata, "corpus", "torn", "cut-before-the-turn-end.jsonl")},
		"rules":    {"rules"},
		"explain":  {"explain", "seq-gap"},
		"config":   {"config", "--no-config"},
	}
	for _, folder := range []string{"corpus", "rules", "generations"} {
		logs, root := logsBelow(t, folder), filepath.Join(testdata, folder)
		runs[folder+" check"] = append([]string{"check", "--no-config", "--reader", "all", "--output", "html=" + page, root}, logs...)
		runs[folder+" inspect"] = append([]string{"inspect", "--show-text"}, logs...)
		runs[folder+" lists"] = append([]string{"inspect", "--frames", "--turns", "--events", "0-"}, logs...)
		runs[folder+" historic"] = append([]string{"inspect", "--reader", "2026-06-15"}, logs...)
		runs[folder+" store"] = []string{"store", "--deep", root}
	}
	for name, args := range runs {
		t.Run(name, func(t *testing.T) {
			told := map[string]bool{}
			missing := func(text string) {
				if !told[text] {
					told[text] = true
					t.Errorf("missing: %q", text)
				}
			}
			if stdout, stderr := runInChinese(t, missing, args...); stdout+stderr == "" {
				t.Error("it prints nothing")
			}
		})
	}
}

// machineFormats are what programs read, by the command that writes it.
var machineFormats = map[string][]string{
	"check":   {"json", "ndjson", "sarif", "github", "gitlab", "junit", "checkstyle"},
	"inspect": {"json"},
	"store":   {"json"},
	"rules":   {"json"},
	"config":  {"json"},
}

func TestWhatProgramsReadDependsOnNoLanguage(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	corpus := filepath.Join("..", "..", "testdata", "corpus")
	inputs := map[string][]string{
		"check": {"--no-config", "--reader", "all", corpus, "gone.jsonl"}, "inspect": {"--frames", "--turns", corpus},
		"store": {filepath.Join("..", "..", "testdata", "rules", "duplicate-session", "bad")},
	}
	for command, formats := range machineFormats {
		for _, format := range formats {
			t.Run(command+" "+format, func(t *testing.T) {
				args := append([]string{command, "--format", format}, inputs[command]...)
				code, english, _ := run(t, append(args, "--lang", lang.English)...)
				codeChinese, chinese, _ := run(t, append(args, "--lang", lang.Chinese)...)
				if code != codeChinese || english == "" {
					t.Errorf("exit codes %d and %d, %d bytes", code, codeChinese, len(english))
				}
				if diff := cmp.Diff(english, chinese); diff != "" {
					t.Errorf("(-English +Chinese):\n%s", diff)
				}
			})
		}
	}
}

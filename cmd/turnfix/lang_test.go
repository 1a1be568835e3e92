package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/urfave/cli/v2"

	shared "github.com/turnlint/turnlint/internal/cli"
	"github.com/turnlint/turnlint/internal/lang/langtest"
	"github.com/turnlint/turnlint/repair"
)

func TestTheCatalogueHasAllThatTurnfixSays(t *testing.T) {
	source := langtest.Source{
		Dir:    ".",
		Says:   []string{"Text", "Textf", "detail", "step", "status", "passed", "headings"},
		Not:    []string{"Usage", "Description", "ArgsUsage", "Examples", "Exits", "Env", "Choice"},
		Others: []string{"--output DIR", "--header-from FILE", "turnfix undo %s%s"}, // of commands
	}
	source.Check(t)
}

// TestNothingIsLeftInEnglish runs the commands over all logs that the project ships.
func TestNothingIsLeftInEnglish(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	copyTestdata(t)
	var allow []string
	for _, permission := range repair.Permissions() {
		allow = append(allow, "--allow", permission)
	}
	for _, run := range []struct {
		name string
		args []string
	}{
		{"plan", []string{"plan"}},
		{"what dsh would do", []string{"plan", "--like-dsh"}},
		{"all losses", []string{"plan", "--allow-loss", "1000", "--allow", "fill-gaps"}},
		{"every permission", append([]string{"plan"}, allow...)},
		{"maps", []string{"plan", "--map"}},
		{"diffs", []string{"plan", "--diff", "--branch", "1"}},
		{"copies", []string{"apply", "--output", "copies"}},
		{"copies for an upgrade", []string{"apply", "--output", "mended", "--allow", "retired-source=codeMode", "--allow", "set-descriptor-version"}},
		{"branches", []string{"apply", "--export-branches", "branches"}},
		{"in place", []string{"apply", "--assume-stopped"}},
	} {
		t.Run(run.name, func(t *testing.T) { inChinese(t, append(run.args, "testdata")...) })
	}
	t.Run("undo", func(t *testing.T) {
		var logs []string
		for path := range shared.Paths([]string{"testdata"}) {
			logs = append(logs, path.Name)
		}
		inChinese(t, append([]string{"undo", "--assume-stopped"}, logs...)...)
	})
	t.Run("backups", func(t *testing.T) { inChinese(t, "backups", "--keep", "0", "--force", "--prune") })
}

// copyTestdata makes a directory with a copy of testdata the current one.
func copyTestdata(t *testing.T) {
	t.Helper()
	root, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TURNLINT_STATE", filepath.Join(t.TempDir(), "state"))
	t.Chdir(t.TempDir())
	for _, dir := range []string{"corpus", "generations", "rules"} {
		if err := os.CopyFS(filepath.Join("testdata", dir), os.DirFS(filepath.Join(root, dir))); err != nil {
			t.Fatal(err)
		}
	}
}

// inChinese runs turnfix and reports what it says that the catalogue does not have.
func inChinese(t *testing.T, args ...string) {
	t.Helper()
	p := program()
	for _, c := range p.App.Commands {
		c.Before = func(c *cli.Context) error {
			shared.Lang(c).Missing = func(text string) { t.Errorf("%q is not in the catalogue", text) }
			return nil
		}
	}
	p.App.Writer, p.App.ErrWriter = io.Discard, io.Discard
	p.Run(t.Context(), append(args, "--lang", "zh"))
}

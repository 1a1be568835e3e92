package cli_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	urfave "github.com/urfave/cli/v2"

	"github.com/turnlint/turnlint/internal/cli"
)

func TestColorFor(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for when, want := range map[string]bool{"auto": false, "always": true, "never": false} {
		set := flag.NewFlagSet("", flag.ContinueOnError)
		set.String("color", when, "")
		c := urfave.NewContext(nil, set, nil)
		if got := cli.ColorFor(c, &bytes.Buffer{}); got != want {
			t.Errorf("--color %s to a buffer: %t, want %t", when, got, want)
		}
		if got := cli.ColorFor(c, file); got != want {
			t.Errorf("--color %s to a file: %t, want %t", when, got, want)
		}
	}
}

package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/config"
)

func TestFindLooksUpwards(t *testing.T) {
	top := t.TempDir()
	deep := filepath.Join(top, "a", "b")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	put := func(dir string) string {
		name := filepath.Join(dir, config.Name)
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	find := func(want string) {
		t.Helper()
		if got, err := config.Find(deep); got != want || err != nil {
			t.Errorf("found %q, %v; want %q", got, err, want)
		}
	}
	find(put(top))
	find(put(deep))

	t.Chdir(deep)
	if got, err := config.Find("."); got != config.Name || err != nil {
		t.Errorf("found %q, %v in the working directory", got, err)
	}
}

func TestLoadSaysWhyItCannotRead(t *testing.T) {
	dir := t.TempDir()
	long := filepath.Join(dir, "long.yaml")
	if err := os.WriteFile(long, []byte(strings.Repeat("#\n", 40<<10)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		filepath.Join(dir, "gone.yaml"): "gone.yaml: ",
		dir:                             ": not a regular file",
		long:                            "long.yaml: over 65536 bytes",
	} {
		_, err := config.Load(name)
		var e *config.Error
		if !errors.As(err, &e) || !strings.Contains(e.Error(), want) || e.Hint == "" {
			t.Errorf("error %v, want …%s", err, want)
		}
	}
}

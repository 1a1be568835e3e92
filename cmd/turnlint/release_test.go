package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// release is what the tests look at in .goreleaser.yaml.
type release struct {
	Builds []struct {
		ID, Main, Binary string
		GOOS             []string `yaml:"goos"`
		GOARCH           []string `yaml:"goarch"`
		Env, Flags       []string
	}
	Archives []struct {
		Files []struct{ Src string }
	}
}

func TestReleaseHasBothProgramsForAllTargetsOfCI(t *testing.T) {
	var r release
	readYAML(t, ".goreleaser.yaml", &r)
	script := readFile(t, "../../.ci/run")
	var got []string
	for _, b := range r.Builds {
		if diff := cmp.Diff(bashArray(t, script, "targets"), b.GOOS); diff != "" {
			t.Errorf("%s: systems (-want +got):\n%s", b.ID, diff)
		}
		if diff := cmp.Diff(bashArray(t, script, "arches"), b.GOARCH); diff != "" {
			t.Errorf("%s: architectures (-want +got):\n%s", b.ID, diff)
		}
		if !slices.Contains(b.Env, "CGO_ENABLED=0") || !slices.Contains(b.Flags, "-trimpath") {
			t.Errorf("%s: env %q and flags %q do not make a static, reproducible program", b.ID, b.Env, b.Flags)
		}
		got = append(got, b.Main+" "+b.Binary)
	}
	if diff := cmp.Diff([]string{"./cmd/turnlint turnlint", "./cmd/turnfix turnfix"}, got); diff != "" {
		t.Errorf("programs (-want +got):\n%s", diff)
	}
}

func bashArray(t *testing.T, script, name string) []string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^readonly ` + name + `=\((.*)\)$`).FindStringSubmatch(script)
	if m == nil {
		t.Fatalf("no array %s", name)
	}
	return strings.Fields(m[1])
}

func TestReleaseArchivesHaveTheFilesThatTheyName(t *testing.T) {
	var r release
	readYAML(t, ".goreleaser.yaml", &r)
	if len(r.Archives) != 1 {
		t.Fatalf("%d archives, want 1", len(r.Archives))
	}
	var got []string
	for _, f := range r.Archives[0].Files {
		if f.Src == "completions/*" { // made by packaging/completions.sh
			continue
		}
		names, err := filepath.Glob(filepath.Join("../..", f.Src))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			got = append(got, filepath.Base(name))
		}
	}
	want := []string{"LICENSE", "README.md", "README.zh.md", "CHANGELOG.md", "turnfix.1", "turnlint.1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestImageIsBuiltWithTheGoOfTheModule(t *testing.T) {
	first := func(pattern, name string) string {
		m := regexp.MustCompile(pattern).FindStringSubmatch(readFile(t, "../../"+name))
		if m == nil {
			t.Fatalf("%s has no match of %s", name, pattern)
		}
		return m[1]
	}
	want := first(`(?m)^go (\S+)$`, "go.mod")
	if got := first(`(?m)^FROM .*\bgolang:(\S+) AS build$`, "Dockerfile"); got != want {
		t.Errorf("golang:%s, want %s as in go.mod", got, want)
	}
}

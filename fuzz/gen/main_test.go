package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/corpus"
)

var committed = filepath.FromSlash("../../testdata/corpus")

// files returns the contents of every file below dir but the sidecars.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := make(map[string][]byte)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".json") {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		all[filepath.ToSlash(rel)], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// generate writes the corpus to dir and returns the folder of the seeds.
func generate(t *testing.T, dir string) (seeds string) {
	t.Helper()
	seeds = t.TempDir()
	if err := run([]string{"-corpus", dir, "-seeds", seeds}); err != nil {
		t.Fatal(err)
	}
	return seeds
}

func TestCommittedSeedsAreWhatTheGeneratorWrites(t *testing.T) {
	seeds := generate(t, t.TempDir())
	if diff := cmp.Diff(files(t, filepath.FromSlash("../corpus")), files(t, seeds)); diff != "" {
		t.Errorf("run go run ./fuzz/gen; seeds (-committed +generated):\n%s", diff)
	}
}

func TestCommittedCorpusIsWhatTheGeneratorWrites(t *testing.T) {
	dir := t.TempDir()
	generate(t, dir)
	if diff := cmp.Diff(files(t, committed), files(t, dir)); diff != "" {
		t.Errorf("run go run ./fuzz/gen; logs (-committed +generated):\n%s", diff)
	}
	for _, e := range corpusLogs() {
		sidecar, err := corpus.ReadSidecar(filepath.Join(committed, corpus.Sidecar(e.path)))
		if err != nil {
			t.Error(err)
		} else if sidecar.Description != e.about {
			t.Errorf("%s: description %q, want %q", e.path, sidecar.Description, e.about)
		}
	}
}

func TestGeneratorKeepsTheRestOfASidecar(t *testing.T) {
	dir := t.TempDir()
	generate(t, dir)
	path := filepath.Join(dir, "ok", "header-only.expect.json")
	want := corpus.Expect{Description: "stale", Verdict: "opens", Repair: "none", Events: 7}
	if err := corpus.WriteSidecar(path, want); err != nil {
		t.Fatal(err)
	}
	generate(t, dir)
	got, err := corpus.ReadSidecar(path)
	if err != nil {
		t.Fatal(err)
	}
	want.Description, want.Findings = "a session in which nothing has happened yet", []corpus.Finding{}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sidecar (-want +got):\n%s", diff)
	}
}

func TestCorpusNamesAreSentencesInKebabCase(t *testing.T) {
	seen := make(map[string]bool)
	for _, e := range corpusLogs() {
		name := corpus.Sidecar(e.path)
		if seen[name] {
			t.Errorf("two logs share the sidecar %s", name)
		}
		seen[name] = true
		if e.about == "" || strings.ToLower(e.path) != e.path || strings.ContainsAny(e.path, "_ ") {
			t.Errorf("%s: want lower case, dashes and a description", e.path)
		}
		if len(e.data) > 8<<10 {
			t.Errorf("%s has %d bytes, want at most 8 KiB", e.path, len(e.data))
		}
	}
}

func TestInterestingCutsOfPlainLogs(t *testing.T) {
	tests := map[string]struct {
		log  string
		want []int
	}{
		"around each record":            {"ab\ncdef\ngh", []int{0, 1, 2, 3, 4, 5, 7, 8, 9}},
		"inside escapes and characters": {`abcdef\ngé!`, []int{0, 1, 2, 7, 10}},
		"none in an empty log":          {"", []int{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, interestingCuts([]byte(test.log))); diff != "" {
				t.Errorf("cuts (-want +got):\n%s", diff)
			}
		})
	}
}

func TestInterestingCutsOfFramesAreInEveryPart(t *testing.T) {
	first := compress([]byte("{}\n"))
	log := slices.Concat(first, first)
	cuts := interestingCuts(log)
	parts := map[string][2]int{ // first and last length that cut the part
		"magic":        {1, 3},
		"frame header": {4, 5},
		"block header": {7, 8},
		"checksum":     {len(first) - 3, len(first) - 1},
		"second magic": {len(first) + 1, len(first) + 3},
	}
	for part, at := range parts {
		if !slices.ContainsFunc(cuts, func(cut int) bool { return at[0] <= cut && cut <= at[1] }) {
			t.Errorf("no cut inside the %s: %v", part, cuts)
		}
	}
	if !slices.Contains(cuts, len(first)) {
		t.Errorf("no cut between the frames: %v", cuts)
	}
}

func TestTruncatedCopies(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log.jsonl")
	if err := os.WriteFile(log, []byte("{}\n[\"\\n\xFF\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		flags []string
		want  map[string]string
	}{
		"plain files at every fifth byte": {
			[]string{"-every", "5"},
			map[string]string{"log.jsonl@000000": "", "log.jsonl@000005": "{}\n[\"", "log.jsonl@000010": "{}\n[\"\\n\xFF\"]"},
		},
		"the format of Go's fuzzing": {
			[]string{"-every", "8", "-go"},
			map[string]string{
				"log.jsonl@000000": "go test fuzz v1\n[]byte(\"\")\n",
				"log.jsonl@000008": "go test fuzz v1\n[]byte(\"{}\\n[\\\"\\\\n\\xff\")\n",
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out")
			if err := run(append(test.flags, "-seed", log, "-out", out)); err != nil {
				t.Fatal(err)
			}
			got := make(map[string]string)
			for path, data := range files(t, out) {
				got[path] = string(bytes.Clone(data))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("copies (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWrongFlagsAreErrors(t *testing.T) {
	for _, args := range [][]string{
		{"extra"},
		{"-seed", "x"},
		{"-out", "x"},
		{"-seed", "x", "-out", "y", "-every", "0"},
		{"-seed", filepath.Join(t.TempDir(), "missing"), "-out", "y"},
	} {
		if err := run(args); err == nil {
			t.Errorf("run(%q) succeeded, want an error", args)
		}
	}
}

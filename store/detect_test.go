package store_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/treetest"
	"github.com/turnlint/turnlint/store"
)

// at names a tree by its path and root below dir, and its level.
type at struct {
	Path, Root string
	Level      store.Level
}

func relative(t *testing.T, dir string, trees ...*store.Tree) (all []at) {
	t.Helper()
	for _, tree := range trees {
		path, err := filepath.Rel(dir, tree.Path)
		if err != nil {
			t.Fatal(err)
		}
		root, err := filepath.Rel(dir, tree.Root)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, at{filepath.ToSlash(path), filepath.ToSlash(root), tree.Level})
	}
	return all
}

func TestSessionsDirectoriesAreKnownByTheirStructure(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{
		"today/--p--/s/session.jsonl":             "",
		"today/--q--/s/":                          "",
		"today/other/s/session.jsonl":             "",
		"zstd/_no-cwd/s/session.jsonl.zstd":       "",
		"flat/cwd-0123456789ab/id.jsonl":          "",
		"flat/_no-cwd/id.jsonl.zstd":              "",
		"empty/--p--/s/notes.txt":                 "",
		"later/--p--/s/session.v4.jsonl.zstd":     "",
		"cases/01-clean/session.jsonl":            "",
		"claude/-home-ada-lamp/1.jsonl":           "",
		"deep/er/a/--p--/s/session.jsonl":         "",
		"deep/er/b/--p--/s/session.jsonl":         "",
		"deep/er/b/--p--/s/--p--/s/session.jsonl": "",
		"link": "-> today",
	})
	tests := []struct {
		name, dir string
		want      []at
	}{
		{"projects with session directories", "today", []at{{"today", "today", store.Root}}},
		{"sessions without a working directory", "zstd", []at{{"zstd", "zstd", store.Root}}},
		{"the layout of before 07-25", "flat", []at{{"flat", "flat", store.Root}}},
		{"a project", "today/--p--", []at{{"today/--p--", "today", store.Project}}},
		{"a session directory", "today/--p--/s", []at{{"today/--p--/s", "today", store.Session}}},
		{"a link that is named", "link", []at{{"link", "link", store.Root}}},
		{"several somewhere below, but none within another", "deep", []at{{"deep/er/a", "deep/er/a", store.Root}, {"deep/er/b", "deep/er/b", store.Root}}},
		{"a log of a later format is one", "later", []at{{"later", "later", store.Root}}},
		{"a project without logs is none", "empty", nil},
		{"directories of other names are none", "cases", nil},
		{"logs of other programs are none", "claude", nil},
		{"nothing is there", "gone", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			trees := slices.Collect(store.Detect(filepath.Join(dir, filepath.FromSlash(test.dir))))
			if diff := cmp.Diff(test.want, relative(t, dir, trees...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheWorkingDirectoryIsKnownByWhereItLies(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{"--p--/s/session.jsonl": ""})
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(real, "--p--", "s"))
	trees := slices.Collect(store.Detect("."))
	want := []*store.Tree{{Path: ".", Level: store.Session, Root: real}}
	if diff := cmp.Diff(want, trees); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestASessionsDirectoryThatIsNamedLimitsTheTree(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{"home/sessions/p/s/x/": "", "other/": ""})
	tests := []struct {
		name, dir string
		want      []at
	}{
		{"the directory itself", "home/sessions", []at{{"home/sessions", "home/sessions", store.Root}}},
		{"one above it", "home", []at{{"home/sessions", "home/sessions", store.Root}}},
		{"a project", "home/sessions/p", []at{{"home/sessions/p", "home/sessions", store.Project}}},
		{"a session", "home/sessions/p/s", []at{{"home/sessions/p/s", "home/sessions", store.Session}}},
		{"something in a session", "home/sessions/p/s/x", nil},
		{"another place", "other", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var trees []*store.Tree
			if tree := store.In(filepath.Join(dir, "home", "sessions"), filepath.Join(dir, filepath.FromSlash(test.dir))); tree != nil {
				trees = append(trees, tree)
			}
			if diff := cmp.Diff(test.want, relative(t, dir, trees...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestADirectoryThatIsNamedIsKnownByNamesAlone(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{
		"root/--p--/s/":                 "",
		"root/--q--/s/session.v4.jsonl": "",
		"above/root/--p--/":             "",
		"other/s/session.jsonl":         "",
		"file/--p--":                    "",
	})
	tests := []struct {
		name, dir string
		want      []at
	}{
		{"a sessions directory", "root", []at{{"root", "root", store.Root}}},
		{"a project", "root/--q--", []at{{"root/--q--", "root", store.Project}}},
		{"a session directory", "root/--q--/s", []at{{"root/--q--/s", "root", store.Session}}},
		{"one above", "above", nil},
		{"other names", "other", nil},
		{"a file that is called like a project", "file", nil},
		{"nothing there", "gone", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var trees []*store.Tree
			if tree := store.Around(filepath.Join(dir, filepath.FromSlash(test.dir))); tree != nil {
				trees = append(trees, tree)
			}
			if diff := cmp.Diff(test.want, relative(t, dir, trees...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnreadableDirectoriesHideNoOthers(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{"a/--p--/s/session.jsonl": "", "b/": "", "c/--p--/s/session.jsonl": ""})
	if err := os.Chmod(filepath.Join(dir, "b"), 0); err != nil {
		t.Fatal(err)
	}
	want := []at{{"a", "a", store.Root}, {"c", "c", store.Root}}
	if diff := cmp.Diff(want, relative(t, dir, slices.Collect(store.Detect(dir))...)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

package store_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/treetest"
	"github.com/turnlint/turnlint/store"
)

var roleNames = map[store.Role]string{
	store.Other: "other", store.Subdirectory: "directory", store.LinkedDir: "linked", store.MkdirRest: "mkdir", store.FlatLog: "flat",
	store.LogFile: "log", store.Temporary: "temporary", store.Copy: "copy", store.MigrationTemporary: "migration", store.LockFile: "lock", store.LockDir: "lock directory",
}

// listing returns the entries of a tree, one a line, with their roles.
func listing(t *testing.T, tree *store.Tree) string {
	t.Helper()
	var b strings.Builder
	for dir := range tree.Dirs() {
		if dir.Err != nil {
			t.Fatal(dir.Err)
		}
		for _, e := range dir.Entries {
			path, err := filepath.Rel(tree.Path, filepath.Join(dir.Path, e.Name))
			if err != nil {
				t.Fatal(err)
			}
			b.WriteString(filepath.ToSlash(path) + ": " + roleNames[e.Role] + "\n")
		}
	}
	return b.String()
}

func TestEveryEntryHasTheRoleThatDshGivesIt(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{
		"notes.txt":                              "",
		"root.jsonl":                             "",
		".dsh-mkdir-Ab3dEf/":                     "",
		"away":                                   "-> --p--",
		"--p--/.DS_Store":                        "",
		"--p--/old.jsonl":                        "",
		"--p--/old.jsonl.zst":                    "",
		"--p--/old.jsonl.zstd":                   "",
		"--p--/linked.jsonl":                     "-> old.jsonl",
		"--p--/directory.jsonl/":                 "",
		"--p--/.dsh-mkdir-000000/":               "",
		"--p--/s/session.jsonl":                  "",
		"--p--/s/session.jsonl.zstd":             "-> ../old.jsonl.zstd",
		"--p--/s/session.jsonl.0a1b2c3d4e5f.tmp": "",
		"--p--/s/session.jsonl.0A1B2C3D4E5F.tmp": "",
		"--p--/s/session (conflicted copy 2026-08-30).jsonl":        "",
		"--p--/s/session 2.jsonl.zstd":                              "",
		"--p--/s/session.jsonl~":                                    "",
		"--p--/s/session.jsonl.bak":                                 "",
		"--p--/s/Copy of session.jsonl":                             "",
		"--p--/s/.session.jsonl.swp":                                "",
		"--p--/s/session.v2.jsonl.zstd":                             "",
		"--p--/s/session.v2.jsonl.zstd.0a1b2c3d4e5f.tmp":            "",
		"--p--/s/session.v12.jsonl":                                 "",
		"--p--/s/session.v03.jsonl":                                 "",
		"--p--/s/session.v0.jsonl":                                  "",
		"--p--/s/session.V2.jsonl":                                  "",
		"--p--/s/Session.v2.jsonl":                                  "",
		"--p--/s/session.migration.0123456789abcdef.jsonl.tmp":      "",
		"--p--/s/session.migration.0123456789abcdef.jsonl.zstd.tmp": "",
		"--p--/s/session.migration.012345.jsonl.tmp":                "",
		"--p--/s/session.lock":                                      "",
		"--p--/t/session.lock/":                                     "",
		"--p--/s/attachments/":                                      "",
		"--p--/t/session.jsonl/":                                    "",
		"--p--/u/session.jsonl":                                     "-> gone",
	})
	want := `--p--: directory
.dsh-mkdir-Ab3dEf: mkdir
away: linked
notes.txt: other
root.jsonl: other
--p--/.DS_Store: other
--p--/.dsh-mkdir-000000: mkdir
--p--/directory.jsonl: directory
--p--/linked.jsonl: other
--p--/old.jsonl: flat
--p--/old.jsonl.zst: other
--p--/old.jsonl.zstd: flat
--p--/s: directory
--p--/t: directory
--p--/u: directory
--p--/s/.session.jsonl.swp: other
--p--/s/Copy of session.jsonl: copy
--p--/s/Session.v2.jsonl: other
--p--/s/attachments: other
--p--/s/session (conflicted copy 2026-08-30).jsonl: copy
--p--/s/session 2.jsonl.zstd: copy
--p--/s/session.V2.jsonl: copy
--p--/s/session.jsonl: log
--p--/s/session.jsonl.0A1B2C3D4E5F.tmp: copy
--p--/s/session.jsonl.0a1b2c3d4e5f.tmp: temporary
--p--/s/session.jsonl.bak: copy
--p--/s/session.jsonl.zstd: log
--p--/s/session.jsonl~: copy
--p--/s/session.lock: lock
--p--/s/session.migration.012345.jsonl.tmp: copy
--p--/s/session.migration.0123456789abcdef.jsonl.tmp: migration
--p--/s/session.migration.0123456789abcdef.jsonl.zstd.tmp: migration
--p--/s/session.v0.jsonl: copy
--p--/s/session.v03.jsonl: copy
--p--/s/session.v12.jsonl: log
--p--/s/session.v2.jsonl.zstd: log
--p--/s/session.v2.jsonl.zstd.0a1b2c3d4e5f.tmp: temporary
--p--/t/session.jsonl: log
--p--/t/session.lock: lock directory
--p--/u/session.jsonl: other
`
	if diff := cmp.Diff(want, listing(t, &store.Tree{Path: dir})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCirclesOfLinksAreNotFollowed(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{
		"--p--/s/session.jsonl": "",
		"--p--/s/up":            "-> ../..",
		"--p--/up":              "-> ..",
		"self":                  "-> self",
	})
	want := "--p--: directory\nself: other\n--p--/s: directory\n--p--/up: linked\n--p--/s/session.jsonl: log\n--p--/s/up: other\n"
	if diff := cmp.Diff(want, listing(t, &store.Tree{Path: dir})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNamesThatAreNotUTF8AreKept(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux takes any bytes for a name")
	}
	dir := treetest.Plant(t, map[string]string{"--caf\xe9--/s\xff/session.jsonl": "", "--caf\xe9--/s\xff/session \xe9.jsonl": ""})
	want := "--caf\xe9--: directory\n--caf\xe9--/s\xff: directory\n--caf\xe9--/s\xff/session \xe9.jsonl: copy\n--caf\xe9--/s\xff/session.jsonl: log\n"
	if diff := cmp.Diff(want, listing(t, &store.Tree{Path: dir})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestADirectoryThatCannotBeReadIsYieldedWithItsError(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{"file": ""})
	tests := []struct {
		name, path string
		want       error
	}{
		{"nothing there", "gone", fs.ErrNotExist},
		{"a file", "file", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dirs := 0
			for d := range (&store.Tree{Path: filepath.Join(dir, test.path)}).Dirs() {
				dirs++
				if d.Err == nil || test.want != nil && !errors.Is(d.Err, test.want) {
					t.Errorf("error %v, want %v", d.Err, test.want)
				}
			}
			if dirs != 1 {
				t.Errorf("%d directories, want 1", dirs)
			}
		})
	}
}

func TestOnlyTheNamedPartOfATreeIsRead(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{"--p--/s/session.jsonl": "", "--p--/s/x": "", "--q--/s/session.jsonl": ""})
	tests := []struct {
		name string
		tree store.Tree
		want string
	}{
		{"a project", store.Tree{Path: filepath.Join(dir, "--p--"), Level: store.Project}, "s: directory\ns/session.jsonl: log\ns/x: other\n"},
		{"a session", store.Tree{Path: filepath.Join(dir, "--p--", "s"), Level: store.Session}, "session.jsonl: log\nx: other\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, listing(t, &test.tree)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTheWalkEndsWhenItsReaderStops(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{"--p--/s/session.jsonl": "", "--q--/s/session.jsonl": ""})
	n := 0
	for range (&store.Tree{Path: dir}).Dirs() {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d directories, want 2", n)
	}
}

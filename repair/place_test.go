package repair_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/repair"
)

// snapshot describes everything below root, but for the paths to skip.
func snapshot(t *testing.T, root string, skip ...string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	must(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		for _, s := range skip {
			if path == s && entry.IsDir() {
				return fs.SkipDir
			} else if path == s {
				return nil
			}
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		what := fmt.Sprint(info.Mode())
		if info.Mode().IsRegular() {
			what += fmt.Sprint(" ", info.ModTime(), " ", sha(readFile(t, path)))
		}
		all[path] = what
		return nil
	}))
	return all
}

// roomy is a disk with a given room.
type roomy struct {
	repair.Disk
	free int64
	err  error
}

func (r roomy) Room(string) (int64, error) { return r.free, r.err }

func TestARefusalWritesNothing(t *testing.T) {
	noSpace := func(c *repair.Committer) { c.FS = roomy{free: int64(len(torn)) + 1<<20} }
	tests := []struct {
		name, want string
		prepare    func(t *testing.T, path string)
		set        func(c *repair.Committer)
	}{
		{"a symbolic link", "symbolic link", func(t *testing.T, path string) {
			move(t, path, path+".real")
			must(t, os.Symlink(path+".real", path))
		}, nil},
		{"a directory", "not a regular file", func(t *testing.T, path string) {
			must(t, errors.Join(os.Remove(path), os.Mkdir(path, 0o700)))
		}, nil},
		{"a log with a second name", "2 names (hard links)", func(t *testing.T, path string) {
			must(t, os.Link(path, path+".copy"))
		}, nil},
		{"no file", "no such file", func(t *testing.T, path string) { must(t, os.Remove(path)) }, nil},
		{"no room for the backup", "there is no room", nil, noSpace},
		{"a directory that cannot be written", "nothing can be written", nil, func(c *repair.Committer) {
			c.FS = roomy{err: syscall.EROFS}
		}},
		{"a state directory below a file", "not a directory", nil, func(c *repair.Committer) {
			c.StateDir = filepath.Join(c.StateDir, "..", "file", "state")
		}},
		{"a plan for another log", repair.ErrMismatch.Error(), nil, func(c *repair.Committer) { c.Expect = &repair.Plan{} }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			path := filepath.Join(root, "log", "session.jsonl")
			must(t, os.Mkdir(filepath.Dir(path), 0o700))
			writeFile(t, path, []byte(torn))
			writeFile(t, filepath.Join(root, "file"), nil)
			if tt.prepare != nil {
				tt.prepare(t, path)
			}
			c := &repair.Committer{FS: repair.Disk{}, StateDir: filepath.Join(root, "state"), AssumeStopped: true}
			if tt.set != nil {
				tt.set(c)
			}
			before := snapshot(t, root)
			_, err := c.Apply(t.Context(), path, repair.Options{})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if diff := cmp.Diff(before, snapshot(t, root)); diff != "" {
				t.Errorf("something was written (-before +after):\n%s", diff)
			}
		})
	}
}

func TestUndoAndCopyAskForRoomToo(t *testing.T) {
	path := place(t, torn)
	c := committer(t)
	_, err := c.Apply(t.Context(), path, repair.Options{})
	must(t, err)
	repaired := readFile(t, path)
	c.FS = roomy{free: 1 << 20}
	if _, err := c.Undo(t.Context(), path); err == nil || !strings.Contains(err.Error(), "there is no room") {
		t.Errorf("undo: %v, want a refusal", err)
	}
	if !bytes.Equal(readFile(t, path), repaired) {
		t.Error("undo changed the log")
	}
	target := filepath.Join(t.TempDir(), "copies", "session.jsonl")
	src := strings.NewReader(torn)
	if _, err := c.Copy(t.Context(), src, src.Size(), "", target, repair.Options{}); err == nil || !strings.Contains(err.Error(), "there is no room") {
		t.Errorf("copy: %v, want a refusal", err)
	}
	if _, err := os.Stat(filepath.Dir(target)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory of the copy: %v", err)
	}
}

func TestASystemThatDoesNotTellItsRoomIsNoReasonToRefuse(t *testing.T) {
	c := committer(t)
	c.FS = roomy{free: -1}
	_, err := c.Apply(t.Context(), place(t, torn), repair.Options{})
	must(t, err)
}

func TestOnlyTheLogAndTheStateDirectoryAreWritten(t *testing.T) {
	root := t.TempDir()
	tree := filepath.Join(root, "sessions", "--work--")
	path, state := filepath.Join(tree, "s", "session.jsonl"), filepath.Join(root, "state")
	for _, name := range []string{path, filepath.Join(tree, "t", "session.jsonl"), path + ".0123456789ab.tmp", filepath.Join(tree, "s", "notes")} {
		must(t, os.MkdirAll(filepath.Dir(name), 0o700))
		writeFile(t, name, []byte(torn))
	}
	c := &repair.Committer{FS: repair.Disk{}, StateDir: state, AssumeStopped: true}
	before := snapshot(t, root, path, state)
	for _, step := range []string{"apply", "undo", "undo", "undo", "apply"} {
		_, err := swap(t, c, step, path)
		must(t, err)
		if diff := cmp.Diff(before, snapshot(t, root, path, state)); diff != "" {
			t.Fatalf("%s wrote elsewhere (-before +after):\n%s", step, diff)
		}
	}
	for _, b := range backups(t, c) {
		must(t, c.Remove(t.Context(), &b))
	}
	if diff := cmp.Diff(before, snapshot(t, root, path, state)); diff != "" {
		t.Errorf("the removal of backups wrote elsewhere (-before +after):\n%s", diff)
	}
}

package database

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAChangeOfAnyFileMakesAnotherMoment(t *testing.T) {
	touch := func(name string) func(dir string) error {
		return func(dir string) error {
			return os.Chtimes(filepath.Join(dir, name), time.Time{}, time.Unix(1, 0))
		}
	}
	tests := []struct {
		name   string
		change func(dir string) error
		same   bool
	}{
		{"nothing", func(string) error { return nil }, true},
		{"the database is written", touch("a.db"), false},
		{"its log is written", touch("a.db-wal"), false},
		{"its log grows", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "a.db-wal"), []byte("more"), 0o600)
		}, false},
		{"its log goes", func(dir string) error { return os.Remove(filepath.Join(dir, "a.db-wal")) }, false},
		{"a journal comes", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "a.db-journal"), nil, 0o600)
		}, false},
		{"the index of the log comes, which is made anew", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "a.db-shm"), nil, 0o600)
		}, true},
		{"another file takes the place", func(dir string) error {
			other := filepath.Join(dir, "b.db")
			if err := os.WriteFile(other, nil, 0o600); err != nil {
				return err
			}
			return os.Rename(other, filepath.Join(dir, "a.db"))
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a.db")
			for _, name := range []string{path, path + "-wal"} {
				if err := os.WriteFile(name, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			before, err := snapshot(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := tt.change(dir); err != nil {
				t.Fatal(err)
			}
			after, err := snapshot(path)
			if err != nil {
				t.Fatal(err)
			}
			if before.Same(after) != tt.same {
				t.Errorf("the same = %v, want %v", !tt.same, tt.same)
			}
		})
	}
}

func TestNoCopyIsLeftBehind(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	magicOnly := filepath.Join(t.TempDir(), "magic.db")
	if err := os.WriteFile(magicOnly, []byte(magic), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		ctx  context.Context
		path string
		want error
	}{
		{"the user ends the work", canceled, magicOnly, context.Canceled},
		{"there is no file", t.Context(), "missing.db", os.ErrNotExist},
		{"it is no database", t.Context(), magicOnly, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			t.Setenv("TMP", temp)
			d, err := Open(tt.ctx, tt.path, Options{})
			if !errors.Is(err, tt.want) {
				t.Fatalf("error %v, want %v", err, tt.want)
			}
			if d != nil {
				d.Close()
			}
			left, err := os.ReadDir(temp)
			if err != nil {
				t.Fatal(err)
			}
			if len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestACopyHasToFit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "huge.db")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	// Sparse, and more than a disk has room for, but not more than a file may have.
	if err := errors.Join(file.Truncate(8<<40), file.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, Options{}); err == nil || !strings.Contains(err.Error(), "set TMPDIR") {
		t.Errorf("error %v, want one that says what to do", err)
	}
}

func TestWhiteSpaceOfASchemaIsThatOfJavaScript(t *testing.T) {
	table := Tables[0]
	for _, space := range []string{" ", "\t\n", "\f", "\uFEFF", "\u00A0", "\u2009"} {
		o := table
		o.SQL = space + strings.Replace(o.SQL, "\n  ", space, 1) + space
		if got := difference([]Object{o, Tables[1], Tables[2]}); got != "" {
			t.Errorf("%q for white space: %s", space, got)
		}
	}
	o := table
	o.SQL = strings.Replace(o.SQL, " (", "\u200B(", 1)
	if difference([]Object{o, Tables[1], Tables[2]}) == "" {
		t.Error("a zero-width space counts as white space")
	}
}

package store_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/turnlint/turnlint/internal/treetest"
	"github.com/turnlint/turnlint/store"
)

const (
	header = `{"type":"session","version":0,"id":"s","createdAt":1,"cwd":"/p","delegationDepth":0}` + "\n"
	start  = `{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}` + "\n"
	row    = `{"type":"text-chunks","seq0":1,"time0":2,"data":{"turn":1,"step":1,"index":0,"dt":[1,1],"texts":["a","b","c"]}}` + "\n"
	end    = `{"type":"turn/end","seq":4,"time":9,"data":{"turn":1,"reason":{"kind":"completed"}}}` + "\n"
)

// zstdLog returns a zstd log, a frame for each text.
func zstdLog(t *testing.T, texts ...string) string {
	t.Helper()
	var b bytes.Buffer
	for _, text := range texts {
		w, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestLogsAreComparedByTheirEvents(t *testing.T) {
	other := strings.Replace(end, "completed", "blocked", 1)
	tests := []struct {
		name, first, second string
		want                store.Comparison
	}{
		{"copies", header + start + row, header + start + row, store.Comparison{Common: 4}},
		{"an older copy", header + start, header + start + row + end, store.Comparison{Common: 1, Second: 4}},
		{"a newer copy", header + start + row + end, header + start, store.Comparison{Common: 1, First: 4}},
		{"copies in two encodings", header + start + row, zstdLog(t, header, start+row), store.Comparison{Common: 4}},
		{"two histories", header + start + end, header + start + other + end, store.Comparison{Common: 1, First: 1, Second: 2, Diverged: true}},
		{"a copy with another working directory", header + start, strings.Replace(header, "/p", "/q", 1) + start, store.Comparison{Common: 1}},
		{"two sessions", header + start, header + strings.Replace(start, `"time":1`, `"time":2`, 1), store.Comparison{First: 1, Second: 1, Diverged: true}},
		{"a copy that was cut in a line", header + start + row[:30], header + start + row, store.Comparison{Common: 1, Second: 3}},
		{"nothing and a log", "", header + start, store.Comparison{Second: 1}},
		{"nothing and nothing", "", "", store.Comparison{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := treetest.Plant(t, map[string]string{"a": test.first, "b": test.second})
			got, err := store.Compare(t.Context(), filepath.Join(dir, "a"), filepath.Join(dir, "b"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestComparingWhatCannotBeReadIsAnError(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{"a": header, "dir/": ""})
	for _, pair := range [][2]string{{"a", "gone"}, {"gone", "a"}} {
		if _, err := store.Compare(t.Context(), filepath.Join(dir, pair[0]), filepath.Join(dir, pair[1])); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v: error %v, want %v", pair, err, fs.ErrNotExist)
		}
	}
	if _, err := store.Compare(t.Context(), filepath.Join(dir, "a"), filepath.Join(dir, "dir")); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("error %v for a directory", err)
	}
}

func TestComparingEndsWithItsContext(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{"a": header + start, "b": header + start})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := store.Compare(ctx, filepath.Join(dir, "a"), filepath.Join(dir, "b")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

func TestALinkedProjectLeadsToTheSameFile(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{
		"--old--/s/session.jsonl":   header,
		"--new--":                   "-> --old--",
		"--other--/s/session.jsonl": header,
	})
	same := store.SameFile(filepath.Join(dir, "--old--", "s", "session.jsonl"))
	tests := []struct {
		name, path string
		want       bool
	}{
		{"itself", "--old--/s/session.jsonl", true},
		{"through the link", "--new--/s/session.jsonl", true},
		{"another project", "--other--/s/session.jsonl", false},
		{"another name", "--new--/s/session.jsonl.zstd", false},
		{"nothing there", "--gone--/s/session.jsonl", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := same(filepath.Join(dir, filepath.FromSlash(test.path))); got != test.want {
				t.Errorf("%t, want %t", got, test.want)
			}
		})
	}
}

package cli_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/cli"
)

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skip(err)
	}
}

// expand returns the paths that args stand for, and errors after a "!".
func expand(args ...string) (got []string) {
	for path, err := range cli.Paths(args) {
		if err != nil {
			got = append(got, "!"+err.Error())
			continue
		}
		got = append(got, path.Name+" in "+path.Root)
	}
	return got
}

func TestPathsFindLogsInDirectories(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{
		"tree/b/session.jsonl", "tree/a/session.jsonl.zstd", "tree/other.jsonl", "tree/notes.txt",
		"tree/a/session.jsonl.zstd.0123456789ab.tmp", "away/session.jsonl", "empty/notes.txt", "odd-\xff.jsonl",
	} {
		write(t, name, "x")
	}
	if err := os.Mkdir("tree/dir.jsonl", 0o700); err != nil {
		t.Fatal(err)
	}
	link(t, "../away/session.jsonl", "tree/linked.jsonl")
	link(t, "../away", "tree/away.jsonl")
	link(t, "nowhere", "tree/broken.jsonl")
	link(t, "tree/a", "root-link")

	tests := []struct {
		name string
		args []string
		want []string
	}{
		{"logs of a tree in order", []string{"tree"}, []string{
			"tree/a/session.jsonl.zstd in tree", "tree/b/session.jsonl in tree", "tree/broken.jsonl in tree",
			"tree/linked.jsonl in tree", "tree/other.jsonl in tree",
		}},
		{"a link that is named is followed", []string{"root-link"}, []string{"root-link/session.jsonl.zstd in root-link"}},
		{"a separator at the end changes nothing", []string{"tree/a/"}, []string{"tree/a/session.jsonl.zstd in tree/a/"}},
		{"files may have any name", []string{"tree/notes.txt", "-", "odd-\xff.jsonl"}, []string{"tree/notes.txt in ", "- in ", "odd-\xff.jsonl in "}},
		{"a directory without logs", []string{"empty", "tree/b"}, []string{"!empty: no session logs here", "tree/b/session.jsonl in tree/b"}},
		{"a missing file does not end the list", []string{"no\nne", "tree/b"}, []string{
			`!no\nne: no such file or directory`, "tree/b/session.jsonl in tree/b",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, expand(tt.args...)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestInputsFindDatabasesToo(t *testing.T) {
	t.Chdir(t.TempDir())
	const magic = "SQLite format 3\x00"
	for name, text := range map[string]string{
		"tree/a.db": magic, "tree/b.sqlite3": magic, "tree/c.txt": magic, "tree/d.db": "notes", "tree/sessions.db": "", "tree/e.db": "",
		"tree/log.jsonl": magic, "a#b.db": magic, "a#b.db#c": "{}", "f.jsonl": magic,
	} {
		write(t, name, text)
	}
	tests := []struct {
		name string
		args []string
		want []string
	}{
		{"in a directory by name and content", []string{"tree"}, []string{
			"database tree/a.db", "database tree/b.sqlite3", "log tree/log.jsonl", "database tree/sessions.db",
		}},
		{"named ones by content alone", []string{"tree/c.txt", "tree/d.db", "tree/e.db", "f.jsonl"}, []string{
			"database tree/c.txt", "log tree/d.db", "log tree/e.db", "database f.jsonl",
		}},
		{"a session", []string{"tree/a.db#s-1", "tree/a.db#", "tree/a.db#a/b#c"}, []string{
			"database tree/a.db session s-1", "database tree/a.db session ", "database tree/a.db session a/b#c",
		}},
		{"a number sign in the name of a file", []string{"a#b.db", "a#b.db#d", "a#b.db#c"}, []string{
			"database a#b.db", "database a#b.db session d", "log a#b.db#c",
		}},
		{"a session of what is no database", []string{"tree/d.db#s"}, []string{"!tree/d.db: no SQLite database, so that it has no sessions: it is a log, encrypted, cut off or something else"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for path, err := range cli.Inputs(tt.args) {
				switch {
				case err != nil:
					got = append(got, "!"+err.Error())
				case path.Session != nil:
					got = append(got, "database "+path.Name+" session "+*path.Session)
				case path.Database:
					got = append(got, "database "+path.Name)
				default:
					got = append(got, "log "+path.Name)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPathsStopsWhenAsked(t *testing.T) {
	dir := t.TempDir()
	write(t, dir+"/a.jsonl", "")
	write(t, dir+"/b.jsonl", "")
	n := 0
	for range cli.Paths([]string{dir, dir}) {
		n++
		break
	}
	if n != 1 {
		t.Errorf("got %d paths after a break", n)
	}
}

// text returns a use for [cli.Read] that reads everything into s.
func text(s *string) func(*cli.Source) error {
	return func(src *cli.Source) error {
		data, err := io.ReadAll(io.NewSectionReader(src, 0, src.Size()))
		*s = string(data)
		return err
	}
}

func TestReadSpoolsStandardInput(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var got string
	err := cli.Read(t.Context(), "-", iotest.OneByteReader(strings.NewReader("line\n")), func(src *cli.Source) error {
		if !src.Spooled() || src.Info() != nil {
			t.Error("standard input is not spooled")
		}
		if entries, _ := os.ReadDir(os.Getenv("TMPDIR")); runtime.GOOS != "windows" && len(entries) != 0 {
			t.Errorf("others can see %v", entries)
		}
		return text(&got)(src)
	})
	if err != nil || got != "line\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestReadReportsAnErrorOfStandardInput(t *testing.T) {
	err := cli.Read(t.Context(), "-", iotest.ErrReader(io.ErrNoProgress), func(*cli.Source) error { return nil })
	if !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v", err)
	}
}

func TestReadNamesWhatHappened(t *testing.T) {
	t.Chdir(t.TempDir())
	err := cli.Read(t.Context(), "gone.jsonl", nil, func(*cli.Source) error { return nil })
	if diff := cmp.Diff("gone.jsonl: no such file or directory", err.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v does not wrap its cause", err)
	}
}

func TestReadTwiceWhenTheFileChanges(t *testing.T) {
	tests := []struct {
		name    string
		change  func(t *testing.T, path string)
		changes int
		want    string
	}{
		{"a quiet file is read once", nil, 0, "old"},
		{"a file that grows once", func(t *testing.T, path string) { write(t, path, "longer") }, 1, "longer"},
		{"a file that is replaced once", func(t *testing.T, path string) {
			write(t, path+".new", "new")
			if err := os.Rename(path+".new", path); err != nil {
				t.Fatal(err)
			}
		}, 1, "new"},
		{"a file that is touched once", func(t *testing.T, path string) {
			if err := os.Chtimes(path, time.Time{}, time.Unix(1, 0)); err != nil {
				t.Fatal(err)
			}
		}, 1, "old"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log")
			write(t, path, "old")
			var got string
			reads := 0
			err := cli.Read(t.Context(), path, nil, func(src *cli.Source) error {
				if reads++; reads <= tt.changes {
					defer tt.change(t, path)
				}
				return text(&got)(src)
			})
			if err != nil || got != tt.want || reads != tt.changes+1 {
				t.Errorf("got %q after %d reads, %v; want %q", got, reads, err, tt.want)
			}
		})
	}
}

func TestReadGivesUpOnAFileThatKeepsChanging(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	write(t, path, "a")
	size := 1
	err := cli.Read(t.Context(), path, nil, func(*cli.Source) error {
		size++
		write(t, path, strings.Repeat("a", size))
		return nil
	})
	var input *cli.InputError
	if !errors.As(err, &input) || input.What != "in use: it changed while it was read" || size != 3 {
		t.Errorf("got %v after %d reads", err, size-1)
	}
}

func TestReadEndsWithItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	write(t, path, "a")
	ctx, cancel := context.WithCancel(t.Context())
	err := cli.Read(ctx, path, nil, func(src *cli.Source) error {
		cancel()
		_, err := src.ReadAt(make([]byte, 1), 0)
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestReadOfASilentStreamEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	silent, writer := io.Pipe()
	defer writer.Close()
	time.AfterFunc(10*time.Millisecond, cancel)
	err := cli.Read(ctx, "-", silent, func(*cli.Source) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

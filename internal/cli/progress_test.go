package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// shown collects what a run shows.
type shown struct {
	mu    sync.Mutex
	calls []string
}

func (s *shown) note(call string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.calls); n == 0 || s.calls[n-1] != call {
		s.calls = append(s.calls, call)
	}
}

func (s *shown) begin(progressState)  { s.note("begin") }
func (s *shown) update(progressState) { s.note("update") }
func (s *shown) end(progressState)    { s.note("end") }

func TestAShortRunShowsNoProgress(t *testing.T) {
	s := new(shown)
	newProgress(nil, 1, s, time.Hour, time.Millisecond).Close()
	if s.calls != nil {
		t.Errorf("shows %q", s.calls)
	}
}

func TestALongRunShowsProgressUntilItsEnd(t *testing.T) {
	s := new(shown)
	p := newProgress(nil, 1, s, time.Millisecond, time.Millisecond)
	time.Sleep(50 * time.Millisecond)
	p.Close()
	if diff := cmp.Diff([]string{"begin", "update", "end"}, s.calls); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestProgressCountsBytesAndFiles(t *testing.T) {
	dir := t.TempDir()
	for name, size := range map[string]int{"a.jsonl": 100, "b.jsonl": 50} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := newProgress([]string{dir, Stdin}, 2, new(shown), time.Hour, time.Hour)
	defer p.Close()
	check := func(when string, files int, bytes int64) {
		t.Helper()
		s := p.state()
		if s.files != files || s.bytes != bytes || s.totalFiles != 3 || s.totalBytes != 150 {
			t.Errorf("%s: %d of %d files, %d of %d bytes, want %d of 3, %d of 150", when, s.files, s.totalFiles, s.bytes, s.totalBytes, files, bytes)
		}
	}
	check("at first", 0, 0)
	p.Read(100)
	check("after one of two passes", 0, 50)
	p.Read(500)
	check("when more is read than expected", 0, 100)
	p.Again()
	check("when the file changed and is read again", 0, 0)
	p.Next()
	check("after the first file", 1, 100)
	p.Next()
	p.Read(7)
	check("while standard input is read", 2, 150)
	p.Next()
	p.Next()
	check("in the end", 3, 150)
}

func TestProgressOfNobodyIsNothing(t *testing.T) {
	var p *Progress
	p.Again()
	p.Read(1)
	p.Next()
	p.Close()
}

func TestProgressIsToldInWordsAndNumbers(t *testing.T) {
	tests := []struct {
		name  string
		state progressState
		want  string
	}{
		{"nothing is read yet", progressState{totalFiles: 2, totalBytes: 100, elapsed: time.Second}, " 0 B of 100 B, 0 of 2 files, 0 B/s"},
		{
			"half is read",
			progressState{files: 1, totalFiles: 2, bytes: 3 << 20, totalBytes: 6 << 20, elapsed: 3 * time.Second},
			" 3.0 MiB of 6.0 MiB, 1 of 2 files, 1.0 MiB/s, 3s left",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.state.text(nil); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestProgressForProgramsIsOneObjectALine(t *testing.T) {
	var out bytes.Buffer
	j := &jsonProgress{out: &out}
	j.begin(progressState{totalFiles: 2, totalBytes: 100, elapsed: time.Second})
	j.end(progressState{files: 2, totalFiles: 2, bytes: 100, totalBytes: 100, elapsed: 2 * time.Second})
	want := []map[string]any{
		{"kind": "progress", "files": 0.0, "totalFiles": 2.0, "bytes": 0.0, "totalBytes": 100.0, "bytesPerSecond": 0.0},
		{"kind": "progress", "files": 2.0, "totalFiles": 2.0, "bytes": 100.0, "totalBytes": 100.0, "bytesPerSecond": 50.0, "secondsLeft": 0.0},
	}
	var got []map[string]any
	for line := range strings.Lines(out.String()) {
		var members map[string]any
		if err := json.Unmarshal([]byte(line), &members); err != nil {
			t.Fatal(err)
		}
		got = append(got, members)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOnlyWholeLinesGoAboveTheBar(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := &aboveBar{b: new(barProgress), file: file}
	written := func() string {
		text, err := os.ReadFile(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, step := range []struct{ text, want string }{{"one", ""}, {" line\ntw", "one line\n"}, {"o\n", "one line\ntwo\n"}} {
		if _, err := w.Write([]byte(step.text)); err != nil {
			t.Fatal(err)
		}
		if got := written(); got != step.want {
			t.Errorf("after %q: %q, want %q", step.text, got, step.want)
		}
	}
}

func TestWidthIsThatOfColumnsOrTheDefault(t *testing.T) {
	for _, tt := range []struct {
		columns string
		want    int
	}{{"72", 72}, {"", defaultWidth}, {"0", defaultWidth}, {"wide", defaultWidth}, {"-1", defaultWidth}} {
		t.Setenv("COLUMNS", tt.columns)
		if got := Width(new(bytes.Buffer)); got != tt.want {
			t.Errorf("COLUMNS=%q: width %d, want %d", tt.columns, got, tt.want)
		}
	}
}

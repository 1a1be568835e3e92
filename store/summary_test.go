package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/treetest"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/store"
)

// survey returns a line for each session of a tree.
func survey(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	for _, s := range (&store.Tree{Path: dir, Root: dir}).Survey() {
		if s == nil {
			continue
		}
		fmt.Fprintf(&b, "%s/%s", s.Project(), s.Session())
		for i, log := range s.Logs {
			fmt.Fprintf(&b, " v%d:%d", log.Generation, s.Sizes[i])
		}
		switch l := s.Listing; {
		case l.Err != nil:
			b.WriteString(" cannot be read")
		case l.Blocks != nil:
			b.WriteString(" blocks: " + strings.ReplaceAll(l.Blocks.Text, dir, "$ROOT"))
		case l.Skipped != nil:
			b.WriteString(" skipped: " + l.Skipped.Text)
		}
		if s.Tail.Known {
			fmt.Fprintf(&b, " events %d turns %d", s.Tail.Events, s.Tail.Turns)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestASessionIsItsHighestGeneration(t *testing.T) {
	const (
		dir    = "--p--/s/"
		events = `{"type":"turn/start","seq":0,"time":1,"data":{"turn":1}}` + "\n" + `{"type":"turn/end","seq":1,"time":2,"data":{"turn":1}}` + "\n"
	)
	v0, v3, v4, v7 := laterHeader(0, "s", "/p"), laterHeader(3, "s", "/p"), laterHeader(4, "s", "/p"), laterHeader(7, "s", "/p")
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"the first one", map[string]string{"session.jsonl": v0 + events}, "v0:%d events 2 turns 1"},
		{"before its first event", map[string]string{"session.v4.jsonl": v4}, "v4:%d events 0 turns 0"},
		{
			"generations 0, 3 and 7",
			map[string]string{"session.jsonl": v0, "session.v3.jsonl": v3, "session.v7.jsonl": v7 + events},
			"v0:%d v3:%d v7:%d skipped: stored Session uses newer format v7; this build writes v4 events 2 turns 1",
		},
		{
			"as numbers, not as text",
			map[string]string{"session.v10.jsonl": "", "session.v4.jsonl": v4},
			"v4:%d v10:%d skipped: empty or header-less session log",
		},
		{
			"a broken one too",
			map[string]string{"session.jsonl": v0 + events, "session.v4.jsonl": "{\n"},
			"v0:%d v4:%d skipped: corrupt session log: header line is not valid JSON events 0 turns 0",
		},
		{
			"one under a wrong name",
			map[string]string{"session.v3.jsonl": v4},
			"v3:%d blocks: session generation filename identifies v3, but its header identifies v4 events 0 turns 0",
		},
		{
			"one of another session",
			map[string]string{"session.v4.jsonl": laterHeader(4, "t", "/p")},
			`v4:%d blocks: corrupt session log "$ROOT/--p--/s/session.v4.jsonl": header id "t" and cwd identify "$ROOT/--p--/t/session.v4.jsonl" events 0 turns 0`,
		},
		{"a name that is no generation", map[string]string{"session.v04.jsonl": v4}, ""},
		{"a lock beside it", map[string]string{"session.v4.jsonl": v4, "session.lock": ""}, "v4:%d events 0 turns 0"},
		{"a directory in the place of the lock", map[string]string{"session.v4.jsonl": v4, "session.lock/": ""}, "v4:%d events 0 turns 0"},
		{"a directory", map[string]string{"session.v4.jsonl/": ""}, "v4:%d cannot be read"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{}
			for name, content := range test.files {
				files[dir+name] = content
			}
			root := treetest.Plant(t, files)
			want := ""
			if test.want != "" {
				var args []any
				for _, log := range store.ReadSession(filepath.Join(root, "--p--", "s")).Logs {
					args = append(args, len(test.files[log.Name()]))
				}
				want = "--p--/s " + fmt.Sprintf(test.want, args...) + "\n"
			}
			if diff := cmp.Diff(want, filepath.ToSlash(survey(t, root))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWinnersAreChosenByEncoding(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{
		"session.jsonl": "", "session.v2.jsonl": "", "session.v3.jsonl.zstd": "", "session.v12.jsonl.zstd": "", "session.v12.jsonl": "",
	})
	d := store.ReadSession(dir)
	names := func(logs ...*store.Log) (names []string) {
		for _, log := range logs {
			names = append(names, log.Name())
		}
		return names
	}
	if diff := cmp.Diff([]string{"session.v12.jsonl", "session.v12.jsonl.zstd"}, names(d.Winners()...)); diff != "" {
		t.Errorf("winners: (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"session.v12.jsonl.zstd"}, names(d.Winner())); diff != "" {
		t.Errorf("winner: (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"session.v3.jsonl.zstd"}, names(d.Predecessors(d.Winner())...)); diff != "" {
		t.Errorf("predecessors: (-want +got):\n%s", diff)
	}
	if winner := store.ReadSession(filepath.Join(dir, "gone")).Winner(); winner != nil {
		t.Errorf("%q wins in a directory that is not there", winner.Path)
	}
}

func TestTheNamesTellWhetherALaterDshHasWritten(t *testing.T) {
	for name, want := range map[string]bool{"session.jsonl.zstd": false, "session.v2.jsonl.zstd": true, "session.v0.jsonl.zstd": false} {
		dir := treetest.Plant(t, map[string]string{"--p--/a/session.jsonl.zstd": "", "--p--/b/" + name: ""})
		if got := (&store.Tree{Path: dir}).HasLater(); got != want {
			t.Errorf("%s: %t, want %t", name, got, want)
		}
	}
}

func TestASurveyOfAForestKnowsEveryLog(t *testing.T) {
	for _, zstd := range []bool{false, true} {
		f := &forest{sessions: 50, mixture: mixture, events: 60, zstd: zstd}
		n := 0
		for dir, s := range (&store.Tree{Path: f.plant(t)}).Survey() {
			if s == nil {
				continue
			}
			n++
			want := scan.Tail{Known: true, Events: 60, Time: 1790000000059, Turns: 30}
			if diff := cmp.Diff(want, s.Tail); diff != "" || s.Listing.Header == nil {
				t.Errorf("%s: header %v (-want +got):\n%s", dir.Path, s.Listing.Header, diff)
			}
		}
		if n != f.sessions {
			t.Errorf("zstd %t: %d sessions, want %d", zstd, n, f.sessions)
		}
	}
}

func TestTenThousandLogsTakeFewGoroutinesAndLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("plants ten thousand logs")
	}
	f := &forest{sessions: 2000, mixture: [][]int64{{0, 1, 2, 3, 4}}, events: 6}
	tree := &store.Tree{Path: f.plant(t)}
	before, most, n := runtime.NumGoroutine(), 0, 0
	var atStart, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&atStart)
	for _, s := range tree.Survey() {
		if s == nil {
			continue
		}
		if n++; n%100 == 0 {
			most = max(most, runtime.NumGoroutine()-before)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&now)
	if n != f.sessions {
		t.Errorf("%d sessions, want %d", n, f.sessions)
	}
	if limit := runtime.GOMAXPROCS(0) + 1; most > limit {
		t.Errorf("%d goroutines, want at most %d", most, limit)
	}
	if kept := int64(now.HeapAlloc) - int64(atStart.HeapAlloc); kept > 4<<20 {
		t.Errorf("%d bytes are kept", kept)
	}
}

func TestManyEmptyDirectoriesAreNoSessions(t *testing.T) {
	dir := t.TempDir()
	for i := range 1000 {
		if err := os.MkdirAll(filepath.Join(dir, fmt.Sprintf("--p%d--", i%10), fmt.Sprintf("s%d", i)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	dirs := 0
	for _, s := range (&store.Tree{Path: dir}).Survey() {
		if dirs++; s != nil {
			t.Errorf("%s is a session", s.Dir)
		}
	}
	if dirs != 1011 {
		t.Errorf("%d directories, want 1011", dirs)
	}
}

// BenchmarkSurvey lists 2,500 sessions of mixed generations, and states the ratio
// to reading the headers of the same logs alone.
func BenchmarkSurvey(b *testing.B) {
	for _, zstd := range []bool{false, true} {
		f := &forest{sessions: 2500, mixture: mixture, events: 300, zstd: zstd}
		b.Run(map[bool]string{false: "plain", true: "zstd"}[zstd], func(b *testing.B) {
			tree := &store.Tree{Path: f.plant(b)}
			var headers time.Duration
			for b.Loop() {
				b.StopTimer()
				start := time.Now()
				for dir := range tree.Dirs() {
					if winner := dir.Winner(); winner != nil && winner.Listing().Header == nil {
						b.Fatal(winner.Path)
					}
				}
				headers += time.Since(start)
				b.StartTimer()
				n := 0
				for _, s := range tree.Survey() {
					if s != nil && s.Tail.Known {
						n++
					}
				}
				if n != f.sessions {
					b.Fatalf("%d sessions, want %d", n, f.sessions)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()/headers.Seconds(), "x-headers")
			b.ReportMetric(float64(f.sessions)*float64(b.N)/b.Elapsed().Seconds(), "sessions/s")
		})
	}
}

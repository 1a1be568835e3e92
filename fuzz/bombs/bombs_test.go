//go:build unix

package bombs

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/turnlint/turnlint/internal/soak"
)

// size returns how much of something there is: in a quick run, or in a long one.
func size[N int | int64](quick, long N) N {
	if soak.On() {
		return long
	}
	return quick
}

// maxTime is how long one run may take, on a machine that has other work too.
const maxTime = 5 * time.Minute

// bomb is an input, and what the programs have to make of it.
type bomb struct {
	name string
	make func(t *testing.T, dir string)
	// lint and fix are the exit codes of turnlint check and turnfix plan, finds is in
	// the report.
	lint, fix int
	finds     string
	rss       int64 // MiB of memory that either program may take
}

var bombs = []bomb{
	{"a frame of gigabytes", func(t *testing.T, dir string) {
		zstdLog(t, dir, func(w io.Writer) { hugeFrame(w, size[int64](256<<20, 10<<30)) })
	}, 3, 4, "line-too-long", 400},
	{"a million empty frames", func(t *testing.T, dir string) {
		zstdLog(t, dir, func(w io.Writer) { emptyFrames(w, size(100_000, 1_000_000)) })
	}, 0, 0, "", 100},
	{"a line of a gigabyte", func(t *testing.T, dir string) {
		plainLog(t, dir, func(w io.Writer) { io.CopyN(w, blanks{}, size[int64](80<<20, 1<<30)); io.WriteString(w, "\n") })
	}, 3, 4, "line-too-long", 400},
	{"JSON that is nested a million times", func(t *testing.T, dir string) {
		plainLog(t, dir, func(w io.Writer) { nested(w, 1_000_000) })
	}, 0, 4, "deep-nesting", 400},
	{"a replacement for every message", func(t *testing.T, dir string) {
		plainLog(t, dir, func(w io.Writer) { replacements(w, size(20_000, 400_000)) })
	}, 0, 4, "open-turn", 600},
	{"a step with very many calls", func(t *testing.T, dir string) {
		plainLog(t, dir, func(w io.Writer) { calls(w, size(5_000, 50_000)) })
	}, 0, 0, "", 400},
	{"a million broken lines", func(t *testing.T, dir string) {
		plainLog(t, dir, func(w io.Writer) { junkLines(w, size(50_000, 1_000_000)) })
	}, 1, 4, "undecodable-line", 600},
	{"a seq for very many events", func(t *testing.T, dir string) {
		plainLog(t, dir, func(w io.Writer) { forks(w, size(10_000, 200_000)) })
	}, 1, 4, "", 600},
	{"very many sessions", func(t *testing.T, dir string) { sessions(t, dir, size(500, 100_000)) }, 0, 0, "", 300},
}

// blanks is a text without end.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// build compiles both programs into a folder.
func build(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", dir+string(os.PathSeparator), "../../cmd/turnlint", "../../cmd/turnfix").CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return dir
}

func TestBombsTakeLittleMemoryAndTime(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	binaries := build(t)
	for _, b := range bombs {
		t.Run(b.name, func(t *testing.T) {
			dir := t.TempDir()
			b.make(t, dir)
			report := b.run(t, b.lint, filepath.Join(binaries, "turnlint"), "check", dir)
			if !strings.Contains(report, b.finds) {
				t.Errorf("the report does not speak of %s:\n%.2000s", b.finds, report)
			}
			b.run(t, b.fix, filepath.Join(binaries, "turnfix"), "plan", dir)
		})
	}
}

// run runs a program and returns what it prints.
func (b *bomb) run(t *testing.T, code int, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), maxTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	begin := time.Now()
	output, _ := cmd.CombinedOutput() // the exit code says what is to be known of an error
	state, program := cmd.ProcessState, filepath.Base(name)
	if state == nil {
		t.Fatalf("%s does not start", program)
	}
	usage := state.SysUsage().(*syscall.Rusage)
	rss := int64(usage.Maxrss) >> 10 // KiB
	if runtime.GOOS == "darwin" {
		rss >>= 10 // bytes
	}
	t.Logf("%s: exit %d, %d MiB, %s (%s of processors)", program, state.ExitCode(), rss, time.Since(begin).Round(time.Millisecond), (state.UserTime() + state.SystemTime()).Round(time.Millisecond))
	if ctx.Err() != nil {
		t.Fatalf("%s is not done after %s", program, maxTime)
	}
	if state.ExitCode() != code {
		t.Errorf("%s: exit code %d, want %d\n%.2000s", program, state.ExitCode(), code, output)
	}
	if rss > b.rss {
		t.Errorf("%s took %d MiB of memory, at most %d are all right", program, rss, b.rss)
	}
	return string(bytes.ToValidUTF8(output, nil))
}

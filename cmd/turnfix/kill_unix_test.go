//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/turnlint/turnlint/internal/soak"
)

// build compiles turnfix and returns its path.
func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "turnfix")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return binary
}

// site is a log to repair, with a state directory.
type site struct {
	log, state    string
	before, after []byte
	strace        []string // the command line of strace up to the name of its output
}

// newSite writes a log with an open turn and n messages in it.
func newSite(t *testing.T, n int) *site {
	t.Helper()
	dir := t.TempDir()
	s := &site{log: filepath.Join(dir, "log", "session.jsonl"), state: filepath.Join(dir, "state")}
	var b bytes.Buffer
	fmt.Fprintln(&b, `{"type":"session","version":0,"id":"s","createdAt":1783950000000,"cwd":"/work","delegationDepth":0}`)
	fmt.Fprintln(&b, `{"type":"turn/start","seq":0,"time":10,"data":{"turn":1}}`)
	for i := range n {
		fmt.Fprintf(&b, `{"type":"user/message","seq":%d,"time":20,"data":{"id":"u%d","role":"user","content":[],"source":{"kind":"user"}},"surfaceOp":"append"}`+"\n", i+1, i)
	}
	s.after = fmt.Appendf(bytes.Clone(b.Bytes()), `{"type":"turn/end","seq":%d,"time":%d,"data":{"turn":1,"reason":{"kind":"interrupted"}}}`+"\n", n+1, 10+10*min(n, 1))
	s.before = append(b.Bytes(), `{"type":"ste`...)
	if err := os.Mkdir(filepath.Dir(s.log), 0o700); err != nil {
		t.Fatal(err)
	}
	s.reset(t)
	return s
}

// reset puts the damaged log in place and removes everything else.
func (s *site) reset(t *testing.T) {
	t.Helper()
	if err := errors.Join(os.RemoveAll(s.state), os.WriteFile(s.log, s.before, 0o600)); err != nil {
		t.Fatal(err)
	}
}

func (s *site) apply(wrapper ...string) *exec.Cmd {
	args := append(wrapper, "apply", "--assume-stopped", "--state-dir", s.state, s.log)
	return exec.Command(args[0], args[1:]...)
}

// check checks what a killed run left, and that the next one finishes the repair.
func (s *site) check(t *testing.T, at, binary string) {
	t.Helper()
	got, err := os.ReadFile(s.log)
	switch {
	case err != nil:
		t.Errorf("%s: %v", at, err)
	case bytes.Equal(got, s.after):
		backups, _ := filepath.Glob(filepath.Join(s.state, "backups", "*", "original"))
		if len(backups) != 1 {
			t.Errorf("%s: the new log is in place without a backup", at)
		}
	case !bytes.Equal(got, s.before):
		t.Errorf("%s: the log is neither the old one nor the new one", at)
	}
	if out, err := s.apply(binary).CombinedOutput(); err != nil && err.(*exec.ExitError).ExitCode() != exitRepaired {
		t.Errorf("%s: the next run: %v\n%s", at, err, out)
	}
	if got, err := os.ReadFile(s.log); err != nil || !bytes.Equal(got, s.after) {
		t.Errorf("%s: the next run did not finish the repair: %v", at, err)
	}
	if entries, err := os.ReadDir(filepath.Dir(s.log)); err != nil || len(entries) != 1 {
		t.Errorf("%s: %d files beside the log, %v", at, len(entries)-1, err)
	}
}

func TestAKillAtAnyMomentLeavesTheOldLogOrTheNew(t *testing.T) {
	binary := build(t)
	s := newSite(t, 5000)
	begin := time.Now()
	if err := s.apply(binary).Run(); err == nil || err.(*exec.ExitError).ExitCode() != exitRepaired {
		t.Fatal(err)
	}
	killAtRandom(t, s, binary, time.Since(begin), 60)
}

// killable is what a repair that gets killed works on.
type killable interface {
	reset(t *testing.T)
	apply(wrapper ...string) *exec.Cmd
	check(t *testing.T, at, binary string)
}

// killAtRandom kills so many repairs, each at a moment of the time that a whole one takes,
// and checks what they leave.
func killAtRandom(t *testing.T, s killable, binary string, whole time.Duration, runs int) {
	t.Helper()
	killed := 0
	for range runs {
		s.reset(t)
		cmd := s.apply(binary)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		delay := rand.N(whole)
		time.Sleep(delay)
		cmd.Process.Kill()
		if cmd.Wait(); !cmd.ProcessState.Exited() {
			killed++
		}
		s.check(t, "killed after "+delay.String(), binary)
	}
	t.Logf("%d of %d runs were killed before their end", killed, runs)
}

// injection is what strace does to a system call. Those that are not quick are for
// long runs.
type injection struct {
	name  string
	what  string
	calls []string
	from  bool // every call from the n-th on, and not the n-th only
	quick bool
}

// changing are the system calls of a repair that change something, and reading those
// that it cannot do without either.
var (
	changing = []string{"openat", "mkdirat", "write", "copy_file_range", "fsync", "fchmodat", "fchownat", "unlinkat", "linkat", "renameat", "utimensat", "ftruncate", "close"}
	reading  = []string{"pread64", "fstat", "newfstatat", "getdents64", "flock"}
)

var injections = []injection{
	{"killed", "signal=KILL", changing, false, true},
	{"failed with EIO", "error=EIO", append(reading, "write", "fsync", "unlinkat", "renameat"), false, true},
	{"failed with EIO", "error=EIO", append(reading, changing...), false, false},
	{"failed with ENOSPC", "error=ENOSPC", changing, false, false},
	{"failed with ENOSPC from then on", "error=ENOSPC", changing, true, false},
	{"failed with EDQUOT", "error=EDQUOT", changing, false, false},
	{"failed with EROFS from then on", "error=EROFS", changing, true, false},
	{"failed with EACCES", "error=EACCES", append(reading, changing...), false, false},
	{"interrupted", "error=EINTR", append(reading, changing...), false, false},
}

// TestAFaultAtAnySystemCallLeavesTheOldLogOrTheNew runs the program under strace, and
// injects a fault into the first call of a kind, the second and so on, until there is
// none left to inject it into.
func TestAFaultAtAnySystemCallLeavesTheOldLogOrTheNew(t *testing.T) {
	strace := traced(t)
	binary := build(t)
	for _, fault := range injections {
		if fault.quick == soak.On() { // what is quick has its turn in every other run
			continue
		}
		t.Run(fault.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, 3)
			s.strace = []string{strace, "-f", "-qq", "-o", filepath.Join(t.TempDir(), "calls")}
			points := 0
			for _, call := range fault.calls {
				for n := 1; s.inject(t, &fault, call, n, binary); n++ {
					points++
				}
			}
			t.Logf("%d fault points: %s at a system call", points, fault.name)
			if points < 10 {
				t.Error("that is too few to prove anything")
			}
		})
	}
}

// inject runs a repair with a fault in the n-th call of a kind and checks what it left.
// It reports whether there was such a call.
func (s *site) inject(t *testing.T, fault *injection, call string, n int, binary string) bool {
	t.Helper()
	s.reset(t)
	when := strconv.Itoa(n)
	if fault.from {
		when += "+"
	}
	cmd := s.apply(append(s.strace, "-e", "trace="+call, "-e", fmt.Sprintf("inject=%s:%s:when=%s", call, fault.what, when), binary)...)
	output, _ := cmd.CombinedOutput() // which often fails: that is the point
	calls, err := os.ReadFile(s.strace[len(s.strace)-1])
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(calls, []byte("(INJECTED)")) && !bytes.Contains(calls, []byte("killed by SIGKILL")) {
		return false
	}
	at := fmt.Sprintf("%s at %s %d", fault.name, call, n)
	if code := cmd.ProcessState.ExitCode(); code == 2 {
		t.Errorf("%s: it panics:\n%s", at, output)
	} else if log, err := os.ReadFile(s.log); code == exitRepaired && !bytes.Equal(log, s.after) {
		t.Errorf("%s: it says that the log is repaired, and the log is another one: %v", at, err)
	} else if bytes.Equal(log, s.after) && code&exitRepaired == 0 && code&exitFailure == 0 && code >= 0 {
		t.Errorf("%s: exit code %d, and the log is repaired", at, code)
	}
	s.check(t, at, binary)
	return true
}

// TestALimitOfFilesLeavesTheOldLogOrTheNew lets no file grow beyond a limit, as of a
// disk quota, which is raised until the repair fits.
func TestALimitOfFilesLeavesTheOldLogOrTheNew(t *testing.T) {
	binary := build(t)
	s := newSite(t, 20)
	for limit := 0; ; limit++ {
		s.reset(t)
		cmd := s.apply("sh", "-c", `ulimit -f "$0" && exec "$@"`, strconv.Itoa(limit), binary)
		output, _ := cmd.CombinedOutput()
		code := cmd.ProcessState.ExitCode()
		if code == exitRepaired {
			t.Logf("%d fault points: a limit of files", limit)
			if limit == 0 {
				t.Error("no limit is in the way")
			}
			return
		}
		if code&exitFailure == 0 {
			t.Errorf("limit %d: exit code %d\n%s", limit, code, output)
		}
		s.check(t, fmt.Sprintf("limit %d", limit), binary)
	}
}

func TestARepairNeedsNoHelpOfTheSystemToCopy(t *testing.T) {
	strace := traced(t)
	binary := build(t)
	s := newSite(t, 3)
	for _, reason := range []string{"EXDEV", "EINVAL", "ENOSYS", "EOPNOTSUPP", "EPERM"} {
		s.reset(t)
		calls := filepath.Join(t.TempDir(), "calls")
		cmd := s.apply(strace, "-f", "-qq", "-o", calls, "-e", "trace=copy_file_range", "-e", "inject=copy_file_range:error="+reason, binary)
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != exitRepaired {
			t.Errorf("%s: exit code %d\n%s", reason, cmd.ProcessState.ExitCode(), out)
		}
		if got, err := os.ReadFile(s.log); err != nil || !bytes.Equal(got, s.after) {
			t.Errorf("%s: the log is not the repaired one: %v", reason, err)
		}
		if got, err := os.ReadFile(calls); err != nil || runtime.GOOS == "linux" && !bytes.Contains(got, []byte(reason)) {
			t.Errorf("%s: the system was not asked to copy: %v", reason, err)
		}
	}
}

func TestAnInterruptEndsARunWithItsExitBit(t *testing.T) {
	binary := build(t)
	s := newSite(t, 3)
	cmd := exec.Command(binary, "apply", "--state-dir", s.state, s.log) // waits: the log is fresh
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond)
	cmd.Process.Signal(syscall.SIGINT)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code&exitCancelled == 0 || code&exitRepaired != 0 {
		t.Errorf("exit code %d, want that of an interrupted run", code)
	}
	if got := stderr.String(); !strings.HasSuffix(got, "left alone for 5s\nturnfix: interrupted\n") {
		t.Errorf("standard error %q", got)
	}
	if got, err := os.ReadFile(s.log); err != nil || !bytes.Equal(got, s.before) {
		t.Errorf("the log changed: %v", err)
	}
}

//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
)

// storeSite is a database to repair, with a state directory.
type storeSite struct {
	dir, path, state string
	image            []byte
	before, after    string // what it stores
}

// newStoreSite makes a database with open turns in n sessions.
func newStoreSite(t *testing.T, n, messages int) *storeSite {
	t.Helper()
	dir := t.TempDir()
	s := &storeSite{dir: filepath.Join(dir, "db"), state: filepath.Join(dir, "state")}
	s.path = filepath.Join(s.dir, "sessions.db")
	store, err := (&repair.Committer{FS: repair.Disk{}}).NewStore(t.Context(), s.path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, `{"type":"session","version":0,"id":"s%d","createdAt":1783950000000,"cwd":"/work","delegationDepth":0}`+"\n", i)
		fmt.Fprintln(&b, `{"type":"turn/start","seq":0,"time":10,"data":{"turn":1}}`)
		for seq := 1; seq <= messages; seq++ {
			fmt.Fprintf(&b, `{"type":"user/message","seq":%d,"time":20,"data":{"id":"u%d","role":"user","content":[],"source":{"kind":"user"}},"surfaceOp":"append"}`+"\n", seq, seq)
		}
		if _, err := store.Add(strings.NewReader(b.String()), int64(b.Len()), "", scan.Auto); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Publish(); err != nil {
		t.Fatal(err)
	}
	if s.image, err = os.ReadFile(s.path); err != nil {
		t.Fatal(err)
	}
	return s
}

// prepare finds out what the database stores before the repair and after it.
func (s *storeSite) prepare(t *testing.T, binary string) (whole time.Duration) {
	t.Helper()
	s.before = s.dump(t)
	begin := time.Now()
	if err := s.apply(binary).Run(); err == nil || err.(*exec.ExitError).ExitCode() != exitRepaired {
		t.Fatal(err)
	}
	whole = time.Since(begin)
	s.after = s.dump(t)
	if s.before == s.after {
		t.Fatal("the repair changes nothing")
	}
	return whole
}

// reset puts the database in place as it was and removes everything else.
func (s *storeSite) reset(t *testing.T) {
	t.Helper()
	if err := errors.Join(os.RemoveAll(s.state), os.RemoveAll(s.dir), os.Mkdir(s.dir, 0o700), os.WriteFile(s.path, s.image, 0o600)); err != nil {
		t.Fatal(err)
	}
}

func (s *storeSite) apply(wrapper ...string) *exec.Cmd {
	args := append(wrapper, "apply", "--assume-stopped", "--state-dir", s.state, s.path)
	return exec.Command(args[0], args[1:]...)
}

// dump returns what the database stores, with what lies in files beside it.
func (s *storeSite) dump(t *testing.T) string {
	t.Helper()
	d, err := database.Open(t.Context(), s.path, database.Options{Path: s.path})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if d.Refusal != nil {
		t.Fatal(d.Refusal.Text)
	}
	var b bytes.Buffer
	for session, err := range d.Sessions() {
		if err != nil {
			t.Fatal(err)
		}
		print, err := session.Print()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b, session.ID, print)
	}
	return b.String()
}

// check checks what a killed run left, and that the next one finishes the repair.
func (s *storeSite) check(t *testing.T, at, binary string) {
	t.Helper()
	switch got := s.dump(t); got {
	case s.before:
	case s.after:
		if manifests, _ := filepath.Glob(filepath.Join(s.state, "backups", "*", "manifest.json")); len(manifests) != 1 {
			t.Errorf("%s: the repaired sessions are in place without a backup", at)
		}
	default:
		t.Errorf("%s: the database is neither the old one nor the new one:\n%s", at, got)
	}
	if out, err := s.apply(binary).CombinedOutput(); err != nil && err.(*exec.ExitError).ExitCode() != exitRepaired {
		t.Errorf("%s: the next run: %v\n%s", at, err, out)
	}
	if s.dump(t) != s.after {
		t.Errorf("%s: the next run did not finish the repair", at)
	}
}

func TestAKillAtAnyMomentLeavesTheOldSessionsOrTheNew(t *testing.T) {
	binary := build(t)
	s := newStoreSite(t, 4, 100)
	whole := s.prepare(t, binary)
	runs := 25
	if testing.Short() {
		runs = 8
	}
	killAtRandom(t, s, binary, whole, runs)
}

// storeCalls are the system calls with which SQLite and turnfix change something.
var storeCalls = []string{"pwrite64", "fsync", "fdatasync", "ftruncate", "unlink", "unlinkat", "write", "openat"}

func TestAKillAtAnySystemCallLeavesTheOldSessionsOrTheNew(t *testing.T) {
	points := injectIntoStore(t, storeCalls, "signal=KILL:when=%d", func(*storeSite, string, []byte) {})
	t.Logf("%d fault points: killed at a system call", points)
}

// injectIntoStore repairs a database under strace, with a fault in the n-th call of a kind,
// until there is none left to inject it into. It hands over what each run says before it
// checks what that left, and returns the number of the calls.
func injectIntoStore(t *testing.T, calls []string, fault string, said func(s *storeSite, at string, output []byte)) (points int) {
	t.Helper()
	strace := traced(t)
	binary := build(t)
	s := newStoreSite(t, 2, 3)
	s.prepare(t, binary)
	for _, call := range calls {
		for n := 1; n < 400; n += 1 + n/10 {
			s.reset(t)
			what := fmt.Sprintf(fault, n)
			cmd := s.apply(strace, "-f", "-qq", "-o", os.DevNull, "-e", "trace="+call, "-e", "inject="+call+":"+what, binary)
			output, _ := cmd.CombinedOutput()
			if cmd.ProcessState.ExitCode() == exitRepaired {
				break
			}
			points++
			at := call + " with " + what
			said(s, at, output)
			s.check(t, at, binary)
		}
	}
	return points
}

// TestAFullDiskLeavesTheOldSessionsOrTheNew makes the n-th write of SQLite or turnfix
// fail as on a full disk, and all later ones.
func TestAFullDiskLeavesTheOldSessionsOrTheNew(t *testing.T) {
	calls := []string{"pwrite64", "write", "fsync"}
	points := injectIntoStore(t, calls, "error=ENOSPC:when=%d+", func(s *storeSite, at string, output []byte) {
		if got := s.dump(t); got == s.after && !bytes.Contains(output, []byte("durability unconfirmed")) && !bytes.Contains(output, []byte("standard output")) {
			t.Logf("%s: repaired, and it says\n%s", at, output)
		}
	})
	t.Logf("%d fault points: the disk full from a system call on", points)
}

// traced returns the path of strace, or skips the test.
func traced(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("short run")
	}
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed")
	}
	if err := exec.Command(strace, "-o", os.DevNull, "-e", "inject=fsync:signal=KILL:when=1", "true").Run(); err != nil {
		t.Skipf("strace cannot trace here: %v", err)
	}
	return strace
}

//go:build unix

package repair_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/repair"
)

// settle is short, so that the tests are.
const settle = time.Second

// watchful returns a Committer that checks whether logs are in use.
func watchful(t *testing.T) *repair.Committer {
	t.Helper()
	c := committer(t)
	c.AssumeStopped, c.Settle = false, settle
	return c
}

// placeOld writes a log that has not changed for a long time.
func placeOld(t *testing.T, image string) string {
	t.Helper()
	path := place(t, image)
	old := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(path, old, old))
	return path
}

// lock takes the lock of a new file.
func lock(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Create(path)
	must(t, err)
	t.Cleanup(func() { f.Close() })
	must(t, syscall.Flock(int(f.Fd()), syscall.LOCK_EX))
	return f
}

func TestALogIsNotRepairedWhileAHarnessHoldsItsLock(t *testing.T) {
	path := placeOld(t, torn)
	held := lock(t, filepath.Join(filepath.Dir(path), "session.lock"))
	c := watchful(t)
	if _, err := c.Apply(t.Context(), path, repair.Options{}); !errors.Is(err, repair.ErrInUse) || !strings.Contains(err.Error(), "session.lock") {
		t.Errorf("while it is held: %v, want ErrInUse", err)
	}
	if string(readFile(t, path)) != torn {
		t.Error("the log changed")
	}
	held.Close()
	if _, err := c.Apply(t.Context(), path, repair.Options{}); err != nil {
		t.Errorf("after it was given back: %v", err)
	}
}

func TestAssumeStoppedLooksAtNoLockOfAHarness(t *testing.T) {
	path := place(t, torn)
	lock(t, filepath.Join(filepath.Dir(path), "session.lock"))
	if _, err := committer(t).Apply(t.Context(), path, repair.Options{}); err != nil {
		t.Error(err)
	}
}

func TestTwoRunsDoNotRepairOneLogAtOnce(t *testing.T) {
	path := placeOld(t, torn)
	c := watchful(t)
	if _, err := c.Apply(t.Context(), path, repair.Options{}); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(c.StateDir, "locks", "*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("locks %q, %v, want one", names, err)
	}
	lock(t, names[0])
	if _, err := c.Undo(t.Context(), path); !errors.Is(err, repair.ErrInUse) {
		t.Errorf("error %v, want ErrInUse", err)
	}
}

func TestALogThatAnotherProcessHasOpenIsNotRepaired(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("open descriptors of other processes can be seen on Linux only")
	}
	path := placeOld(t, torn)
	f, err := os.Open(path)
	must(t, err)
	reader := exec.Command("sleep", "60")
	reader.Stdin = f
	must(t, reader.Start())
	f.Close()
	c := watchful(t)
	if _, err := c.Apply(t.Context(), path, repair.Options{}); !errors.Is(err, repair.ErrInUse) || !strings.Contains(err.Error(), "has it open") {
		t.Errorf("while it is open: %v, want ErrInUse", err)
	}
	must(t, reader.Process.Kill())
	reader.Wait()
	if _, err := c.Apply(t.Context(), path, repair.Options{}); err != nil {
		t.Errorf("after it was closed: %v", err)
	}
}

func TestALogThatHasJustChangedIsWatchedFirst(t *testing.T) {
	path := place(t, torn)
	c := watchful(t)
	var waited []string
	c.Waiting = func(path string, settle time.Duration) {
		waited = append(waited, path+" "+settle.String())
		writeFile(t, path, []byte(torn+"y"))
	}
	if _, err := c.Apply(t.Context(), path, repair.Options{}); !errors.Is(err, repair.ErrInUse) {
		t.Errorf("error %v, want ErrInUse", err)
	}
	if diff := cmp.Diff([]string{path + " 1s"}, waited); diff != "" {
		t.Errorf("waits (-want +got):\n%s", diff)
	}
	if string(readFile(t, path)) != torn+"y" {
		t.Error("the log has other bytes than its writer gave it")
	}
}

func TestALogIsRepairedOnceItHasBeenLeftAloneLongEnough(t *testing.T) {
	path := place(t, torn)
	begin := time.Now()
	out, err := watchful(t).Apply(t.Context(), path, repair.Options{})
	must(t, err)
	if waited := time.Since(begin); waited < settle/2 {
		t.Errorf("repaired after %v", waited)
	}
	var m repair.Manifest
	must(t, json.Unmarshal(readFile(t, out.Manifest), &m))
	if m.Options.Settle != "1s" || m.Options.AssumeStopped {
		t.Errorf("the manifest has the settle time %q and assumeStopped %v", m.Options.Settle, m.Options.AssumeStopped)
	}
}

func TestALogThatWasLeftAloneIsNotWatched(t *testing.T) {
	c := watchful(t)
	c.Settle = 0 // the default
	c.Waiting = func(path string, _ time.Duration) { t.Errorf("a wait for %s", path) }
	_, err := c.Apply(t.Context(), placeOld(t, torn), repair.Options{})
	must(t, err)
}

// placeAs writes a log with the given name into a directory of its own.
func placeAs(t *testing.T, name, image string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, []byte(image), 0o600))
	old := time.Now().Add(-time.Hour)
	must(t, os.Chtimes(path, old, old))
	return path
}

// openV4 is a log of v4 with an open turn.
const openV4 = `{"type":"session","version":4,"id":"s","createdAt":1,"cwd":"/work","isSeeded":false,"delegationDepth":0}` + "\n" +
	`{"type":"turn/start","seq":0,"time":10,"data":{"turn":1}}` + "\n"

func TestTheLockOfALaterHarnessIsMadeHeldAndLeftBehind(t *testing.T) {
	path := placeAs(t, "session.v4.jsonl", openV4)
	lockPath := filepath.Join(filepath.Dir(path), "session.lock")
	c := watchful(t)
	held := false
	c.Waiting = func(string, time.Duration) {
		f, err := os.Open(lockPath)
		must(t, err)
		defer f.Close()
		held = errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB), syscall.EWOULDBLOCK)
	}
	now := time.Now()
	must(t, os.Chtimes(path, now, now)) // so that it waits
	out, err := c.Apply(t.Context(), path, repair.Options{})
	if err != nil || !out.Published {
		t.Fatalf("%v", err)
	}
	if !held {
		t.Error("the lock was not held before the repair")
	}
	if text := readFile(t, lockPath); len(text) > 0 {
		t.Errorf("the lock file has the text %q", text)
	}
	f, err := os.Open(lockPath)
	must(t, err)
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		t.Errorf("the lock is not given back: %v", err)
	}
}

func TestALaterLogIsNotRepairedWhileItsLockIsHeld(t *testing.T) {
	path := placeAs(t, "session.v4.jsonl", openV4)
	lock(t, filepath.Join(filepath.Dir(path), "session.lock"))
	if _, err := watchful(t).Apply(t.Context(), path, repair.Options{}); !errors.Is(err, repair.ErrInUse) {
		t.Errorf("error %v, want ErrInUse", err)
	}
}

func TestALockThatIsADirectoryStopsTheRepair(t *testing.T) {
	path := placeAs(t, "session.v4.jsonl", openV4)
	must(t, os.Mkdir(filepath.Join(filepath.Dir(path), "session.lock"), 0o700))
	if _, err := watchful(t).Apply(t.Context(), path, repair.Options{}); err == nil || !strings.Contains(err.Error(), "session.lock") {
		t.Errorf("error %v, want one about the lock", err)
	}
	if string(readFile(t, path)) != openV4 {
		t.Error("the log changed")
	}
}

func TestNoLockIsMadeForALogOfV0(t *testing.T) {
	path := placeAs(t, "session.jsonl", torn)
	if _, err := watchful(t).Apply(t.Context(), path, repair.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(filepath.Dir(path), "session.lock")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a lock: %v", err)
	}
}

func TestALogThatALaterOneHidesIsRepairedInACopyOnly(t *testing.T) {
	path := placeAs(t, "session.jsonl", torn)
	must(t, os.WriteFile(filepath.Join(filepath.Dir(path), "session.v4.jsonl"), []byte(openV4), 0o600))
	c := watchful(t)
	out, err := c.Apply(t.Context(), path, repair.Options{})
	if err != nil || out.Published || !strings.Contains(out.Plan.Reason, "session.v4.jsonl") {
		t.Fatalf("in place: %v, %+v", err, out)
	}
	target := filepath.Join(t.TempDir(), "session.jsonl")
	src := bytes.NewReader([]byte(torn))
	out, err = c.Copy(t.Context(), src, src.Size(), path, target, repair.Options{})
	if err != nil || !out.Published {
		t.Errorf("as a copy: %v, %+v", err, out)
	}
}

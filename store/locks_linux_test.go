package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/turnlint/turnlint/internal/treetest"
	"github.com/turnlint/turnlint/store"
)

func TestASessionWhoseLockIsHeldIsInUse(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{
		"--p--/held/session.v4.jsonl":  laterHeader(4, "held", "/p"),
		"--p--/held/session.lock":      "",
		"--p--/left/session.v4.jsonl":  laterHeader(4, "left", "/p"),
		"--p--/left/session.lock":      "",
		"--p--/odd/session.v4.jsonl":   laterHeader(4, "odd", "/p"),
		"--p--/odd/session.lock/":      "",
		"--p--/never/session.v4.jsonl": laterHeader(4, "never", "/p"),
	})
	lock, err := os.Open(filepath.Join(dir, "--p--", "held", "session.lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		t.Fatal(err)
	}
	if len(store.ReadLocks()) == 0 {
		t.Skip("this kernel does not list locks")
	}
	for _, s := range (&store.Tree{Path: dir, Root: dir}).Survey() {
		if s == nil {
			continue
		}
		if want := s.Session() == "held"; s.InUse != want {
			t.Errorf("%s: in use %t, want %t", s.Session(), s.InUse, want)
		}
		if !s.Tail.Known {
			t.Errorf("%s: the log was not read", s.Session())
		}
	}
}

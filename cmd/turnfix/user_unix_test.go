//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is the id of a user who is not root.
const nobody = 65534

// asNobody lets root run a command as a user who may not write everything.
func asNobody(cmd *exec.Cmd) *exec.Cmd {
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	return cmd
}

// newSharedSite is a site that every user may look into. The state directory is in
// a directory that everybody may write.
func newSharedSite(t *testing.T) *site {
	t.Helper()
	s := newSite(t, 1)
	for dir := filepath.Dir(s.log); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		chmod(t, dir, 0o755)
	}
	open := t.TempDir()
	chmod(t, open, 0o777)
	s.state = filepath.Join(open, "state")
	return s
}

func chmod(t *testing.T, name string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
}

// checkRefused runs a repair that must be refused, with nothing written.
func (s *site) checkRefused(t *testing.T, binary, want string) {
	t.Helper()
	out, _ := asNobody(s.apply(binary)).CombinedOutput()
	if !strings.Contains(string(out), want) {
		t.Errorf("turnfix says %q, want %q", out, want)
	}
	if got, err := os.ReadFile(s.log); err != nil || !bytes.Equal(got, s.before) {
		t.Errorf("the log changed: %v", err)
	}
	if _, err := os.Stat(s.state); !os.IsNotExist(err) {
		t.Errorf("the state directory: %v", err)
	}
}

func TestALogInADirectoryThatCannotBeWrittenIsRefused(t *testing.T) {
	binary, s := build(t), newSharedSite(t)
	chmod(t, filepath.Dir(binary), 0o755)
	chmod(t, s.log, 0o644)
	if os.Geteuid() == 0 {
		if err := os.Chown(s.log, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	chmod(t, filepath.Dir(s.log), 0o555)
	defer chmod(t, filepath.Dir(s.log), 0o755)
	s.checkRefused(t, binary, "nothing can be written in")
}

func TestALogOfAnotherUserIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root has a log of another user at hand")
	}
	binary, s := build(t), newSharedSite(t)
	chmod(t, filepath.Dir(binary), 0o755)
	chmod(t, s.log, 0o644)
	chmod(t, filepath.Dir(s.log), 0o777)
	s.checkRefused(t, binary, "it belongs to another user (id 0): run turnfix as that user")
}

package repair_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/repair"
)

// backups lists the backups, which must work.
func backups(t *testing.T, c *repair.Committer) []repair.Backup {
	t.Helper()
	all, err := c.Backups(t.Context())
	must(t, err)
	return all
}

// shelf is a state directory with backups of one log: repaired, damaged again and
// repaired again, n times. The log is as the last repair left it.
func shelf(t *testing.T, n int) (c *repair.Committer, path string) {
	t.Helper()
	c, path = committer(t), place(t, torn)
	for i := range n {
		writeFile(t, path, []byte(torn+fmt.Sprint(i)))
		_, err := c.Apply(t.Context(), path, repair.Options{})
		must(t, err)
	}
	return c, path
}

func TestBackupsOfALogAreListedFromTheNewest(t *testing.T) {
	c, path := shelf(t, 3)
	var got []repair.Fileprint
	for _, b := range backups(t, c) {
		if b.State != repair.BackupCurrent || string(b.Path) != path {
			t.Errorf("a %s backup of %q", b.State, b.Path)
		}
		got = append(got, b.Before)
	}
	var want []repair.Fileprint
	for _, i := range []int{2, 1, 0} {
		image := torn + fmt.Sprint(i)
		want = append(want, repair.Fileprint{SHA256: sha([]byte(image)), Size: int64(len(image))})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheStateOfABackupFollowsItsLog(t *testing.T) {
	tests := []struct {
		name string
		then func(t *testing.T, c *repair.Committer, path string)
		want repair.BackupState
	}{
		{"repaired", func(*testing.T, *repair.Committer, string) {}, repair.BackupCurrent},
		{"undone", func(t *testing.T, c *repair.Committer, path string) {
			_, err := c.Undo(t.Context(), path)
			must(t, err)
		}, repair.BackupUndone},
		{"changed", func(t *testing.T, _ *repair.Committer, path string) { writeFile(t, path, []byte(torn)) }, repair.BackupStale},
		{"removed", func(t *testing.T, _ *repair.Committer, path string) { must(t, os.Remove(path)) }, repair.BackupStale},
		{"without its manifest", func(t *testing.T, c *repair.Committer, _ string) {
			must(t, os.Remove(filepath.Join(string(backups(t, c)[0].Dir), "manifest.json")))
		}, repair.BackupPartial},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, path := shelf(t, 1)
			tt.then(t, c, path)
			if got := backups(t, c)[0].State; got != tt.want {
				t.Errorf("state %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWhatMayBeTheOnlyGoodCopyIsNoSurplus(t *testing.T) {
	nothing := func(*testing.T, *repair.Committer, string) {}
	change := func(t *testing.T, _ *repair.Committer, path string) { writeFile(t, path, []byte("lost")) }
	changeAndBreak := func(t *testing.T, c *repair.Committer, path string) {
		writeFile(t, filepath.Join(string(backups(t, c)[0].Dir), "original"), []byte("broken"))
		change(t, c, path)
	}
	tests := []struct {
		name  string
		then  func(t *testing.T, c *repair.Committer, path string)
		keep  int
		force bool
		want  string // which of three backups are surplus, 0 is the newest
	}{
		{"the log is as repaired", nothing, 1, false, "1 2"},
		{"the log is as repaired and none is to be kept", nothing, 0, false, "0 1 2"},
		{"more are to be kept than there are", nothing, 4, false, ""},
		{"the log has changed, and the newest is kept", change, 1, false, "1 2"},
		{"the log has changed, and none is to be kept", change, 0, false, "1 2"},
		{"the log has changed, and force", change, 0, true, "0 1 2"},
		{"the log has changed, and the newest is broken", changeAndBreak, 1, false, "2"},
		{"the log has changed, the newest is broken, and force", changeAndBreak, 1, true, "1 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, path := shelf(t, 3)
			tt.then(t, c, path)
			all := backups(t, c)
			surplus := c.Surplus(all, tt.keep, tt.force)
			var got []byte
			for i, b := range all {
				for _, s := range surplus {
					if s.Dir == b.Dir {
						got = fmt.Appendf(got, " %d", i)
					}
				}
			}
			if got := string(bytes.TrimSpace(got)); got != tt.want {
				t.Errorf("surplus %q, want %q", got, tt.want)
			}
		})
	}
}

func TestPartialBackupsAreSurplusByForceOnly(t *testing.T) {
	c, _ := shelf(t, 2)
	all := backups(t, c)
	must(t, os.Remove(filepath.Join(string(all[1].Dir), "manifest.json")))
	if got := c.Surplus(backups(t, c), 0, false); len(got) != 1 || got[0].Dir != all[0].Dir {
		t.Errorf("surplus %v, want the complete backup", got)
	}
	if got := c.Surplus(backups(t, c), 0, true); len(got) != 2 {
		t.Errorf("surplus by force: %v, want both", got)
	}
}

func TestARemovedBackupLeavesNothingAndTheOthersAlone(t *testing.T) {
	c, _ := shelf(t, 2)
	all := backups(t, c)
	must(t, c.Remove(t.Context(), &all[0]))
	if diff := cmp.Diff(all[1:], backups(t, c)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := os.Lstat(string(all[0].Dir)); !os.IsNotExist(err) {
		t.Errorf("the directory: %v", err)
	}
}

func TestABackupThatChangedSinceItWasListedIsNotRemoved(t *testing.T) {
	c, path := shelf(t, 1)
	all := backups(t, c)
	_, err := c.Undo(t.Context(), path)
	must(t, err)
	if err := c.Remove(t.Context(), &all[0]); err == nil {
		t.Error("it is removed")
	}
	if got := backups(t, c); len(got) != 1 || got[0].State != repair.BackupUndone {
		t.Errorf("backups %v", got)
	}
}

func TestNoLinkInTheStateDirectoryIsFollowedWhenABackupIsRemoved(t *testing.T) {
	c, _ := shelf(t, 1)
	b := backups(t, c)[0]
	elsewhere := t.TempDir()
	writeFile(t, filepath.Join(elsewhere, "precious"), []byte("text"))
	lost := filepath.Join(string(b.Dir), "lost+found")
	must(t, os.RemoveAll(lost))
	must(t, os.Symlink(elsewhere, lost))
	if err := c.Remove(t.Context(), &b); err == nil {
		t.Error("it is removed")
	}
	readFile(t, filepath.Join(elsewhere, "precious"))
}

func TestOtherFilesAmongTheBackupsAreNoBackups(t *testing.T) {
	c, _ := shelf(t, 1)
	all := backups(t, c)
	dir := filepath.Dir(string(all[0].Dir))
	writeFile(t, filepath.Join(dir, "notes"), []byte("text"))
	must(t, os.Symlink(t.TempDir(), filepath.Join(dir, "link")))
	if diff := cmp.Diff(all, backups(t, c)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

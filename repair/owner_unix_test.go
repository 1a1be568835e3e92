//go:build unix

package repair_test

import (
	"fmt"
	"os"
	"syscall"
	"testing"
)

func TestRepairAndUndoKeepTheOwnerOfALog(t *testing.T) {
	path := place(t, torn)
	// Root may give files away; others can check that a log stays theirs.
	if os.Geteuid() == 0 {
		must(t, os.Chown(path, 65534, 65534))
	}
	owner := func() string {
		info, err := os.Stat(path)
		must(t, err)
		stat := info.Sys().(*syscall.Stat_t)
		return fmt.Sprint(stat.Uid, " ", stat.Gid)
	}
	want, c := owner(), committer(t)
	for _, step := range []string{"apply", "undo", "undo"} {
		_, err := swap(t, c, step, path)
		must(t, err)
		if got := owner(); got != want {
			t.Errorf("after %s it belongs to %s, want %s", step, got, want)
		}
	}
}

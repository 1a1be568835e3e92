package repair_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/turnlint/turnlint/repair"
)

// twins repairs two logs with the same bytes, and returns their paths and backups in
// the order in which they were repaired.
func twins(t *testing.T, c *repair.Committer) (paths, dirs [2]string) {
	t.Helper()
	for i := range paths {
		paths[i] = place(t, torn)
		out, err := c.Apply(t.Context(), paths[i], repair.Options{})
		must(t, err)
		dirs[i] = filepath.Dir(out.Manifest)
	}
	return paths, dirs
}

// sharing reports whether two backups have one file as their original.
func sharing(t *testing.T, dirs [2]string) bool {
	t.Helper()
	var infos [2]os.FileInfo
	for i, dir := range dirs {
		info, err := os.Lstat(filepath.Join(dir, "original"))
		must(t, err)
		infos[i] = info
	}
	return os.SameFile(infos[0], infos[1])
}

func TestBackupsOfTheSameBytesShareTheirOriginal(t *testing.T) {
	c := committer(t)
	paths, dirs := twins(t, c)
	if !sharing(t, dirs) {
		t.Error("each has a copy of its own")
	}
	for range 3 { // undo, redo, undo
		_, err := c.Undo(t.Context(), paths[0])
		must(t, err)
	}
	if !sharing(t, dirs) {
		t.Error("each has a copy of its own after undos")
	}
	if got := string(readFile(t, paths[0])); got != torn {
		t.Errorf("the undone log is %q", got)
	}
	all := backups(t, c)
	must(t, c.Remove(t.Context(), &all[0]))
	must(t, c.Remove(t.Context(), &all[1]))
	if names, err := os.ReadDir(filepath.Join(c.StateDir, "backups")); err != nil || len(names) > 0 {
		t.Errorf("%v are left: %v", names, err)
	}
}

func TestARemovedBackupLeavesTheOriginalToTheOtherOne(t *testing.T) {
	c := committer(t)
	paths, dirs := twins(t, c)
	for _, b := range backups(t, c) {
		if string(b.Dir) == dirs[0] {
			must(t, c.Remove(t.Context(), &b))
		}
	}
	_, err := c.Undo(t.Context(), paths[1])
	if must(t, err); string(readFile(t, paths[1])) != torn {
		t.Error("the undo gives other bytes")
	}
}

func TestAnUndoOfOneLogLeavesTheBackupOfItsTwinAlone(t *testing.T) {
	c := committer(t)
	paths, dirs := twins(t, c)
	_, err := c.Undo(t.Context(), paths[0])
	must(t, err)
	writeFile(t, paths[0], []byte(torn+"more")) // by a new file or in place
	if got := string(readFile(t, filepath.Join(dirs[1], "original"))); got != torn {
		t.Errorf("the backup has %q", got)
	}
}

func TestAnOriginalIsCopiedWhereItCannotBeShared(t *testing.T) {
	t.Run("the other one is damaged", func(t *testing.T) {
		c := committer(t)
		first := place(t, torn)
		out, err := c.Apply(t.Context(), first, repair.Options{})
		must(t, err)
		writeFile(t, filepath.Join(filepath.Dir(out.Manifest), "original"), bytes.ToUpper([]byte(torn)))
		checkOwnOriginal(t, c, filepath.Dir(out.Manifest))
	})
	t.Run("the other one was interrupted", func(t *testing.T) {
		c := committer(t)
		out, err := c.Apply(t.Context(), place(t, torn), repair.Options{})
		must(t, err)
		must(t, os.Remove(out.Manifest))
		checkOwnOriginal(t, c, filepath.Dir(out.Manifest))
	})
	t.Run("the file system has no links", func(t *testing.T) {
		c := committer(t)
		c.FS = linkless{}
		out, err := c.Apply(t.Context(), place(t, torn), repair.Options{})
		must(t, err)
		checkOwnOriginal(t, c, filepath.Dir(out.Manifest))
	})
}

// checkOwnOriginal repairs a log whose twin has the backup in dir.
func checkOwnOriginal(t *testing.T, c *repair.Committer, dir string) {
	t.Helper()
	out, err := c.Apply(t.Context(), place(t, torn), repair.Options{})
	must(t, err)
	own := filepath.Dir(out.Manifest)
	if sharing(t, [2]string{dir, own}) {
		t.Error("both backups have one file")
	}
	if got := string(readFile(t, filepath.Join(own, "original"))); got != torn {
		t.Errorf("the backup has %q", got)
	}
}

// linkless is a disk without hard links.
type linkless struct{ repair.Disk }

func (linkless) Link(string, string) error { return errors.ErrUnsupported }

func TestSharedBytesCountOnce(t *testing.T) {
	c := committer(t)
	_, _ = twins(t, c)
	other := place(t, torn+"x")
	_, err := c.Apply(t.Context(), other, repair.Options{})
	must(t, err)
	all := backups(t, c)
	size := func(image, lost string) int64 { return int64(len(image) + len(lost)) }
	want := size(torn, `{"type"`) + size("", `{"type"`) + size(torn+"x", `{"type"x`)
	if got := c.Usage(all); got != want {
		t.Errorf("%d bytes, want %d", got, want)
	}
	for _, b := range all {
		if got := c.Usage([]repair.Backup{b}); got != b.Size {
			t.Errorf("one backup takes %d bytes, want its %d", got, b.Size)
		}
	}
}

func TestAFaultAtAnyOperationOfARepairSparesTheBackupOfATwin(t *testing.T) {
	before, after := tornLog(t)
	atEveryOperation(t, before, func(t *testing.T, disk *faulty, path string) {
		c := committer(t)
		first := filepath.Join(t.TempDir(), "session.jsonl.zstd")
		writeFile(t, first, before)
		_, err := c.Apply(t.Context(), first, repair.Options{})
		must(t, err)
		c.FS = disk
		out, err := c.Apply(t.Context(), path, repair.Options{})
		at := fmt.Sprintf("fault at operation %d, %s", disk.n, disk.failed)
		checkOutcome(t, at, readFile(t, path), before, after, out, err, disk)

		c.FS = sound()
		if _, err := c.Apply(t.Context(), path, repair.Options{}); err != nil || !bytes.Equal(readFile(t, path), after) {
			t.Errorf("%s: the next run did not finish the repair: %v", at, err)
		}
		for _, log := range []string{first, path} {
			if _, err := c.Undo(t.Context(), log); err != nil || !bytes.Equal(readFile(t, log), before) {
				t.Errorf("%s: the undo: %v", at, err)
			}
		}
	})
}

package repair_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/turnlint/turnlint/repair"
)

// faulty is a disk whose n-th operation fails with err, and every later one too
// when it crashes there. A failing write leaves half of its bytes; without an err, it
// is a write only that fails, and says no more than how short it was. Nothing is
// synced in earnest, because that takes most of the time.
type faulty struct {
	repair.Disk
	n       int // operations until the fault; negative: never
	err     error
	crash   bool
	done    int    // operations so far
	failed  string // what the fault hit
	crashed bool
}

func (f *faulty) op(name string) error {
	if f.err == nil && name != "write" {
		return nil
	}
	f.done++
	if f.crashed || f.done-1 == f.n {
		if !f.crashed {
			f.failed = name
		}
		f.crashed = f.crash
		return cmp.Or(f.err, io.ErrShortWrite)
	}
	return nil
}

func (f *faulty) Lstat(name string) (fs.FileInfo, error) {
	if err := f.op("lstat"); err != nil {
		return nil, err
	}
	return f.Disk.Lstat(name)
}

func (f *faulty) Open(name string) (repair.File, error) {
	if err := f.op("open"); err != nil {
		return nil, err
	}
	file, err := f.Disk.Open(name)
	return &faultyFile{file, f}, err
}

func (f *faulty) Create(name string) (repair.File, error) {
	if err := f.op("create"); err != nil {
		return nil, err
	}
	file, err := f.Disk.Create(name)
	return &faultyFile{file, f}, err
}

// Copy leaves half of the bytes when it fails.
func (f *faulty) Copy(to, from repair.File, r repair.Range) error {
	err := f.op("copy")
	if err != nil {
		r.Len /= 2
	}
	return errors.Join(err, f.Disk.Copy(plainFile(to), plainFile(from), r))
}

// plainFile returns the file of the disk.
func plainFile(f repair.File) repair.File {
	if faulty, ok := f.(*faultyFile); ok {
		return faulty.File
	}
	return f
}

func (f *faulty) MkdirAll(name string) error {
	return unless(f.op("mkdir"), func() error { return f.Disk.MkdirAll(name) })
}

func (f *faulty) Adopt(name string, a repair.Attributes) error {
	return unless(f.op("adopt"), func() error { return f.Disk.Adopt(name, a) })
}

func (f *faulty) Link(name, second string) error {
	return unless(f.op("link"), func() error { return f.Disk.Link(name, second) })
}

func (f *faulty) Rename(name, second string) error {
	return unless(f.op("rename"), func() error { return f.Disk.Rename(name, second) })
}

func (f *faulty) RenameNew(name, second string) error {
	return unless(f.op("rename"), func() error { return f.Disk.RenameNew(name, second) })
}

func (f *faulty) Remove(name string) error {
	return unless(f.op("remove"), func() error { return f.Disk.Remove(name) })
}

func (f *faulty) ReadDir(name string) ([]string, error) {
	if err := f.op("readdir"); err != nil {
		return nil, err
	}
	return f.Disk.ReadDir(name)
}

func (f *faulty) SyncDir(name string) error {
	return f.op("syncdir")
}

func (f *faulty) Room(name string) (int64, error) {
	if err := f.op("room"); err != nil {
		return 0, err
	}
	return f.Disk.Room(name)
}

func unless(err error, do func() error) error {
	if err != nil {
		return err
	}
	return do()
}

type faultyFile struct {
	repair.File
	fs *faulty
}

func (f *faultyFile) ReadAt(p []byte, off int64) (int, error) {
	if err := f.fs.op("read"); err != nil {
		return 0, err
	}
	return f.File.ReadAt(p, off)
}

func (f *faultyFile) Write(p []byte) (int, error) {
	if err := f.fs.op("write"); err != nil {
		n, _ := f.File.Write(p[:len(p)/2])
		return n, f.fs.err
	}
	return f.File.Write(p)
}

func (f *faultyFile) Stat() (fs.FileInfo, error) {
	if err := f.fs.op("stat"); err != nil {
		return nil, err
	}
	return f.File.Stat()
}

func (f *faultyFile) Sync() error {
	return f.fs.op("sync")
}

// Close closes the file even where it fails: the end of a process does, too.
func (f *faultyFile) Close() error {
	return errors.Join(f.fs.op("close"), f.File.Close())
}

// faults are the ways in which an operation fails. Short runs have the first ones.
var faults = []struct {
	name  string
	err   error
	crash bool
}{
	{"an I/O error", syscall.EIO, false},
	{"a full disk", syscall.ENOSPC, false},
	{"a disk that stays full", syscall.ENOSPC, true},
	{"a crash", errors.New("crash"), true},
	{"a disk that breaks", syscall.EIO, true},
	{"a quota", syscall.EDQUOT, false},
	{"a quota that stays used up", syscall.EDQUOT, true},
	{"a disk that becomes read-only", syscall.EROFS, true},
	{"a missing permission", syscall.EACCES, false},
	{"a short write", nil, false},
}

const shortFaults = 4

// atEveryOperation runs do with a fault at the first operation, the second and so
// on, until do succeeds without one. Each run has its own copy of the log.
func atEveryOperation(t *testing.T, image []byte, do func(t *testing.T, disk *faulty, path string)) {
	for i, fault := range faults {
		if testing.Short() && i >= shortFaults {
			continue
		}
		t.Run(fault.name, func(t *testing.T) {
			t.Parallel() // most of the time goes into fsync
			for n := 0; ; n++ {
				path := filepath.Join(t.TempDir(), "session.jsonl.zstd")
				writeFile(t, path, image)
				disk := &faulty{n: n, err: fault.err, crash: fault.crash}
				do(t, disk, path)
				if disk.failed == "" {
					t.Logf("%d fault points", n)
					return
				}
			}
		})
	}
}

func writeFile(t *testing.T, path string, image []byte) {
	t.Helper()
	if err := os.WriteFile(path, image, 0o600); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	image, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return image
}

// tornLog is a log with a torn frame and an open turn, and what becomes of it.
func tornLog(t *testing.T) (before, after []byte) {
	before = bytes.Join([][]byte{frame(t, text(header)), frame(t, text(start1, end1)), tornFrame(text(start2, step2) + "{")}, nil)
	return before, write(t, plan(t, before, repair.Options{}), before)
}

func TestAFaultAtAnyOperationOfARepairLeavesTheOldLogOrTheNew(t *testing.T) {
	before, after := tornLog(t)
	atEveryOperation(t, before, func(t *testing.T, disk *faulty, path string) {
		state := filepath.Join(t.TempDir(), "state")
		c := &repair.Committer{FS: disk, StateDir: state, AssumeStopped: true}
		out, err := c.Apply(t.Context(), path, repair.Options{})
		at := fmt.Sprintf("fault at operation %d, %s", disk.n, disk.failed)
		checkOutcome(t, at, readFile(t, path), before, after, out, err, disk)

		c.FS = sound()
		if _, err := c.Apply(t.Context(), path, repair.Options{}); err != nil {
			t.Errorf("%s: the next run: %v", at, err)
		}
		if !bytes.Equal(readFile(t, path), after) {
			t.Errorf("%s: the next run did not finish the repair", at)
		}
		checkOnlyFile(t, at, path)
		checkBackup(t, at, state, before)
	})
}

// explains reports whether an error is that of the fault. A short write has none.
func (f *faulty) explains(err error) bool {
	return f.failed != "" && err != nil && (f.err == nil || errors.Is(err, f.err))
}

// checkOutcome checks that a log is old or new, and that the error says which, and why.
func checkOutcome(t *testing.T, at string, got, before, after []byte, out *repair.Outcome, err error, disk *faulty) {
	t.Helper()
	published := out != nil && out.Published
	want := before
	if published {
		want = after
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: published %v, and the log has %d other bytes", at, published, len(got))
	}
	switch {
	case err == nil && !published:
		t.Errorf("%s: no error, and nothing is published", at)
	case published && err != nil && !(errors.Is(err, repair.ErrUnconfirmed) && disk.explains(err)):
		t.Errorf("%s: published with the error %v", at, err)
	case !published && !disk.explains(err):
		t.Errorf("%s: not published: %v", at, err)
	}
}

// checkOnlyFile checks that nothing is left beside the log.
func checkOnlyFile(t *testing.T, at, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != filepath.Base(path) {
			t.Errorf("%s: %s is left behind", at, e.Name())
		}
	}
}

// checkBackup checks that the state directory holds one backup, of the given bytes.
func checkBackup(t *testing.T, at, state string, before []byte) {
	t.Helper()
	manifests, err := filepath.Glob(filepath.Join(state, "backups", "*", "manifest.json"))
	if err != nil || len(manifests) != 1 {
		t.Fatalf("%s: manifests %q, %v, want one", at, manifests, err)
	}
	if !bytes.Equal(readFile(t, filepath.Join(filepath.Dir(manifests[0]), "original")), before) {
		t.Errorf("%s: the backup is not the log", at)
	}
}

func TestAFaultAtAnyOperationOfAnUndoLeavesTheOldLogOrTheNew(t *testing.T) {
	before, after := tornLog(t)
	atEveryOperation(t, before, func(t *testing.T, disk *faulty, path string) {
		c := committer(t)
		c.FS = sound()
		_, err := c.Apply(t.Context(), path, repair.Options{})
		must(t, err)
		checkFaultyUndo(t, c, disk, path, after, before)
	})
}

func TestAFaultAtAnyOperationOfAnUndoOfAnUndoLeavesTheOldLogOrTheNew(t *testing.T) {
	before, after := tornLog(t)
	atEveryOperation(t, before, func(t *testing.T, disk *faulty, path string) {
		c := committer(t)
		c.FS = sound()
		_, err := c.Apply(t.Context(), path, repair.Options{})
		must(t, err)
		_, err = c.Undo(t.Context(), path)
		must(t, err)
		checkFaultyUndo(t, c, disk, path, before, after)
	})
}

// checkFaultyUndo runs an undo on a faulty disk, and then on a good one what is left
// to do and the way back.
func checkFaultyUndo(t *testing.T, c *repair.Committer, disk *faulty, path string, leaves, comes []byte) {
	t.Helper()
	c.FS = disk
	out, err := c.Undo(t.Context(), path)
	at := fmt.Sprintf("fault at operation %d, %s", disk.n, disk.failed)
	checkOutcome(t, at, readFile(t, path), leaves, comes, out, err, disk)

	c.FS = sound()
	if out == nil || !out.Published {
		if _, err := c.Undo(t.Context(), path); err != nil {
			t.Errorf("%s: the next run: %v", at, err)
		}
	}
	if !bytes.Equal(readFile(t, path), comes) {
		t.Errorf("%s: the next run did not finish the undo", at)
	}
	if _, err := c.Undo(t.Context(), path); err != nil || !bytes.Equal(readFile(t, path), leaves) {
		t.Errorf("%s: the way back: %v", at, err)
	}
	checkOnlyFile(t, at, path)
}

func TestAFaultAtAnyOperationOfACopyLeavesNoPartOfIt(t *testing.T) {
	before, after := tornLog(t)
	atEveryOperation(t, before, func(t *testing.T, disk *faulty, path string) {
		target := filepath.Join(t.TempDir(), "copies", "session.jsonl.zstd")
		c := &repair.Committer{FS: disk, AssumeStopped: true}
		_, err := c.Copy(t.Context(), bytes.NewReader(before), int64(len(before)), path, target, repair.Options{})
		at := fmt.Sprintf("fault at operation %d, %s", disk.n, disk.failed)
		got, missing := os.ReadFile(target)
		switch {
		case missing == nil && !bytes.Equal(got, after):
			t.Errorf("%s: the copy has %d other bytes", at, len(got))
		case missing != nil && err == nil:
			t.Errorf("%s: no error and no copy", at)
		}
		if !bytes.Equal(readFile(t, path), before) {
			t.Errorf("%s: the source changed", at)
		}
	})
}

func TestAFailedRepairSaysWhatItLeavesBehind(t *testing.T) {
	before, _ := tornLog(t)
	path := filepath.Join(t.TempDir(), "session.jsonl.zstd")
	writeFile(t, path, before)
	disk := &stubborn{}
	c := &repair.Committer{FS: disk, StateDir: filepath.Join(t.TempDir(), "state"), AssumeStopped: true}
	_, err := c.Apply(t.Context(), path, repair.Options{})
	if err == nil || !errors.Is(err, syscall.EIO) || !strings.Contains(err.Error(), "is left behind and can be removed") {
		t.Errorf("error %v, want one that names the file", err)
	}
}

// stubborn renames and removes nothing.
type stubborn struct{ repair.Disk }

func (stubborn) Rename(string, string) error { return syscall.EIO }
func (stubborn) Remove(name string) error {
	if strings.HasSuffix(name, ".tmp") {
		return syscall.EIO
	}
	return repair.Disk{}.Remove(name)
}

package repair_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/repair"
)

// torn is a plain log with a partial line and an open turn.
var torn = text(header, start1, end1, start2) + `{"type"`

// committer returns a Committer with a state directory of its own.
func committer(t *testing.T) *repair.Committer {
	t.Helper()
	return &repair.Committer{FS: repair.Disk{}, StateDir: filepath.Join(t.TempDir(), "state"), AssumeStopped: true}
}

// place writes a log to a new directory and returns its path.
func place(t *testing.T, image string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session.jsonl")
	writeFile(t, path, []byte(image))
	return path
}

func TestUndoRefusesALogThatHasChanged(t *testing.T) {
	path := place(t, torn)
	c := committer(t)
	out, err := c.Apply(t.Context(), path, repair.Options{})
	if err != nil {
		t.Fatal(err)
	}
	changed := append(readFile(t, path), text(`{"type":"session/end-seed","seq":4,"time":5,"data":{}}`)...)
	writeFile(t, path, changed)
	for _, name := range []string{path, out.Manifest} {
		if _, err := c.Undo(t.Context(), name); err == nil || !strings.Contains(err.Error(), "changed since the repair") {
			t.Errorf("undo: %v, want a refusal", err)
		}
	}
	if !bytes.Equal(readFile(t, path), changed) {
		t.Error("the log changed")
	}
}

func TestUndoRefusesADamagedBackup(t *testing.T) {
	path := place(t, torn)
	c := committer(t)
	out, err := c.Apply(t.Context(), path, repair.Options{})
	if err != nil {
		t.Fatal(err)
	}
	repaired := readFile(t, path)
	writeFile(t, filepath.Join(filepath.Dir(out.Manifest), "original"), []byte(strings.ToUpper(torn)))
	if _, err := c.Undo(t.Context(), path); err == nil || !strings.Contains(err.Error(), "the backup is damaged") {
		t.Errorf("undo: %v, want a refusal", err)
	}
	if !bytes.Equal(readFile(t, path), repaired) {
		t.Error("the log changed")
	}
	checkOnlyFile(t, "after the refusal", path)
}

func TestLostBytesLieBesideTheManifest(t *testing.T) {
	path := place(t, torn)
	out, err := committer(t).Apply(t.Context(), path, repair.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var m repair.Manifest
	if err := json.Unmarshal(readFile(t, out.Manifest), &m); err != nil {
		t.Fatal(err)
	}
	off := int64(len(torn) - len(`{"type"`))
	want := []repair.Lost{{File: fmt.Sprintf("%012d", off), Leave: repair.Leave{FileOff: off, Len: 7, Reason: "partial line"}}}
	if diff := cmp.Diff(want, m.LostFound); diff != "" {
		t.Errorf("lost+found (-want +got):\n%s", diff)
	}
	lost := filepath.Join(filepath.Dir(out.Manifest), "lost+found")
	if got := string(readFile(t, filepath.Join(lost, m.LostFound[0].File))); got != `{"type"` {
		t.Errorf("lost bytes %q", got)
	}
	var index []repair.Lost
	if err := json.Unmarshal(readFile(t, filepath.Join(lost, "index.json")), &index); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m.LostFound, index); diff != "" {
		t.Errorf("index (-manifest +index):\n%s", diff)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func move(t *testing.T, from, to string) {
	t.Helper()
	must(t, os.Rename(from, to))
}

func TestASecondNameThatDshLeftBehindIsNoReasonToRefuse(t *testing.T) {
	path := place(t, torn)
	must(t, os.Link(path, path+".0123456789ab.tmp"))
	if _, err := committer(t).Apply(t.Context(), path, repair.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := string(readFile(t, path+".0123456789ab.tmp")); got != torn {
		t.Errorf("the other name has %q", got)
	}
}

func TestTheStateDirectoryMayNotLieAmongTheSessions(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "sessions", "--work--", "s", "session.jsonl")
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	writeFile(t, path, []byte(torn))
	must(t, os.Symlink(filepath.Join(root, "sessions"), filepath.Join(root, "link")))
	c := committer(t)
	for dir, refused := range map[string]bool{
		filepath.Join(root, "sessions", "state"):             true,
		filepath.Join(root, "link", "deep", "state"):         true,
		filepath.Join(root, "sessions", "--work--", "state"): true,
		filepath.Join(root, "sessions..state"):               false,
	} {
		c.StateDir = dir
		_, err := c.Apply(t.Context(), path, repair.Options{})
		if got := err != nil && strings.Contains(err.Error(), "lies in the sessions tree"); got != refused {
			t.Errorf("state directory %q: %v", dir, err)
		}
		writeFile(t, path, []byte(torn))
	}
}

func TestAnInterruptedRepairLeavesNoTrace(t *testing.T) {
	for _, when := range []string{"create", "syncdir"} { // while it writes, and before it renames
		path := place(t, torn)
		ctx, cancel := context.WithCancel(t.Context())
		c := committer(t)
		c.FS = &cancelling{cancel: cancel, when: when}
		if _, err := c.Apply(ctx, path, repair.Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("interrupted at %s: %v, want the error of the context", when, err)
		}
		if string(readFile(t, path)) != torn {
			t.Errorf("interrupted at %s: the log changed", when)
		}
		checkOnlyFile(t, "interrupted at "+when, path)
	}
}

// cancelling is interrupted at an operation.
type cancelling struct {
	repair.Disk
	cancel context.CancelFunc
	when   string
}

func (c *cancelling) Create(name string) (repair.File, error) {
	if c.when == "create" {
		c.cancel()
	}
	return c.Disk.Create(name)
}

func (c *cancelling) SyncDir(name string) error {
	if c.when == "syncdir" {
		c.cancel()
	}
	return c.Disk.SyncDir(name)
}

func TestALogThatChangesDuringItsRepairIsLeftAlone(t *testing.T) {
	changes := map[string]func(t *testing.T, path string) (now string){
		"grows": func(t *testing.T, path string) string {
			writeFile(t, path, []byte(torn+"more"))
			return torn + "more"
		},
		"is replaced by an equal one": func(t *testing.T, path string) string {
			must(t, os.Remove(path))
			writeFile(t, path, []byte(torn))
			return torn
		},
		"changes under the same size and time": func(t *testing.T, path string) string {
			info, err := os.Stat(path)
			must(t, err)
			changed := strings.Replace(torn, `"time":10`, `"time":11`, 1)
			writeFile(t, path, []byte(changed))
			must(t, os.Chtimes(path, time.Time{}, info.ModTime()))
			return changed
		},
	}
	for name, change := range changes {
		for _, when := range []string{"mkdir", "create", "syncdir"} { // to lock, to write, and before the rename
			t.Run(name+" at "+when, func(t *testing.T) {
				path := place(t, torn)
				now := ""
				c := committer(t)
				c.FS = &meanwhile{when: when, do: func() { now = change(t, path) }}
				_, err := c.Apply(t.Context(), path, repair.Options{})
				if err == nil || when == "syncdir" && !errors.Is(err, repair.ErrInUse) {
					t.Errorf("error %v, want ErrInUse", err)
				}
				if got := string(readFile(t, path)); got != now {
					t.Errorf("the log is %q, want %q", got, now)
				}
				checkOnlyFile(t, "after the refusal", path)
			})
		}
	}
}

// meanwhile does something once, before the first operation of a kind.
type meanwhile struct {
	repair.Disk
	when string
	do   func()
}

func (m *meanwhile) happens(when string) {
	if m.when == when {
		m.when = ""
		m.do()
	}
}

func (m *meanwhile) MkdirAll(name string) error {
	m.happens("mkdir")
	return m.Disk.MkdirAll(name)
}

func (m *meanwhile) Create(name string) (repair.File, error) {
	m.happens("create")
	return m.Disk.Create(name)
}

func (m *meanwhile) SyncDir(name string) error {
	m.happens("syncdir")
	return m.Disk.SyncDir(name)
}

func TestCopiesOverwriteNothing(t *testing.T) {
	target := filepath.Join(t.TempDir(), "session.jsonl")
	c := committer(t)
	src := bytes.NewReader([]byte(torn))
	copyTo := func() error {
		_, err := c.Copy(t.Context(), src, src.Size(), "", target, repair.Options{})
		return err
	}
	must(t, copyTo())
	first := readFile(t, target)
	if err := copyTo(); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("error %v, want a refusal", err)
	}
	if !bytes.Equal(readFile(t, target), first) {
		t.Error("the copy changed")
	}
	checkOnlyFile(t, "after both", target)
}

func TestPlansAreCarriedOutOnlyOnTheirLog(t *testing.T) {
	path := place(t, torn)
	c := committer(t)
	c.Expect = plan(t, []byte(torn), repair.Options{})
	c.Expect.Keep--
	if _, err := c.Apply(t.Context(), path, repair.Options{}); !errors.Is(err, repair.ErrMismatch) {
		t.Errorf("a forged plan: %v, want ErrMismatch", err)
	}
	c.Expect = plan(t, []byte(torn+"x"), repair.Options{})
	if _, err := c.Apply(t.Context(), path, repair.Options{}); !errors.Is(err, repair.ErrMismatch) {
		t.Errorf("a plan for other bytes: %v, want ErrMismatch", err)
	}
	c.Expect = plan(t, []byte(torn), repair.Options{})
	if _, err := c.Apply(t.Context(), path, repair.Options{}); err != nil {
		t.Errorf("the plan of the log: %v", err)
	}
}

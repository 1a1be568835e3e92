package repair_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/turnlint/turnlint/repair"
)

// look is what a user sees of a file.
type look struct {
	Bytes   string
	Mode    os.FileMode
	ModTime time.Time
}

func lookAt(t rapid.TB, path string) look {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	image, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return look{string(image), info.Mode(), info.ModTime()}
}

func TestAnyRowOfAppliesAndUndosSwapsTwoStatesOfTheLog(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		path := place(t, torn)
		mode := os.FileMode(rapid.SampledFrom([]int{0o600, 0o640, 0o444}).Draw(rt, "mode"))
		then := time.Date(2026, 7, 1, 12, 0, 0, rapid.IntRange(0, 999_999_999).Draw(rt, "ns"), time.UTC)
		must(t, errors.Join(os.Chmod(path, mode), os.Chtimes(path, then, then)))
		c := committer(t)
		damaged := lookAt(rt, path)
		var repaired look
		for i, step := range rapid.SliceOfN(rapid.SampledFrom([]string{"apply", "undo"}), 1, 8).Draw(rt, "steps") {
			was := lookAt(rt, path)
			out, err := swap(t, c, step, path)
			now := lookAt(rt, path)
			switch {
			case step == "undo" && repaired.Bytes == "":
				if err == nil {
					rt.Fatalf("step %d: an undo of nothing", i)
				}
			case err != nil:
				rt.Fatalf("step %d, %s: %v", i, step, err)
			case step == "apply" && was.Bytes == damaged.Bytes:
				repaired = now // made anew, so it has a new time
			case step == "undo" && was.Bytes == damaged.Bytes:
				checkSwap(rt, repaired, now, repair.Redone, out)
			case step == "undo":
				checkSwap(rt, damaged, now, repair.Undone, out)
			default:
				checkSwap(rt, was, now, "", out)
			}
		}
	})
}

func swap(t *testing.T, c *repair.Committer, step, path string) (*repair.Outcome, error) {
	if step == "undo" {
		return c.Undo(t.Context(), path)
	}
	return c.Apply(t.Context(), path, repair.Options{})
}

func checkSwap(t rapid.TB, want, got look, kind repair.SwapKind, out *repair.Outcome) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("the log (-want +got):\n%s", diff)
	}
	if out.Kind != kind {
		t.Fatalf("it was %q, want %q", out.Kind, kind)
	}
}

func TestTheManifestKeepsTheHistoryOfALog(t *testing.T) {
	path := place(t, torn)
	c := committer(t)
	var manifest string
	for _, step := range []string{"apply", "undo", "undo", "undo", "apply"} {
		out, err := swap(t, c, step, path)
		must(t, err)
		manifest = out.Manifest
	}
	var m repair.Manifest
	must(t, json.Unmarshal(readFile(t, manifest), &m))
	var kinds []repair.SwapKind
	for i, s := range m.History {
		kinds = append(kinds, s.Kind)
		if i > 0 && s.Time.Before(m.History[i-1].Time) {
			t.Errorf("entry %d is older than the one before", i)
		}
	}
	want := []repair.SwapKind{repair.Applied, repair.Undone, repair.Redone, repair.Undone, repair.Applied}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
}

func TestAnUndoTakesBackTheLastOfSeveralRepairs(t *testing.T) {
	path := place(t, torn)
	c := committer(t)
	apply := func() string {
		_, err := c.Apply(t.Context(), path, repair.Options{})
		must(t, err)
		return string(readFile(t, path))
	}
	first := apply()
	damagedAgain := first + `{"type"`
	writeFile(t, path, []byte(damagedAgain))
	if second := apply(); second != first {
		t.Fatalf("the second repair gives %q, want the log of the first", second)
	}
	for i, want := range []string{damagedAgain, first, damagedAgain} {
		if _, err := c.Undo(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		if got := string(readFile(t, path)); got != want {
			t.Errorf("after undo %d the log is %q, want %q", i+1, got, want)
		}
	}
}

func TestAnUndoOfAnInterruptedRepairHasNothingToDo(t *testing.T) {
	path := place(t, torn)
	c := committer(t)
	c.FS = &stubborn{}
	if _, err := c.Apply(t.Context(), path, repair.Options{}); err == nil {
		t.Fatal("the repair was not interrupted")
	}
	c.FS = repair.Disk{}
	if _, err := c.Undo(t.Context(), path); !errors.Is(err, repair.ErrUndone) {
		t.Errorf("error %v, want ErrUndone", err)
	}
}

func TestAManifestFromElsewhereIsNotFollowed(t *testing.T) {
	path := place(t, torn)
	c := committer(t)
	out, err := c.Apply(t.Context(), path, repair.Options{})
	must(t, err)
	repaired := readFile(t, path)
	elsewhere := filepath.Join(t.TempDir(), "backups", filepath.Base(filepath.Dir(out.Manifest)))
	must(t, os.CopyFS(elsewhere, os.DirFS(filepath.Dir(out.Manifest))))
	manifests := map[string][]byte{
		"in another directory": readFile(t, out.Manifest),
		"with a short hash":    []byte(strings.Replace(string(readFile(t, out.Manifest)), sha([]byte(torn)), "ab", 1)),
		"without a history":    []byte(`{"version":2,"path":"x","before":{"sha256":"ab"}}`),
		"of another version":   []byte(strings.Replace(string(readFile(t, out.Manifest)), `"version": 2`, `"version": 1`, 1)),
		"that is none":         []byte("null"),
	}
	for name, text := range manifests {
		t.Run(name, func(t *testing.T) {
			manifest := filepath.Join(elsewhere, "manifest.json")
			writeFile(t, manifest, text)
			if _, err := c.Undo(t.Context(), manifest); err == nil {
				t.Error("it is followed")
			}
			if string(readFile(t, path)) != string(repaired) {
				t.Error("the log changed")
			}
		})
	}
}

func TestALogThatAnotherRunRepairedMeanwhileIsLeftAlone(t *testing.T) {
	image := text(header, start1, end1, start2) + step2 // repaired in two ways
	path := place(t, image)
	c := committer(t)
	c.FS = &overtaken{then: func() {
		other := &repair.Committer{FS: repair.Disk{}, StateDir: c.StateDir, AssumeStopped: true}
		_, err := other.Apply(t.Context(), path, repair.Options{LikeDsh: true})
		must(t, err)
	}}
	if _, err := c.Apply(t.Context(), path, repair.Options{}); !errors.Is(err, repair.ErrInUse) {
		t.Errorf("error %v, want ErrInUse", err)
	}
	c.FS = repair.Disk{}
	if _, err := c.Undo(t.Context(), path); err != nil {
		t.Errorf("the undo of the other run's repair: %v", err)
	}
	if got := string(readFile(t, path)); got != image {
		t.Errorf("the log is %q", got)
	}
}

// overtaken lets another run do something just before the lock is taken.
type overtaken struct {
	repair.Disk
	then func()
}

func (o *overtaken) MkdirAll(name string) error {
	if filepath.Base(name) == "locks" {
		o.then()
	}
	return o.Disk.MkdirAll(name)
}

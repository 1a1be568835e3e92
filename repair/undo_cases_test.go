package repair_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/repair"
)

func TestRepairsOfDamageCasesCanBeUndoneAndAreDoneOnce(t *testing.T) {
	repaired := 0
	for _, c := range vectortest.Cases(t) {
		t.Run(c.Name, func(t *testing.T) {
			image := readFile(t, c.Log)
			path := filepath.Join(t.TempDir(), filepath.Base(c.Log))
			writeFile(t, path, image)
			must(t, os.Chmod(path, 0o640))
			before := lookAt(t, path)
			c := committer(t)
			out, err := c.Apply(t.Context(), path, repair.Options{})
			must(t, err)
			if !out.Published {
				if lookAt(t, path) != before {
					t.Error("the log changed without a repair")
				}
				return
			}
			repaired++
			after := lookAt(t, path)
			if again, err := c.Apply(t.Context(), path, repair.Options{}); err != nil || again.Plan.Action != repair.Nothing {
				t.Errorf("a second repair: %s, %v", again.Plan.Action, err)
			}
			for i, want := range []look{before, after, before} {
				if _, err := c.Undo(t.Context(), path); err != nil {
					t.Fatalf("undo %d: %v", i+1, err)
				}
				if lookAt(t, path) != want {
					t.Errorf("undo %d does not bring bytes, mode and time back", i+1)
				}
			}
			checkLostAndFound(t, out, image)
		})
	}
	if repaired == 0 {
		t.Error("no case was repaired")
	}
}

// checkLostAndFound checks that the bytes that left the log lie in lost+found.
func checkLostAndFound(t *testing.T, out *repair.Outcome, image []byte) {
	t.Helper()
	lost, err := os.ReadDir(filepath.Join(filepath.Dir(out.Manifest), "lost+found"))
	must(t, err)
	if got, want := len(lost), len(out.Plan.Leaves)+1; got != want {
		t.Errorf("lost+found has %d files, want %d with the index", got, want)
	}
	for _, l := range out.Plan.Leaves {
		if l.Text != nil {
			continue
		}
		want := image[l.FileOff : l.FileOff+l.Len]
		found := false
		for _, f := range lost {
			found = found || bytes.Equal(readFile(t, filepath.Join(filepath.Dir(out.Manifest), "lost+found", f.Name())), want)
		}
		if !found {
			t.Errorf("the %d bytes at %d are not in lost+found", l.Len, l.FileOff)
		}
	}
}

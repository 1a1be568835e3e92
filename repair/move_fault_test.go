package repair_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/turnlint/turnlint/internal/soak"
	"github.com/turnlint/turnlint/internal/treetest"
	"github.com/turnlint/turnlint/repair"
)

// movedTree is a sessions directory with one log that is to be moved, and the places
// at which the log may lie; "" is the backup.
type movedTree struct {
	name     string
	files    map[string]string
	from, to string
}

var movedTrees = []movedTree{
	{"a session directory", map[string]string{"--old--/t/session.jsonl": short}, "--old--/t/session.jsonl", placeOfS},
	{"a flat log", map[string]string{"--old--/s.jsonl": short}, "--old--/s.jsonl", placeOfS},
	{"a log beside another", map[string]string{"--old--/s/session.jsonl": short, "--work--/s/notes": ""}, "--old--/s/session.jsonl", placeOfS},
	{"a copy", map[string]string{"--old--/s/session.jsonl": short, placeOfS: long}, "--old--/s/session.jsonl", ""},
}

// moveFaults are those that a move can tell apart. Long runs have all.
var moveFaults = []string{"an I/O error", "a crash", "a missing permission"}

// atEveryMove runs do on each tree with a fault at the first operation, the second
// and so on, until it succeeds without one.
func atEveryMove(t *testing.T, do func(t *testing.T, disk *faulty, root string, tree *movedTree)) {
	for _, tree := range movedTrees {
		for _, fault := range faults {
			if !soak.On() && !slices.Contains(moveFaults, fault.name) {
				continue
			}
			t.Run(tree.name+", "+fault.name, func(t *testing.T) {
				t.Parallel()
				for n := 0; ; n++ {
					disk := &faulty{n: n, err: fault.err, crash: fault.crash}
					do(t, disk, treetest.Plant(t, tree.files), &tree)
					if disk.failed == "" {
						t.Logf("%d fault points", n)
						return
					}
				}
			})
		}
	}
}

// sound returns a disk without faults.
func sound() *faulty { return &faulty{n: -1} }

// onlyMove returns the one move of a tree.
func onlyMove(t *testing.T, root string) *repair.Move {
	t.Helper()
	moves, err := repair.PlanMoves(t.Context(), root, repair.Options{})
	must(t, err)
	if len(moves) != 1 {
		t.Fatalf("%d moves, want 1:\n%s", len(moves), movesText(moves))
	}
	return moves[0]
}

// lies reports whether a file holds the short log.
func lies(path string) bool {
	got, err := os.ReadFile(path)
	return err == nil && string(got) == short
}

// where says where the moved log lies.
func (tree *movedTree) where(root, state string) (places []string) {
	if lies(filepath.Join(root, tree.from)) {
		places = append(places, "old")
	}
	if tree.to != "" && lies(filepath.Join(root, tree.to)) {
		places = append(places, "new")
	}
	if backups, _ := filepath.Glob(filepath.Join(state, "backups", "*", "original")); tree.to == "" && slices.ContainsFunc(backups, lies) {
		places = append(places, "new")
	}
	return places
}

// checkWhere checks that the log is not lost, and that out and err say where it is, and
// why.
func (tree *movedTree) checkWhere(t *testing.T, at, root, state string, out *repair.Outcome, err error, disk *faulty, from, to string) {
	t.Helper()
	places := tree.where(root, state)
	published := out != nil && out.Published
	want := from
	if published {
		want = to
	}
	if !slices.Contains(places, want) {
		t.Errorf("%s: published %t, and the log lies at %q: %v", at, published, places, err)
	}
	switch {
	case published == (err != nil) && !errors.Is(err, repair.ErrUnconfirmed):
		t.Errorf("%s: published %t with the error %v", at, published, err)
	case !published && !disk.explains(err):
		t.Errorf("%s: not published, with the error %v", at, err)
	case published && to == "new" && slices.Contains(places, "old"):
		t.Errorf("%s: published, and the log still lies at its old place", at)
	}
}

// checkNoDirs checks that no empty directory is left, nor a temporary file.
func checkNoDirs(t *testing.T, at, root string) {
	t.Helper()
	must(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		must(t, err)
		if filepath.Ext(path) == ".tmp" {
			t.Errorf("%s: %s is left behind", at, path)
		}
		if !e.IsDir() {
			return nil
		}
		entries, err := os.ReadDir(path)
		if err == nil && len(entries) == 0 {
			t.Errorf("%s: %s is empty", at, path)
		}
		return err
	}))
}

func TestAFaultAtAnyOperationOfAMoveLosesNoLog(t *testing.T) {
	atEveryMove(t, func(t *testing.T, disk *faulty, root string, tree *movedTree) {
		state := filepath.Join(t.TempDir(), "state")
		c := &repair.Committer{FS: disk, StateDir: state, AssumeStopped: true}
		out, err := c.Move(t.Context(), onlyMove(t, root))
		at := fmt.Sprintf("fault at operation %d, %s", disk.n, disk.failed)
		tree.checkWhere(t, at, root, state, out, err, disk, "old", "new")

		c.FS = sound()
		repairTree(t, c, root, repair.Options{})
		if places := tree.where(root, state); len(places) != 1 || places[0] != "new" {
			t.Errorf("%s: after the next run the log lies at %q", at, places)
		}
		checkLists(t, root, true)
		if disk.failed == "" {
			checkNoDirs(t, at, root)
		}
	})
}

func TestAFaultAtAnyOperationOfAnUndoOfAMoveLosesNoLog(t *testing.T) {
	atEveryMove(t, func(t *testing.T, disk *faulty, root string, tree *movedTree) {
		c := committer(t)
		c.FS = sound()
		before := treeState(t, root)
		done, err := c.Move(t.Context(), onlyMove(t, root))
		must(t, err)
		tree.checkFaultyUndo(t, c, disk, root, done.Manifest, "new", "old")
		if disk.failed != "" {
			return
		}
		if _, err := c.Undo(t.Context(), done.Manifest); err != nil { // the way back of checkFaultyUndo
			t.Fatal(err)
		}
		for name, want := range before {
			if got := treeState(t, root)[name]; got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
	})
}

func TestAFaultAtAnyOperationOfAnUndoOfAnUndoOfAMoveLosesNoLog(t *testing.T) {
	atEveryMove(t, func(t *testing.T, disk *faulty, root string, tree *movedTree) {
		c := committer(t)
		c.FS = sound()
		done, err := c.Move(t.Context(), onlyMove(t, root))
		must(t, err)
		_, err = c.Undo(t.Context(), done.Manifest)
		must(t, err)
		tree.checkFaultyUndo(t, c, disk, root, done.Manifest, "old", "new")
	})
}

// checkFaultyUndo runs an undo on a faulty disk, and then on a good one what is left
// to do and the way back.
func (tree *movedTree) checkFaultyUndo(t *testing.T, c *repair.Committer, disk *faulty, root, manifest, from, to string) {
	t.Helper()
	c.FS = disk
	out, err := c.Undo(t.Context(), manifest)
	at := fmt.Sprintf("fault at operation %d, %s", disk.n, disk.failed)
	tree.checkWhere(t, at, root, c.StateDir, out, err, disk, from, to)

	c.FS = sound()
	for _, want := range []string{to, from} {
		if tree.isAt(root, want) {
			continue
		}
		if _, err := c.Undo(t.Context(), manifest); err != nil {
			t.Errorf("%s: the way to the %s place: %v", at, want, err)
		}
		if !tree.isAt(root, want) {
			t.Errorf("%s: the log lies at %q, want %q", at, tree.where(root, c.StateDir), want)
		}
	}
}

// isAt reports whether the log lies at one place, and not at the other one.
func (tree *movedTree) isAt(root, place string) bool {
	old := lies(filepath.Join(root, tree.from))
	if tree.to == "" {
		return old == (place == "old")
	}
	return old == (place == "old") && lies(filepath.Join(root, tree.to)) == (place == "new")
}

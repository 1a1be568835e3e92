package repair_test

import (
	"path/filepath"
	"testing"

	"github.com/turnlint/turnlint/internal/treetest"
	"github.com/turnlint/turnlint/repair"
)

// movedSite is a tree with one log to move and the state directory of its backups,
// below one root.
type movedSite struct {
	*movedTree
	root, sessions, state string
}

// atEveryMovedSite runs do on each tree.
func atEveryMovedSite(t *testing.T, do func(t *testing.T, s *movedSite)) {
	for _, tree := range movedTrees {
		t.Run(tree.name, func(t *testing.T) {
			files := map[string]string{"home/": ""}
			for name, content := range tree.files {
				files["sessions/"+name] = content
			}
			root := treetest.Plant(t, files)
			do(t, &movedSite{&tree, root, filepath.Join(root, "sessions"), filepath.Join(root, "home", "state")})
		})
	}
}

func (s *movedSite) committer(fs repair.FS) *repair.Committer {
	return &repair.Committer{FS: fs, StateDir: s.state, AssumeStopped: true}
}

func (s *movedSite) move(t *testing.T, fs repair.FS) (manifest string) {
	t.Helper()
	out, err := s.committer(fs).Move(t.Context(), onlyMove(t, s.sessions))
	must(t, err)
	return out.Manifest
}

// check goes through all losses of power in what disk has traced, none of which may
// lose the log, and lets finish bring each picture to its end.
func (s *movedSite) check(t *testing.T, disk *tracedDisk, finish func(at string)) {
	t.Helper()
	old := 0
	pictures := disk.crashes(func(at string, files map[string][]byte) {
		restore(t, s.root, files)
		if len(s.where(s.sessions, s.state)) == 0 {
			t.Errorf("%s: the log is lost", at)
			return
		}
		if lies(filepath.Join(s.sessions, s.from)) {
			old++
		}
		finish(at)
	})
	t.Logf("%d changes, %d fault points, %d of them with the log at its old place", len(disk.ops), pictures, old)
	if old == 0 || old == pictures {
		t.Error("power was never lost on one side of the rename")
	}
}

func TestPowerLostInAMoveLosesNoLog(t *testing.T) {
	atEveryMovedSite(t, func(t *testing.T, s *movedSite) {
		disk := trace(t, s.root)
		s.move(t, disk)
		s.check(t, disk, func(at string) {
			repairTree(t, s.committer(sound()), s.sessions, repair.Options{})
			if places := s.where(s.sessions, s.state); len(places) != 1 || places[0] != "new" {
				t.Errorf("%s: after the next run the log lies at %q", at, places)
			}
			checkLists(t, s.sessions, true)
		})
	})
}

func TestPowerLostInAnUndoOfAMoveLosesNoLog(t *testing.T) {
	atEveryMovedSite(t, func(t *testing.T, s *movedSite) {
		manifest := s.move(t, sound())
		s.checkUndo(t, manifest, "old")
	})
}

func TestPowerLostInAnUndoOfAnUndoOfAMoveLosesNoLog(t *testing.T) {
	atEveryMovedSite(t, func(t *testing.T, s *movedSite) {
		manifest := s.move(t, sound())
		_, err := s.committer(sound()).Undo(t.Context(), manifest)
		must(t, err)
		s.checkUndo(t, manifest, "new")
	})
}

// checkUndo loses power in an undo that takes the log to a place, and lets another
// run finish it.
func (s *movedSite) checkUndo(t *testing.T, manifest, to string) {
	t.Helper()
	disk := trace(t, s.root)
	_, err := s.committer(disk).Undo(t.Context(), manifest)
	must(t, err)
	s.check(t, disk, func(at string) {
		if s.isAt(s.sessions, to) {
			return
		}
		before := s.where(s.sessions, s.state)
		_, err := s.committer(sound()).Undo(t.Context(), manifest)
		switch after := s.where(s.sessions, s.state); {
		case s.to != "" && len(before) == 2: // half of the rename was durable
			if err == nil || len(after) != 2 {
				t.Errorf("%s: of two logs, %q are left: %v", at, after, err)
			}
		case err != nil || !s.isAt(s.sessions, to):
			t.Errorf("%s: the next run: the log lies at %q, want %q: %v", at, after, to, err)
		}
	})
}

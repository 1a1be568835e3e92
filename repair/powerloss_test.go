package repair_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/repair"
)

// powerSite is a log with the state directory of its backups below one root.
type powerSite struct {
	root, log, state string
	before, after    []byte
}

func newPowerSite(t *testing.T) *powerSite {
	t.Helper()
	before, after := tornLog(t)
	return newPowerSiteOf(t, "session.jsonl.zstd", before, after)
}

func newPowerSiteOf(t *testing.T, name string, before, after []byte) *powerSite {
	t.Helper()
	root := t.TempDir()
	s := &powerSite{root: root, log: filepath.Join(root, "log", name), state: filepath.Join(root, "home", "state"), before: before, after: after}
	must(t, os.MkdirAll(filepath.Dir(s.log), 0o700))
	must(t, os.Mkdir(filepath.Join(root, "home"), 0o700))
	writeFile(t, s.log, s.before)
	return s
}

func (s *powerSite) committer(fs repair.FS) *repair.Committer {
	return &repair.Committer{FS: fs, StateDir: s.state, AssumeStopped: true}
}

func (s *powerSite) apply(t *testing.T, fs repair.FS) {
	t.Helper()
	_, err := s.committer(fs).Apply(t.Context(), s.log, repair.Options{})
	must(t, err)
}

func (s *powerSite) undo(t *testing.T, fs repair.FS) {
	t.Helper()
	_, err := s.committer(fs).Undo(t.Context(), s.log)
	must(t, err)
}

// harmed says what is wrong with a picture: the log has to hold leaves or comes, and
// when it is the latter, the former have to be in the backup. "" means nothing.
func (s *powerSite) harmed(files map[string][]byte, leaves, comes []byte) string {
	switch log, ok := files[s.log]; {
	case !ok:
		return "there is no log"
	case bytes.Equal(log, leaves):
		return ""
	case !bytes.Equal(log, comes):
		return "the log is neither the old one nor the new one"
	}
	for path, content := range files {
		if filepath.Base(path) != "manifest.json" || !json.Valid(content) {
			continue
		}
		for _, name := range []string{"original", "repaired"} {
			if bytes.Equal(files[filepath.Join(filepath.Dir(path), name)], leaves) {
				return ""
			}
		}
	}
	return "the new log is in place without a backup"
}

// check goes through all losses of power in what disk has traced, and lets do finish
// what each has left.
func (s *powerSite) check(t *testing.T, disk *tracedDisk, leaves, comes []byte, do func(at string)) {
	t.Helper()
	old := 0
	pictures := disk.crashes(func(at string, files map[string][]byte) {
		if harm := s.harmed(files, leaves, comes); harm != "" {
			t.Errorf("%s: %s", at, harm)
			return
		}
		restore(t, s.root, files)
		if bytes.Equal(files[s.log], leaves) {
			old++
			do(at)
		}
		if !bytes.Equal(readFile(t, s.log), comes) {
			t.Errorf("%s: the next run did not finish it", at)
		}
	})
	t.Logf("%d changes, %d fault points, %d of them with the old log", len(disk.ops), pictures, old)
	if old == 0 || old == pictures {
		t.Error("power was never lost on one side of the rename")
	}
}

func TestPowerLostInARepairLeavesTheOldLogOrTheNew(t *testing.T) {
	s := newPowerSite(t)
	disk := trace(t, s.root)
	s.apply(t, disk)
	s.check(t, disk, s.before, s.after, func(at string) {
		s.apply(t, sound())
		checkOnlyFile(t, at, s.log)
		checkBackup(t, at, s.state, s.before)
	})
}

// TestPowerLostInALongWriteLeavesTheOldLogOrTheNew has more pending writes than there
// can be tried combinations of.
func TestPowerLostInALongWriteLeavesTheOldLogOrTheNew(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	before := text(header, start1)
	for i := range 300 {
		before += text(fmt.Sprintf(`{"type":"user/message","seq":%d,"time":20,"data":{"id":"u%d","role":"user","content":[],"source":{"kind":"user"}},"surfaceOp":"append"}`, i+1, i))
	}
	image := []byte(before + "{")
	s := newPowerSiteOf(t, "session.jsonl", image, write(t, plan(t, image, repair.Options{}), image))
	disk := trace(t, s.root)
	s.apply(t, disk)
	most := 0
	for end := range disk.ops {
		most = max(most, len(disk.pending(end)))
	}
	pictures := disk.crashes(func(at string, files map[string][]byte) {
		if harm := s.harmed(files, s.before, s.after); harm != "" {
			t.Errorf("%s: %s", at, harm)
		}
	})
	t.Logf("%d changes, up to %d pending, %d fault points", len(disk.ops), most, pictures)
	if most <= exhausted {
		t.Errorf("at most %d changes are pending, want more than %d", most, exhausted)
	}
}

func TestPowerLostInAnUndoLeavesTheOldLogOrTheNew(t *testing.T) {
	s := newPowerSite(t)
	s.apply(t, sound())
	s.checkUndo(t, s.after, s.before)
}

func TestPowerLostInAnUndoOfAnUndoLeavesTheOldLogOrTheNew(t *testing.T) {
	s := newPowerSite(t)
	s.apply(t, sound())
	s.undo(t, sound())
	s.checkUndo(t, s.before, s.after)
}

// checkUndo loses power in an undo that makes one log of the other.
func (s *powerSite) checkUndo(t *testing.T, from, to []byte) {
	t.Helper()
	disk := trace(t, s.root)
	s.undo(t, disk)
	s.check(t, disk, from, to, func(at string) {
		s.undo(t, sound())
		checkOnlyFile(t, at, s.log)
	})
}

func TestPowerLostInACopyLeavesNoPartOfIt(t *testing.T) {
	s := newPowerSite(t)
	target := filepath.Join(s.root, "copies", "session.jsonl.zstd")
	disk := trace(t, s.root)
	c := s.committer(disk)
	_, err := c.Copy(t.Context(), bytes.NewReader(s.before), int64(len(s.before)), s.log, target, repair.Options{})
	must(t, err)
	pictures := disk.crashes(func(at string, files map[string][]byte) {
		if got, ok := files[target]; ok && !bytes.Equal(got, s.after) {
			t.Errorf("%s: the copy has %d other bytes", at, len(got))
		}
		if !bytes.Equal(files[s.log], s.before) {
			t.Errorf("%s: the source changed", at)
		}
	})
	t.Logf("%d changes, %d fault points", len(disk.ops), pictures)
}

// TestADiskThatOnlyKeepsTheOrderIsEnough lets every sync lie, on a disk that writes
// in the order of the calls all the same, as many do.
func TestADiskThatOnlyKeepsTheOrderIsEnough(t *testing.T) {
	s := newPowerSite(t)
	disk := trace(t, s.root)
	s.apply(t, disk)
	for end := range len(disk.ops) + 1 {
		for _, how := range []tear{noTear, halfTear, zerosTear} {
			state := disk.after(end, nil, end-1, how)
			if harm := s.harmed(state.visible(disk), s.before, s.after); harm != "" {
				t.Errorf("power lost before change %d, the last write %s: %s", end, how, harm)
			}
		}
	}
}

// TestTheDiskSeesEverySyncThatIsMissing takes the syncs away one at a time: those
// without which a repair is not safe have to show, or the tests above prove nothing.
func TestTheDiskSeesEverySyncThatIsMissing(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	s := newPowerSite(t)
	whole := trace(t, s.root)
	s.apply(t, whole)
	var needed []string
	for i, op := range whole.ops {
		if op.kind != opSync && op.kind != opSyncDir {
			continue
		}
		disk := *whole
		disk.ops = slices.Delete(slices.Clone(whole.ops), i, i+1)
		harmful := false
		disk.crashes(func(_ string, files map[string][]byte) {
			harmful = harmful || s.harmed(files, s.before, s.after) != ""
		})
		if harmful {
			needed = append(needed, whole.nameOf(op))
		}
	}
	t.Logf("needed: %q", needed)
	for _, want := range []string{"sync of the new log", "sync of original", "sync of manifest.json", "sync of a directory backups"} {
		if !slices.ContainsFunc(needed, func(name string) bool { return strings.HasPrefix(name, want) }) {
			t.Errorf("without the %s nothing is harmed", want)
		}
	}
}

// nameOf describes a sync.
func (d *tracedDisk) nameOf(sync diskOp) string {
	if sync.kind == opSyncDir {
		return string(sync.kind) + " " + filepath.Base(sync.path)
	}
	for _, op := range d.ops {
		if op.kind != opNames || op.names[0].inode != sync.inode {
			continue
		}
		if strings.HasSuffix(op.path, ".tmp") {
			return "sync of the new log"
		}
		return "sync of " + filepath.Base(op.path)
	}
	return "sync"
}

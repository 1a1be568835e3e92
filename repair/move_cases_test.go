package repair_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/store"
)

// copyTree copies a tree of files, with modes that are easy to lose.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	must(t, filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		must(t, err)
		below, err := filepath.Rel(from, path)
		must(t, err)
		if e.IsDir() {
			return os.MkdirAll(filepath.Join(to, below), 0o750)
		}
		writeFile(t, filepath.Join(to, below), readFile(t, path))
		return os.Chmod(filepath.Join(to, below), 0o640)
	}))
}

// treeState returns what a user sees of a tree: modes, bytes, and the times of files.
func treeState(t *testing.T, root string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	must(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		must(t, err)
		below, err := filepath.Rel(root, path)
		must(t, err)
		info, err := e.Info()
		must(t, err)
		if all[below] = info.Mode().String(); info.Mode().IsRegular() {
			all[below] += fmt.Sprintf(" %s %s", info.ModTime(), sha(readFile(t, path)))
		}
		return nil
	}))
	return all
}

// isLog reports whether a file is called like a log.
func isLog(name string) bool { return scan.EncodingOfName(name) != scan.Auto }

// repairTree does with a sessions directory what turnfix apply does: the contents,
// then the places. It returns what it published, in order.
func repairTree(t *testing.T, c *repair.Committer, root string, opt repair.Options) (done []*repair.Outcome) {
	t.Helper()
	first, err := repair.PlanMoves(t.Context(), root, opt)
	must(t, err)
	must(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		must(t, err)
		decided := slices.ContainsFunc(first, func(m *repair.Move) bool { return m.Path() == path && m.Replaces() })
		if e.IsDir() || !isLog(path) || decided {
			return nil
		}
		out, err := c.Apply(t.Context(), path, opt)
		must(t, err)
		if out.Published {
			done = append(done, out)
		}
		return nil
	}))
	moves, err := repair.PlanMoves(t.Context(), root, opt)
	must(t, err)
	for _, m := range moves {
		out, err := c.Move(t.Context(), m)
		must(t, err)
		if out.Published {
			done = append(done, out)
		}
	}
	return done
}

// checkLists checks that dsh lists the sessions.
func checkLists(t *testing.T, root string, want bool) {
	t.Helper()
	r, err := rules.CheckStore(t.Context(), &store.Tree{Path: root, Root: root})
	must(t, err)
	if r.Lists != want {
		t.Errorf("dsh lists the sessions: %t, want %t", r.Lists, want)
	}
}

// checkOpens checks that one log of the session opens, in its place, with the events.
func checkOpens(t *testing.T, root, id string, events int) {
	t.Helper()
	logs, err := filepath.Glob(filepath.Join(root, "*", id, "session.jsonl*"))
	must(t, err)
	logs = slices.DeleteFunc(logs, func(name string) bool { return strings.HasSuffix(name, ".tmp") })
	if len(logs) != 1 {
		t.Fatalf("logs %q, want one", logs)
	}
	image := readFile(t, logs[0])
	r, err := rules.Check(strings.NewReader(string(image)), int64(len(image)), rules.Options{Path: logs[0], Root: root})
	must(t, err)
	if r.Reading.Verdict != scan.Opens || r.Reading.Scan.Events != int64(events) {
		t.Errorf("it %s with %d events, want %d", r.Reading.Verdict, r.Reading.Scan.Events, events)
	}
}

// layoutCase is a case about a sessions directory, in a copy of it.
type layoutCase struct {
	root   string
	before map[string]string
	id     string
	expect *vectortest.CaseRepair
}

func layoutCases(t *testing.T) map[string]*layoutCase {
	all := make(map[string]*layoutCase)
	for _, c := range vectortest.Cases(t) {
		if c.Expect.Input.Root == "" {
			continue
		}
		root := filepath.Join(t.TempDir(), "sessions")
		copyTree(t, filepath.Join(c.Dir, c.Expect.Input.Root), root)
		id := c.Expect.Input.ID
		if id == "session-renamed" {
			id = "session-00000000-0000-4000-8000-000000000001"
		}
		all[c.Name] = &layoutCase{root, treeState(t, root), id, &c.Expect.Repair}
	}
	return all
}

func TestLayoutCasesAreRepairedAndUndone(t *testing.T) {
	passed := 0
	for name, lc := range layoutCases(t) {
		if lc.expect.Possible != "true" {
			continue
		}
		passed++
		t.Run(name, func(t *testing.T) {
			c := committer(t)
			checkRepairedTree(t, c, lc, repair.Options{}, *lc.expect.KeptEvents)
		})
	}
	if passed != 4 {
		t.Errorf("%d cases, want 4", passed)
	}
}

// checkRepairedTree repairs the tree of a case, and takes that back by path and by
// manifest.
func checkRepairedTree(t *testing.T, c *repair.Committer, lc *layoutCase, opt repair.Options, events int) {
	done := repairTree(t, c, lc.root, opt)
	if len(done) != 1 {
		t.Fatalf("%d changes, want 1", len(done))
	}
	after := treeState(t, lc.root)
	checkLists(t, lc.root, true)
	checkOpens(t, lc.root, lc.id, events)
	if again := repairTree(t, c, lc.root, opt); len(again) != 0 {
		t.Errorf("a second run does %v", again[0])
	}
	path := done[0].Target
	if done[0].Move != nil {
		path = done[0].Move.Path()
	}
	for i, name := range []string{path, path, done[0].Manifest, done[0].Manifest} {
		if _, err := c.Undo(t.Context(), name); err != nil {
			t.Fatalf("undo %d: %v", i+1, err)
		}
		want := lc.before
		if i%2 == 1 {
			want = after
		}
		if diff := cmp.Diff(want, treeState(t, lc.root)); diff != "" {
			t.Errorf("undo %d (-want +got):\n%s", i+1, diff)
		}
	}
}

func TestACopyWithNewerEventsIsAdoptedOnRequestOnly(t *testing.T) {
	for name, lc := range layoutCases(t) {
		if lc.expect.Possible != "choice" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			c := committer(t)
			moves, err := repair.PlanMoves(t.Context(), lc.root, repair.Options{})
			must(t, err)
			if len(moves) != 2 || moves[0].Action != repair.Refuse || moves[0].Level != repair.Choice || !strings.Contains(moves[0].Next, "--allow adopt-copy") {
				t.Fatalf("moves %+v, want a choice and a mention", moves)
			}
			if m := moves[0]; m.Common != int64(*lc.expect.KeptEvents) || m.Others != 10 || m.Own != 0 {
				t.Errorf("%d events in common, %d and %d more", m.Common, m.Own, m.Others)
			}
			if m := moves[1]; m.Action != repair.Nothing || !strings.HasSuffix(m.Path(), ".tmp") {
				t.Errorf("the temporary file: %+v", m)
			}
			if done := repairTree(t, c, lc.root, repair.Options{}); len(done) != 0 {
				t.Errorf("without the flag it does %v", done)
			}
			if diff := cmp.Diff(lc.before, treeState(t, lc.root)); diff != "" {
				t.Errorf("without the flag (-want +got):\n%s", diff)
			}
			checkOpens(t, lc.root, lc.id, *lc.expect.KeptEvents)
			allow := repair.Options{Allow: []repair.Permission{repair.AdoptCopy}}
			checkRepairedTree(t, c, lc, allow, *lc.expect.KeptEvents+10)
		})
	}
}

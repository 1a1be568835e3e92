package repair_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/treetest"
	"github.com/turnlint/turnlint/repair"
)

// checkTree checks that nothing in a tree has changed.
func checkTree(t *testing.T, root string, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, treeState(t, root)); diff != "" {
		t.Errorf("the tree (-want +got):\n%s", diff)
	}
}

func TestAMoveThatItsLogDoesNotAskForIsRefused(t *testing.T) {
	tests := []struct {
		name   string
		change func(m *repair.Move)
	}{
		{"out of the tree", func(m *repair.Move) { m.To = "../../session.jsonl" }},
		{"to an absolute path", func(m *repair.Move) { m.To = "/tmp/session.jsonl" }},
		{"from out of the tree", func(m *repair.Move) { m.From = "../outside/s/session.jsonl" }},
		{"from a deeper place", func(m *repair.Move) { m.From = "--old--/s/deep/session.jsonl" }},
		{"to another place than that of its header", func(m *repair.Move) { m.To = "--work--/t/session.jsonl" }},
		{"to another file name", func(m *repair.Move) { m.To = "--work--/s/session.jsonl.zstd" }},
		{"of other bytes", func(m *repair.Move) { m.SHA256 = strings.Repeat("0", 64) }},
		{"into quarantine, for no other log", func(m *repair.Move) { m.Kind, m.To = repair.Quarantine, "" }},
		{"into quarantine, for another session", func(m *repair.Move) { m.Kind, m.To, m.With = repair.Quarantine, "", "--work--/t/session.jsonl" }},
		{"to the bytes of another session", func(m *repair.Move) { m.Kind, m.To, m.With = repair.Adopt, "", "--work--/t/session.jsonl" }},
		{"to a header of another session", func(m *repair.Move) {
			m.Kind, m.To, m.NewHeader = repair.Rehead, "", strings.TrimSpace(of(header, "t", "/old"))
		}},
		{"to a header that is none", func(m *repair.Move) { m.Kind, m.To, m.NewHeader = repair.Rehead, "", "{}\n{}" }},
		{"of an unknown kind", func(m *repair.Move) { m.Kind = "delete" }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := treetest.Plant(t, map[string]string{
				"sessions/--old--/s/session.jsonl": short, "sessions/--work--/t/session.jsonl": of(long, "t", "/work"),
				"outside/s/session.jsonl": short, "sessions/--old--/s/deep/session.jsonl": short,
			})
			m := onlyMove(t, filepath.Join(dir, "sessions"))
			text, err := json.Marshal(m)
			must(t, err)
			var forged repair.Move
			must(t, json.Unmarshal(text, &forged))
			if test.change(&forged); m.SameAs(&forged) {
				t.Error("the forged move passes for the planned one")
			}
			before := treeState(t, dir)
			c := committer(t)
			if out, err := c.Move(t.Context(), &forged); err == nil || out.Published {
				t.Errorf("published %t, %v", out.Published, err)
			}
			checkTree(t, dir, before)
		})
	}
}

func TestAMoveWaitsForNobodyAndOverwritesNothing(t *testing.T) {
	tests := []struct {
		name   string
		before func(t *testing.T, root string, c *repair.Committer)
		want   string
	}{
		{"a place that was taken meanwhile", func(t *testing.T, root string, _ *repair.Committer) {
			must(t, os.MkdirAll(filepath.Join(root, "--work--", "s"), 0o700))
			writeFile(t, filepath.Join(root, placeOfS), []byte(other))
		}, "exists: nothing is overwritten"},
		{"a log that went on meanwhile", func(t *testing.T, root string, _ *repair.Committer) {
			writeFile(t, filepath.Join(root, "--old--", "t", "session.jsonl"), []byte(long))
		}, "another state of it"},
		{"a log with a second name", func(t *testing.T, root string, _ *repair.Committer) {
			must(t, os.Link(filepath.Join(root, "--old--", "t", "session.jsonl"), filepath.Join(t.TempDir(), "second")))
		}, "hard links"},
		{"a state directory in the tree", func(_ *testing.T, root string, c *repair.Committer) {
			c.StateDir = filepath.Join(root, "state")
		}, "lies in the sessions tree"},
		{"a log that changed a moment ago", func(t *testing.T, root string, c *repair.Committer) {
			c.AssumeStopped, c.Settle = false, time.Hour
		}, "context"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := treetest.Plant(t, map[string]string{"--old--/t/session.jsonl": short})
			m := onlyMove(t, root)
			c := committer(t)
			test.before(t, root, c)
			before := treeState(t, root)
			ctx := t.Context()
			if !c.AssumeStopped {
				ctx = canceled(t)
			}
			if _, err := c.Move(ctx, m); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			checkTree(t, root, before)
		})
	}
}

func TestALogBehindALinkIsNotMoved(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{"sessions/--old--/t/session.jsonl": short})
	root := filepath.Join(dir, "sessions")
	m := onlyMove(t, root)
	must(t, os.Rename(filepath.Join(root, "--old--"), filepath.Join(dir, "elsewhere")))
	must(t, os.Symlink(filepath.Join(dir, "elsewhere"), filepath.Join(root, "--old--")))
	if _, err := committer(t).Move(t.Context(), m); err == nil || !strings.Contains(err.Error(), "behind a link") {
		t.Errorf("error %v", err)
	}
}

func TestAWholeSessionDirectoryGoesWithItsLog(t *testing.T) {
	root := treetest.Plant(t, map[string]string{
		"--old--/t/session.jsonl": short, "--old--/t/session.jsonl.bak": short, "--old--/t/session.lock": "", "--old--/u/notes": "",
	})
	repairTree(t, committer(t), root, repair.Options{})
	for _, name := range []string{placeOfS, "--work--/s/session.jsonl.bak", "--work--/s/session.lock", "--old--/u/notes"} {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestALongerCopyTakesThePlaceOfAShorterOne(t *testing.T) {
	root := treetest.Plant(t, map[string]string{placeOfS: short, "--old--/s/session.jsonl": long})
	c := committer(t)
	before := treeState(t, root)
	done := repairTree(t, c, root, repair.Options{})
	if len(done) != 2 {
		t.Fatalf("%d changes, want 2", len(done))
	}
	if got := string(readFile(t, filepath.Join(root, placeOfS))); got != long {
		t.Errorf("the log is\n%s", got)
	}
	checkLists(t, root, true)
	for _, out := range []*repair.Outcome{done[1], done[0]} {
		if _, err := c.Undo(t.Context(), out.Manifest); err != nil {
			t.Fatal(err)
		}
	}
	checkTree(t, root, before)
}

func TestCopiesWithAnOpenTurnLeaveOneThatOpens(t *testing.T) {
	root := treetest.Plant(t, map[string]string{placeOfS: opened, "--old--/s/session.jsonl": opened})
	done := repairTree(t, committer(t), root, repair.Options{})
	if len(done) != 2 || done[0].Plan == nil || done[1].Move == nil {
		t.Fatalf("%d changes, want a repair and a quarantine", len(done))
	}
	checkLists(t, root, true)
	checkOpens(t, root, "s", 4)
}

func TestAHeaderIsRewrittenOnRequest(t *testing.T) {
	rehead := []repair.Permission{repair.RewriteHeader}
	const plain, sibling = "--old--/s/session.jsonl", "--old--/t/session.jsonl"
	noCWD := func(log string) string { return strings.Replace(log, `,"cwd":"/work"`, "", 1) }
	tests := []struct {
		name  string
		files map[string]string
		cwd   string
		want  string // header line, or why there is none
	}{
		{"with the cwd of another session", map[string]string{plain: short, sibling: of(short, "t", "/old")}, "", of(header, "s", "/old")},
		{"with the cwd that is named", map[string]string{plain: short}, "/old", of(header, "s", "/old")},
		{"without a cwd", map[string]string{"_no-cwd/s/session.jsonl": short}, "", noCWD(header)},
		{"with a first cwd", map[string]string{plain: noCWD(short)}, "/old", strings.Replace(noCWD(header), "}", `,"cwd":"/old"}`, 1)},
		{"with a cwd that leads elsewhere", map[string]string{plain: short}, "/new", `the working directory "/new" does not lead to the project "--old--"`},
		{"without any hint", map[string]string{plain: short}, "", `no other session of the project "--old--" tells its working directory`},
		{"with two hints", map[string]string{plain: short, sibling: of(short, "t", "/old"), "--old--/u/session.jsonl": of(short, "u", "//old")}, "", `the sessions of the project "--old--" have several working directories`},
		{"with another id", map[string]string{"--old--/x/session.jsonl": short}, "/old", "its header has another id than its session directory, and other logs may cite that id"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := treetest.Plant(t, test.files)
			m := onlyMove(t, root)
			path := m.Path()
			before := treeState(t, root)
			moves, err := repair.PlanMoves(t.Context(), path, repair.Options{Allow: rehead, CWD: test.cwd})
			must(t, err)
			c := committer(t)
			out, err := c.Move(t.Context(), moves[0])
			must(t, err)
			if !out.Published {
				if moves[0].Action != repair.Refuse || moves[0].Reason != test.want {
					t.Errorf("%s: %s, want %q", moves[0].Action, moves[0].Reason, test.want)
				}
				checkTree(t, root, before)
				return
			}
			if got := string(readFile(t, path)); got != text(test.want, start1, end1) {
				t.Errorf("the log is\n%s", got)
			}
			checkLists(t, root, true)
			_, err = c.Undo(t.Context(), path)
			must(t, err)
			checkTree(t, root, before)
		})
	}
}

func TestOnlyTheHeaderFrameIsRewritten(t *testing.T) {
	rest := string(frame(t, text(start1, end1))) + string(frame(t, text(start2, step2))) + string(frame(t, text(stepEnd2, end2)))
	root := treetest.Plant(t, map[string]string{"--old--/s/session.jsonl.zstd": string(frame(t, text(header))) + rest})
	repairTree(t, committer(t), root, repair.Options{Allow: []repair.Permission{repair.RewriteHeader}, CWD: "/old"})
	got := readFile(t, filepath.Join(root, "--old--", "s", "session.jsonl.zstd"))
	if !strings.HasSuffix(string(got), rest) {
		t.Error("frames behind the header have changed")
	}
	if line := lines(t, got)[0]; line != of(header, "s", "/old") {
		t.Errorf("header %s", line)
	}
	checkLists(t, root, true)
}

func TestAnUndoOfAMoveRefusesWhatWouldBeLost(t *testing.T) {
	const from = "--old--/t/session.jsonl"
	tests := []struct {
		name   string
		files  map[string]string
		change func(t *testing.T, root string)
		want   string
	}{
		{"a log that went on", map[string]string{from: short}, func(t *testing.T, root string) {
			writeFile(t, filepath.Join(root, placeOfS), []byte(long))
		}, "has changed since it was moved"},
		{"an old place that is taken", map[string]string{from: short}, func(t *testing.T, root string) {
			must(t, os.MkdirAll(filepath.Join(root, "--old--", "t"), 0o700))
		}, "exists: nothing is overwritten"},
		{"a place of a copy that is taken", map[string]string{"--old--/s/session.jsonl": short, placeOfS: long}, func(t *testing.T, root string) {
			must(t, os.MkdirAll(filepath.Join(root, "--old--", "s"), 0o700))
			writeFile(t, filepath.Join(root, "--old--", "s", "session.jsonl"), []byte(other))
		}, "has changed since it was moved"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := treetest.Plant(t, test.files)
			c := committer(t)
			out, err := c.Move(t.Context(), onlyMove(t, root))
			must(t, err)
			test.change(t, root)
			before := treeState(t, root)
			name := out.Target
			if name == "" {
				name = out.Move.Path()
			}
			if _, err := c.Undo(t.Context(), name); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("undo of the path: %v, want %q", err, test.want)
			}
			if _, err := c.Undo(t.Context(), out.Manifest); err == nil {
				t.Error("undo of the manifest: no error")
			}
			checkTree(t, root, before)
		})
	}
}

func TestAnUndoOfAMoveGoesByEitherPlace(t *testing.T) {
	root := treetest.Plant(t, map[string]string{"--old--/t/session.jsonl": short})
	must(t, os.Chmod(filepath.Join(root, "--old--"), 0o751))
	before := treeState(t, root)
	c := committer(t)
	_, err := c.Move(t.Context(), onlyMove(t, root))
	must(t, err)
	after := treeState(t, root)
	old, place := filepath.Join(root, "--old--", "t", "session.jsonl"), filepath.Join(root, placeOfS)
	for i, name := range []string{place, old, old, place} {
		want := before
		kind := repair.Undone
		if i%2 == 1 {
			want, kind = after, repair.Redone
		}
		out, err := c.Undo(t.Context(), name)
		must(t, err)
		if out.Kind != kind || out.Manifest == "" {
			t.Errorf("undo %d: %q, want %q", i+1, out.Kind, kind)
		}
		checkTree(t, root, want)
	}
}

func TestAMoveOfARepairedLogIsUndoneFirst(t *testing.T) {
	root := treetest.Plant(t, map[string]string{"--old--/t/session.jsonl": opened})
	before := treeState(t, root)
	c := committer(t)
	done := repairTree(t, c, root, repair.Options{})
	if len(done) != 2 {
		t.Fatalf("%d changes, want 2", len(done))
	}
	out, err := c.Undo(t.Context(), filepath.Join(root, placeOfS))
	must(t, err)
	if out.Move == nil {
		t.Error("the repair of the content was undone first")
	}
	if _, err := c.Undo(t.Context(), done[0].Manifest); err != nil {
		t.Fatal(err)
	}
	checkTree(t, root, before)
}

func TestALogInQuarantineIsNoSurplus(t *testing.T) {
	root := treetest.Plant(t, map[string]string{"--old--/s/session.jsonl": short, placeOfS: long, "--old--/t/session.jsonl": of(short, "t", "/work")})
	c := committer(t)
	repairTree(t, c, root, repair.Options{})
	all, err := c.Backups(t.Context())
	must(t, err)
	if len(all) != 2 || all[0].Move != repair.Quarantine || all[1].Move != repair.ToPlace || string(all[1].To) != filepath.Join(root, "--work--", "t", "session.jsonl") {
		t.Fatalf("backups %+v", all)
	}
	for _, b := range all {
		if b.State != repair.BackupCurrent {
			t.Errorf("%s is %s", b.Path, b.State)
		}
	}
	if surplus := c.Surplus(all, 0, false); len(surplus) != 1 || surplus[0].Move != repair.ToPlace {
		t.Errorf("surplus %+v, want the move", surplus)
	}
	if surplus := c.Surplus(all, 0, true); len(surplus) != 2 {
		t.Errorf("forced surplus %+v, want both", surplus)
	}
	_, err = c.Undo(t.Context(), string(all[0].Path))
	must(t, err)
	all, err = c.Backups(t.Context())
	must(t, err)
	if all[0].State != repair.BackupUndone {
		t.Errorf("after the undo it is %s", all[0].State)
	}
}

func TestAForgedManifestOfAMoveIsNotFollowed(t *testing.T) {
	root := treetest.Plant(t, map[string]string{"--old--/t/session.jsonl": short})
	c := committer(t)
	out, err := c.Move(t.Context(), onlyMove(t, root))
	must(t, err)
	manifest := string(readFile(t, out.Manifest))
	victim := filepath.Join(t.TempDir(), "victim")
	forge := func(member, path, other string) string {
		return strings.Replace(manifest, member+`": `+asJSON(t, path), member+`": `+asJSON(t, other), 1)
	}
	for name, forged := range map[string]string{
		"to a place outside":     forge("to", filepath.Join(root, placeOfS), victim),
		"from a place outside":   forge("path", filepath.Join(root, "--old--", "t", "session.jsonl"), victim),
		"directories outside":    forge("path", filepath.Join(root, "--old--"), victim),
		"a root that is the log": forge("root", root, filepath.Join(root, placeOfS)),
	} {
		if forged == manifest {
			t.Fatalf("%s: nothing is forged in\n%s", name, manifest)
		}
		writeFile(t, out.Manifest, []byte(forged))
		if _, err := c.Undo(t.Context(), out.Manifest); err == nil || errors.Is(err, repair.ErrUndone) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := os.Stat(victim); err == nil {
		t.Error("the victim exists")
	}
}

func asJSON(t *testing.T, text string) string {
	t.Helper()
	out, err := json.Marshal(text)
	must(t, err)
	return string(out)
}

// canceled returns a context that is done.
func canceled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

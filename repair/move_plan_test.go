package repair_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/treetest"
	"github.com/turnlint/turnlint/repair"
)

// Logs of the session s, which belongs to the project --work--.
var (
	short  = text(header, start1, end1)
	long   = text(header, start1, end1, start2, step2, stepEnd2, end2)
	other  = text(header, start1, strings.Replace(end1, "20", "21", 1))
	opened = text(header, start1, end1, start2)
	broken = text(header, start1, end1, step2, end2) // seq 2 is missing
)

// of returns a log as that of another session or working directory.
func of(log, id, cwd string) string {
	log = strings.Replace(log, `"id":"s"`, `"id":"`+id+`"`, 1)
	return strings.Replace(log, `"cwd":"/work"`, `"cwd":"`+cwd+`"`, 1)
}

const placeOfS = "--work--/s/session.jsonl"

// movesText returns moves as "KIND FROM [-> TO] [/ WITH]: LEVEL", and refused ones
// with the reason.
func movesText(moves []*repair.Move) string {
	var b strings.Builder
	for _, m := range moves {
		fmt.Fprintf(&b, "%s %s", m.Kind, filepath.ToSlash(string(m.From)))
		if m.To != "" {
			fmt.Fprintf(&b, " -> %s", filepath.ToSlash(string(m.To)))
		}
		if m.With != "" {
			fmt.Fprintf(&b, " / %s", filepath.ToSlash(string(m.With)))
		}
		fmt.Fprintf(&b, ": %s", m.Level)
		if m.Action == repair.Refuse {
			fmt.Fprintf(&b, ", refused: %s; %s", m.Reason, m.Next)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestMovesFollowFromTheHeadersOfATree(t *testing.T) {
	const keep = `; --keep-copy PATH keeps one of "$A" and "$B", and quarantines the other`
	choice := func(reason, a, b string) string {
		return "choice, refused: " + strings.NewReplacer("$A", "$ROOT/"+a, "$B", "$ROOT/"+b).Replace(reason+keep) + "\n"
	}
	zstdShort := string(frame(t, text(header))) + string(frame(t, text(start1, end1)))
	zstdTorn := zstdShort[:len(zstdShort)-1] + "!" // another checksum
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"a log in its place", map[string]string{placeOfS: short}, ""},
		{"a log in another project", map[string]string{"--old--/s/session.jsonl": short}, "move --old--/s/session.jsonl -> --work--/s/session.jsonl: safe\n"},
		{"a session directory with another name", map[string]string{"--work--/t/session.jsonl": short}, "move --work--/t/session.jsonl -> --work--/s/session.jsonl: safe\n"},
		{"a flat log", map[string]string{"--work--/s.jsonl": short}, "move --work--/s.jsonl -> --work--/s/session.jsonl: safe\n"},
		{"a flat log of before 07-25", map[string]string{"cwd-0123456789ab/s.jsonl.zstd": zstdShort}, "move cwd-0123456789ab/s.jsonl.zstd -> --work--/s/session.jsonl.zstd: safe\n"},
		{"a misplaced log that dsh refuses", map[string]string{"--old--/s/session.jsonl": broken}, "move --old--/s/session.jsonl -> --work--/s/session.jsonl: safe\n"},
		{"a log without a header", map[string]string{"--old--/s/session.jsonl": text(start1)}, ""},
		{"a log whose cwd has no name", map[string]string{"--old--/s/session.jsonl": of(short, "s", "")}, ""},
		{"a log whose id is too long for a directory", map[string]string{"--old--/s/session.jsonl": of(short, strings.Repeat("x", 256), "/work")}, ""},
		{"a log of a newer format", map[string]string{"--old--/s/session.jsonl": strings.Replace(short, `"version":0`, `"version":1`, 1)}, ""},
		{
			"a place that another session has",
			map[string]string{"--old--/s/session.jsonl": short, placeOfS: of(short, "t", "/work"), "--work--/t/session.jsonl": of(short, "u", "/work"), "--work--/u/": ""},
			"move --old--/s/session.jsonl -> --work--/s/session.jsonl: , refused: its place is taken by \"$ROOT/--work--/s/session.jsonl\", which is no log of its session; move that away first\n" +
				"move --work--/s/session.jsonl -> --work--/t/session.jsonl: , refused: its place is taken by \"$ROOT/--work--/t/session.jsonl\", which is no log of its session; move that away first\n" +
				"move --work--/t/session.jsonl -> --work--/u/session.jsonl: safe\n",
		},
		{
			"a place below a link",
			map[string]string{"--old--/s/session.jsonl": short, "--work--": "-> elsewhere", "elsewhere/": ""},
			"move --old--/s/session.jsonl -> --work--/s/session.jsonl: , refused: \"$ROOT/--work--\", where its header leads to, is no directory; move that away first\n",
		},
		{"a project that is a link to another", map[string]string{"--old--/s/session.jsonl": short, "--work--": "-> --old--"}, ""},

		{"an older copy in another project", map[string]string{placeOfS: long, "--old--/s/session.jsonl": short}, "quarantine --old--/s/session.jsonl / --work--/s/session.jsonl: safe\n"},
		{
			"a newer copy in another project",
			map[string]string{placeOfS: short, "--old--/s/session.jsonl": long},
			"quarantine --work--/s/session.jsonl / --old--/s/session.jsonl: safe\nmove --old--/s/session.jsonl -> --work--/s/session.jsonl: safe\n",
		},
		{"equal copies, of which one is misplaced", map[string]string{placeOfS: short, "--old--/s/session.jsonl": short}, "quarantine --old--/s/session.jsonl / --work--/s/session.jsonl: safe\n"},
		{"equal copies, both in the place of their header", map[string]string{placeOfS: short, "--other--/s/session.jsonl": of(short, "s", "/other")}, "quarantine --work--/s/session.jsonl / --other--/s/session.jsonl: safe\n"},
		{"equal copies with an open turn", map[string]string{placeOfS: opened, "--old--/s/session.jsonl": opened}, "quarantine --old--/s/session.jsonl / --work--/s/session.jsonl: safe\n"},
		{
			"three copies",
			map[string]string{placeOfS: short, "--a--/s/session.jsonl": long, "--b--/s/session.jsonl": opened},
			"quarantine --b--/s/session.jsonl / --a--/s/session.jsonl: safe\nquarantine --work--/s/session.jsonl / --a--/s/session.jsonl: safe\nmove --a--/s/session.jsonl -> --work--/s/session.jsonl: safe\n",
		},
		{
			"copies that differ",
			map[string]string{placeOfS: short, "--old--/s/session.jsonl": other},
			"quarantine --old--/s/session.jsonl / --work--/s/session.jsonl: " +
				choice(`it shares the first 1 event with "$ROOT/--work--/s/session.jsonl", then has 1 where that has 1`, "--old--/s/session.jsonl", placeOfS),
		},
		{
			"a copy that cannot be read in full",
			map[string]string{placeOfS + ".zstd": zstdShort, "--old--/s/session.jsonl.zstd": zstdTorn},
			"quarantine --old--/s/session.jsonl.zstd / --work--/s/session.jsonl.zstd: " +
				choice(`it holds the same 2 events as "$ROOT/--work--/s/session.jsonl.zstd", as far as it can be read`, "--old--/s/session.jsonl.zstd", placeOfS+".zstd"),
		},
		{
			"a copy of one that cannot be repaired",
			map[string]string{placeOfS: broken, "--old--/s/session.jsonl": short},
			"quarantine --old--/s/session.jsonl / --work--/s/session.jsonl: " +
				choice(`it is a log of the same session as "$ROOT/--work--/s/session.jsonl", which cannot be repaired: 2 events do not continue the sequence`, "--old--/s/session.jsonl", placeOfS),
		},

		{"both encodings", map[string]string{placeOfS: short, placeOfS + ".zstd": zstdShort}, "quarantine --work--/s/session.jsonl / --work--/s/session.jsonl.zstd: safe\n"},
		{
			"both encodings among plain logs",
			map[string]string{placeOfS: short, placeOfS + ".zstd": zstdShort, "--work--/t/session.jsonl": of(short, "t", "/work")},
			"quarantine --work--/s/session.jsonl.zstd / --work--/s/session.jsonl: safe\n",
		},
		{"both encodings, the plain one longer", map[string]string{placeOfS: long, placeOfS + ".zstd": zstdShort}, "quarantine --work--/s/session.jsonl.zstd / --work--/s/session.jsonl: safe\n"},
		{
			"both encodings in the wrong project",
			map[string]string{"--old--/s/session.jsonl": short, "--old--/s/session.jsonl.zstd": zstdShort},
			"quarantine --old--/s/session.jsonl / --old--/s/session.jsonl.zstd: safe\nmove --old--/s/session.jsonl.zstd -> --work--/s/session.jsonl.zstd: safe\n",
		},

		{"an older copy beside the log", map[string]string{placeOfS: long, placeOfS + ".bak": short}, ""},
		{"a copy of another session beside the log", map[string]string{placeOfS: short, placeOfS + ".bak": of(long, "t", "/work")}, ""},
		{
			"the longest of several copies",
			map[string]string{placeOfS: short, placeOfS + ".1": opened, placeOfS + ".2": long, placeOfS + ".3": opened},
			"adopt --work--/s/session.jsonl / --work--/s/session.jsonl.2: choice, refused: the copy \"session.jsonl.2\" beside it holds all 2 events of it and 4 more; --allow adopt-copy puts the copy in the place of the log\n",
		},
		{"a copy that differs from its log", map[string]string{placeOfS: short, placeOfS + ".bak": other}, "leave --work--/s/session.jsonl.bak / --work--/s/session.jsonl: \n"},
		{"a temporary file", map[string]string{placeOfS: short, placeOfS + ".0123456789ab.tmp": long}, "leave --work--/s/session.jsonl.0123456789ab.tmp: \n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := treetest.Plant(t, test.files)
			moves, err := repair.PlanMoves(t.Context(), root, repair.Options{})
			must(t, err)
			got := strings.ReplaceAll(filepath.ToSlash(movesText(moves)), filepath.ToSlash(root), "$ROOT")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAUserMayChooseBetweenCopiesThatDiffer(t *testing.T) {
	files := map[string]string{placeOfS: short, "--old--/s/session.jsonl": other}
	tests := []struct{ name, keep, want string }{
		{"the log in its place", placeOfS, "quarantine --old--/s/session.jsonl / --work--/s/session.jsonl: assisted\n"},
		{
			"the other one", "--old--/s/session.jsonl",
			"quarantine --work--/s/session.jsonl / --old--/s/session.jsonl: assisted\nmove --old--/s/session.jsonl -> --work--/s/session.jsonl: safe\n",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := treetest.Plant(t, files)
			opt := repair.Options{KeepCopies: []repair.Path{repair.Path(filepath.Join(root, test.keep))}}
			moves, err := repair.PlanMoves(t.Context(), root, opt)
			must(t, err)
			if diff := cmp.Diff(test.want, movesText(moves)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			before := string(readFile(t, filepath.Join(root, test.keep)))
			repairTree(t, committer(t), root, opt)
			if got := string(readFile(t, filepath.Join(root, placeOfS))); got != before {
				t.Errorf("the log is\n%s", got)
			}
			checkLists(t, root, true)
		})
	}
}

func TestOfANamedLogOnlyItsOwnMovesArePlanned(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{
		"sessions/" + placeOfS: short, "sessions/--old--/s/session.jsonl": long, "sessions/--old--/t/session.jsonl": of(short, "t", "/work"),
		"sessions/--old--/t/session.jsonl.0123456789ab.tmp": "", "notes/session.jsonl": of(short, "t", "/work"),
	})
	root := filepath.Join(dir, "sessions")
	tests := []struct{ name, path, want string }{
		{"a log", "--old--/t/session.jsonl", "move --old--/t/session.jsonl -> --work--/t/session.jsonl: safe\n"},
		{"a log that is to go", placeOfS, "quarantine --work--/s/session.jsonl / --old--/s/session.jsonl: safe\n"},
		{
			"a log for which another one has to go", "--old--/s/session.jsonl",
			"move --old--/s/session.jsonl -> --work--/s/session.jsonl: safe, refused: \"$ROOT/--work--/s/session.jsonl\" is another log of its session, and has to go first; name the sessions directory\n",
		},
		{"a session directory", "--old--/t", "move --old--/t/session.jsonl -> --work--/t/session.jsonl: safe\nleave --old--/t/session.jsonl.0123456789ab.tmp: \n"},
		{"a log in no sessions directory", "../notes/session.jsonl", ""},
		{"nothing", "--old--/u/session.jsonl", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			moves, err := repair.PlanMoves(t.Context(), filepath.Join(root, test.path), repair.Options{})
			must(t, err)
			if diff := cmp.Diff(test.want, strings.ReplaceAll(movesText(moves), root, "$ROOT")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, m := range moves {
				if string(m.Root) != root {
					t.Errorf("root %q, want %q", m.Root, root)
				}
			}
		})
	}
}

func TestMovesNameTheTreeAsItWasNamed(t *testing.T) {
	root := treetest.Plant(t, map[string]string{"sessions/--old--/s/session.jsonl": short})
	t.Chdir(root)
	for path, want := range map[string]string{
		"sessions": "sessions", "sessions/": "sessions", "sessions/--old--": "sessions", "./sessions/--old--/s": "sessions",
		"sessions/--old--/s/session.jsonl": "sessions",
	} {
		moves, err := repair.PlanMoves(t.Context(), path, repair.Options{})
		must(t, err)
		if len(moves) != 1 || string(moves[0].Root) != want {
			t.Errorf("%q: %+v, want the root %q", path, moves, want)
		}
	}
	t.Chdir(filepath.Join("sessions", "--old--", "s"))
	moves, err := repair.PlanMoves(t.Context(), "session.jsonl", repair.Options{})
	must(t, err)
	if len(moves) != 1 || !filepath.IsAbs(moves[0].Target()) {
		t.Errorf("from inside: %+v, want an absolute root", moves)
	}
}

func TestARepairOfTheHeaderTellsThePlace(t *testing.T) {
	one := frame(t, short) // the header and the events in one frame
	root := treetest.Plant(t, map[string]string{"--old--/s/session.jsonl.zstd": string(one)})
	moves, err := repair.PlanMoves(t.Context(), root, repair.Options{})
	must(t, err)
	const want = "move --old--/s/session.jsonl.zstd -> --work--/s/session.jsonl.zstd: safe\n"
	if diff := cmp.Diff(want, movesText(moves)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if done := repairTree(t, committer(t), root, repair.Options{}); len(done) != 2 {
		t.Errorf("%d changes, want 2", len(done))
	}
	checkLists(t, root, true)
}

func TestLikeDshNothingIsMoved(t *testing.T) {
	root := treetest.Plant(t, map[string]string{"--old--/s/session.jsonl": short})
	if moves, err := repair.PlanMoves(t.Context(), root, repair.Options{LikeDsh: true}); err != nil || moves != nil {
		t.Errorf("%v, %v", moves, err)
	}
}

func TestPlanningMovesLeavesNoFiles(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	root := treetest.Plant(t, map[string]string{placeOfS: opened, "--old--/s/session.jsonl": opened})
	before := treeState(t, root)
	_, err := repair.PlanMoves(t.Context(), root, repair.Options{})
	must(t, err)
	if diff := cmp.Diff(before, treeState(t, root)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if entries, err := os.ReadDir(temp); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

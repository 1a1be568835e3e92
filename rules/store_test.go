package rules_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/treetest"
	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/store"
)

// summary returns the findings as "PATH NAME" or, with more, "PATH NAME +more".
func summary(dir string, r *rules.StoreResult) string {
	var b strings.Builder
	for i := range r.Findings {
		f := &r.Findings[i]
		path, err := filepath.Rel(dir, f.Path)
		if err != nil {
			path = f.Path
		}
		fmt.Fprintf(&b, "%s %s", filepath.ToSlash(path), f.Rule.Name)
		if f.Consequences > 0 {
			fmt.Fprintf(&b, " +%d", f.Consequences)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func TestWhatKeepsDshFromListingComesFirst(t *testing.T) {
	dir := treetest.Plant(t, tree{
		"--a--/lamp/session.jsonl":                  lamp,
		"--a--/empty/":                              "",
		"--home-ada-lamp--/a.jsonl":                 lamp,
		"--home-ada-lamp--/b.jsonl":                 lamp,
		"--home-ada-lamp--/lamp/session.jsonl":      lamp,
		"--home-ada-lamp--/lamp/session.jsonl.orig": lamp,
		"--home-ada-lamp--/mine/session.jsonl":      session("mine"),
		"--home-ada-lamp--/mine/session.jsonl.zstd": string(lampFrames),
		"--home-ada-lamp--/zero/session.jsonl":      "",
	})
	want := `--home-ada-lamp--/mine/session.jsonl.zstd mixed-encodings
--home-ada-lamp--/a.jsonl flat-log +1
--home-ada-lamp--/lamp duplicate-session
--a--/lamp/session.jsonl listing-blocked
--home-ada-lamp--/mine/session.jsonl.zstd listing-blocked
--a--/empty session-without-log
--home-ada-lamp--/lamp/session.jsonl.orig stray-copy
`
	r := inspectTree(t, dir)
	if diff := cmp.Diff(want, summary(dir, r)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if r.Projects != 2 || r.Sessions != 4 {
		t.Errorf("%d projects and %d sessions, want 2 and 4", r.Projects, r.Sessions)
	}
}

func TestAStoreSaysWhatDshSays(t *testing.T) {
	const (
		second = "--home-ada-lamp--/second/session.jsonl"
		flat   = `session artifact "$ROOT/--home-ada-lamp--/old.jsonl" uses the unsupported flat-file layout; use a separate root or move it into a project/session directory before loading`
		mixed  = `session artifact "$ROOT/--home-ada-lamp--/lamp/session.jsonl" uses .jsonl, but this backend is configured for compression "zstd"; use a separate root or select the matching compression mode`
		double = `duplicate JSONL session id "lamp" appears in multiple project directories`
	)
	tests := []struct {
		name  string
		files tree
		want  string // "" when dsh lists the sessions, or fails in words of its system
	}{
		{"a sound store", beside(nil), ""},
		{"no store at all", tree{}, ""},
		{"a log that listing passes over", beside(tree{second: ""}), ""},
		{"a log whose id is another", beside(tree{second: session("2nd")}), `corrupt session log "$ROOT/--home-ada-lamp--/second/session.jsonl": header id "2nd" and cwd identify "$ROOT/--home-ada-lamp--/2nd/session.jsonl"`},
		{"a directory with the name of a log", beside(tree{second + "/": ""}), ""},
		{"a later log that listing passes over", beside(tree{lampDir + "session.v4.jsonl": "{\n"}), ""},
		{"a later log under the name of another version", beside(tree{lampDir + "session.v3.jsonl": later(4)}), "session generation filename identifies v3, but its header identifies v4"},
		{"a later log under the name of v0", tree{lampPath: later(4)}, "session generation filename identifies v0, but its header identifies v4"},
		{"a fault in a log that a later one hides", tree{lampPath: later(2), lampDir + "session.v4.jsonl": later(4)}, ""},
		{"a later log whose id is another", tree{"--home-ada-lamp--/second/session.v4.jsonl": later(4)}, `corrupt session log "$ROOT/--home-ada-lamp--/second/session.v4.jsonl": header id "lamp" and cwd identify "$ROOT/--home-ada-lamp--/lamp/session.v4.jsonl"`},
		{"a later log with members of an old policy", tree{lampDir + "session.v4.jsonl": strings.Replace(later(4), `"version"`, `"approvalPolicy":"ask","version"`, 1)}, "session header uses retired policy baseline fields"},
		{"two encodings in two generations", tree{lampPath: lamp, lampDir + "session.v4.jsonl.zstd": ""}, `session artifact "$ROOT/--home-ada-lamp--/lamp/session.jsonl" uses .jsonl, but this backend is configured for compression "zstd"; use a separate root or select the matching compression mode`},
		{"a session twice, in two generations", beside(tree{"--home-ada-light--/lamp/session.v4.jsonl": strings.Replace(later(4), "lamp\",\"isS", "light\",\"isS", 1)}), double},
		{"a session twice", beside(tree{"--home-ada-light--/lamp/session.jsonl": string(with("/home/ada/lamp", "/home/ada/light"))}), double},
		{"a flat log", beside(tree{"--home-ada-lamp--/old.jsonl": "", second: session("2nd")}), flat},
		{"two encodings", beside(tree{"--home-ada-lamp--/old.jsonl": "", "--home-ada-lamp--/zip/session.jsonl.zstd": ""}), mixed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := treetest.Plant(t, test.files)
			got := ""
			if refusal := inspectTree(t, dir).Refusal; refusal != nil {
				got = filepath.ToSlash(strings.ReplaceAll(refusal.Text, dir, "$ROOT"))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSoundLogsOfARefusedStoreAreRefused(t *testing.T) {
	const light = "--home-ada-light--/lamp/session.jsonl"
	second := tree{"--home-ada-lamp--/second/session.jsonl": session("second")}
	tests := []struct {
		name string
		more tree
		path string // of the log
		want scan.Verdict
	}{
		{"a sound store", nil, lampPath, scan.Opens},
		{"a log that blocks the listing does not block the others", tree{"--home-ada-lamp--/x/session.jsonl": session("y")}, lampPath, scan.Opens},
		{"a flat log blocks all", tree{"--home-ada-lamp--/old.jsonl": ""}, lampPath, scan.Incompatible},
		{"another encoding blocks all", tree{"--home-ada-lamp--/zip/session.jsonl.zstd": ""}, lampPath, scan.Incompatible},
		{"the first of two copies in projects", tree{light: lamp}, lampPath, scan.Incompatible},
		{"the second of two copies in projects", tree{light: lamp}, light, scan.Incompatible},
		{"a log beside two copies in projects", tree{light: lamp}, "--home-ada-lamp--/second/session.jsonl", scan.Opens},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := beside(second)
			maps.Copy(files, test.more)
			dir := treetest.Plant(t, files)
			log := inspect(t, lampLog, rules.Options{})
			inspectTree(t, dir).Judge(filepath.Join(dir, filepath.FromSlash(test.path)), log)
			if log.Reading.Verdict != test.want || log.StoreRefuses != (test.want == scan.Incompatible) {
				t.Errorf("verdict %v for the store %t, want %v", log.Reading.Verdict, log.StoreRefuses, test.want)
			}
		})
	}
}

func TestALogUnderTheNameOfAnotherVersionIsRefused(t *testing.T) {
	dir := treetest.Plant(t, tree{lampDir + "session.v4.jsonl": lamp})
	log := inspect(t, lampLog, rules.Options{})
	inspectTree(t, dir).Judge(filepath.Join(dir, lampDir, "session.v4.jsonl"), log)
	const want = "session generation filename identifies v4, but its header identifies v0"
	if refusal := log.Reading.Refusal(); log.Reading.Verdict != scan.Incompatible || refusal == nil || refusal.Text != want {
		t.Errorf("verdict %v, refusal %v, want %q", log.Reading.Verdict, refusal, want)
	}
}

func TestABrokenFirstFrameHidesItsSessionOnlyFromALaterDsh(t *testing.T) {
	const second = "--home-ada-lamp--/second/session.jsonl.zstd"
	frame := string(lampFrames)
	tests := []struct {
		name  string
		files tree
		want  string
		lists bool
	}{
		{
			"dsh of v0",
			tree{second: "not a frame", lampPath + ".zstd": frame},
			"error: dsh cannot list any session of this store: invalid frame magic at byte 0", false,
		},
		{
			"a later dsh",
			tree{second: "not a frame", lampDir + "session.v4.jsonl.zstd": ""},
			"warning: dsh leaves the session out of its list: invalid frame magic at byte 0", true,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := inspectTree(t, treetest.Plant(t, test.files))
			if len(r.Findings) != 1 {
				t.Fatalf("%d findings, want 1", len(r.Findings))
			}
			if diff := cmp.Diff(test.want, fmt.Sprintf("%s: %s", r.Findings[0].Severity, r.Findings[0].Message)); diff != "" || r.Lists != test.lists {
				t.Errorf("lists %t (-want +got):\n%s", r.Lists, diff)
			}
		})
	}
}

func TestManyLogsThatAreLeftOutHideNoneThatBlocks(t *testing.T) {
	files := tree{lampDir + "session.v4.jsonl.zstd": "", "--z--/z/session.v4.jsonl.zstd/": ""}
	for i := range 101 {
		files[fmt.Sprintf("--p--/s%03d/session.jsonl.zstd", i)] = "not a frame"
	}
	if r := inspectTree(t, treetest.Plant(t, files)); r.Lists {
		t.Error("dsh lists a store with a directory in the place of a log")
	}
}

func TestOnlyTheListingIsCheckedWhereThatIsAskedFor(t *testing.T) {
	dir := treetest.Plant(t, beside(tree{
		"--home-ada-light--/lamp/session.jsonl":    lamp,
		"--home-ada-lamp--/empty/":                 "",
		lampDir + "session.jsonl.bak":              lamp,
		lampDir + "session.v4.jsonl":               later(4),
		"--home-ada-lamp--/wrong/session.v2.jsonl": later(4),
	}))
	sessions := &store.Tree{Path: dir, Root: dir}
	r, err := rules.CheckListing(t.Context(), sessions, sessions.Dirs())
	if err != nil {
		t.Fatal(err)
	}
	want := `--home-ada-light--/lamp duplicate-session
--home-ada-light--/lamp/session.jsonl listing-blocked
--home-ada-lamp--/wrong/session.v2.jsonl generation-mismatch
`
	if diff := cmp.Diff(want, summary(dir, r)); diff != "" || r.Lists || r.Sessions != 3 {
		t.Errorf("lists %t, %d sessions (-want +got):\n%s", r.Lists, r.Sessions, diff)
	}
	if other := r.Findings[0].Others[0].Message; other != "the other log" {
		t.Errorf("the copies were compared: %s", other)
	}
}

func TestADamagedLogKeepsItsVerdictInARefusedStore(t *testing.T) {
	dir := treetest.Plant(t, beside(tree{"--home-ada-lamp--/old.jsonl": ""}))
	log := inspect(t, without(6), rules.Options{})
	inspectTree(t, dir).Judge(filepath.Join(dir, filepath.FromSlash(lampPath)), log)
	if log.Reading.Verdict != scan.Damaged || log.StoreRefuses {
		t.Errorf("verdict %v, for the store %t", log.Reading.Verdict, log.StoreRefuses)
	}
}

func TestCopiesAreComparedWithTheirLog(t *testing.T) {
	other := strings.Replace(string(upTo(7)), `"seq":5,"time":1790000001005`, `"seq":5,"time":1790000001999`, 1)
	tests := []struct {
		name, copied, want string
	}{
		{"the same", lamp, `note: a copy beside "session.jsonl": it holds the same 14 events`},
		{"older", string(upTo(7)), `note: a copy beside "session.jsonl": it holds the first 6 of 14 events in that log`},
		{"newer", string(twoTurns), `warning: a copy beside "session.jsonl": it holds all 14 events of that log and 2 more`},
		{"another history", other, `warning: a copy beside "session.jsonl": it shares the first 5 events with that log, then has 1 other where that has 9`},
		{"something else that is called alike", "d41d8cd9  session.jsonl\n", `note: a copy beside "session.jsonl": it holds no event`},
		{"another session", "{}\n{}\n", `warning: a copy beside "session.jsonl": it has no event in common with that log`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := inspectTree(t, treetest.Plant(t, beside(tree{lampPath + "~": test.copied})))
			if len(r.Findings) != 1 {
				t.Fatalf("%d findings, want 1", len(r.Findings))
			}
			if diff := cmp.Diff(test.want, fmt.Sprintf("%s: %s", r.Findings[0].Severity, r.Findings[0].Message)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestManyFindingsOfOneKindAreSummedUp(t *testing.T) {
	files := tree{}
	for i := range 120 {
		files[fmt.Sprintf("--p--/s%03d/", i)] = ""
	}
	r := inspectTree(t, treetest.Plant(t, files))
	last := r.Findings[len(r.Findings)-1]
	if len(r.Findings) != 101 || filepath.Base(last.Path) != "s100" || last.Message != "20 more of these from here on are not listed" {
		t.Errorf("%d findings, the last about %q: %s", len(r.Findings), last.Path, last.Message)
	}
}

func TestADirectoryThatCannotBeReadBlocksTheListing(t *testing.T) {
	dir := treetest.Plant(t, beside(tree{"--p--/": ""}))
	if err := os.Chmod(filepath.Join(dir, "--p--"), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadDir(filepath.Join(dir, "--p--")); err == nil {
		return // this user may read everything
	}
	r := inspectTree(t, dir)
	if diff := cmp.Diff("--p-- listing-blocked\n", summary(dir, r)); diff != "" || r.Lists {
		t.Errorf("lists %t (-want +got):\n%s", r.Lists, diff)
	}
}

func TestADirectoryWithTheNameOfALogBlocksTheListing(t *testing.T) {
	dir := treetest.Plant(t, beside(tree{"--p--/s/session.jsonl/": ""}))
	r := inspectTree(t, dir)
	const want = "--p--/s/session.jsonl: error: dsh cannot list any session of this store: is a directory [TL807 listing-blocked]\n"
	if diff := cmp.Diff(want, treeOutput(dir, r)); diff != "" || r.Lists {
		t.Errorf("lists %t (-want +got):\n%s", r.Lists, diff)
	}
}

func TestAStoreCheckEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := rules.CheckStore(ctx, &store.Tree{Path: t.TempDir()}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

func TestAProjectUnderAnotherNameIsNotMisplaced(t *testing.T) {
	const path = "/sessions/--home-ada--/lamp/session.jsonl"
	for _, linked := range []bool{true, false} {
		r := inspect(t, lampLog, rules.Options{Path: path, Root: "/sessions", SameFile: func(other string) bool {
			return linked && other == "/sessions/--home-ada-lamp--/lamp/session.jsonl"
		}})
		if (len(r.Findings) == 0) != linked || (r.Reading.Verdict == scan.Opens) != linked {
			t.Errorf("linked %t: verdict %v and\n%s", linked, r.Reading.Verdict, listing(r))
		}
	}
}

func TestADamagedLogInItsPlaceIsNotMisplaced(t *testing.T) {
	const path = "/sessions/--home-ada-lamp--/lamp/session.jsonl"
	wantLines(t, without(6), rules.Options{Path: path, Root: "/sessions"}, "6 seq-gap")
}

func TestLayoutCasesAreFoundAtTheirPaths(t *testing.T) {
	for _, c := range vectortest.Cases(t) {
		if c.Expect.Input.Root == "" {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			dir := filepath.Join(c.Dir, c.Expect.Input.Root)
			r := inspectTree(t, dir)
			lists := ""
			if r.Refusal != nil {
				lists = strings.ReplaceAll(r.Refusal.Text, dir, "<root>")
			}
			if want := c.Expect.UpstreamList; lists != want && !strings.HasPrefix(want, "ok(") {
				t.Errorf("listing: (-want +got):\n%s", cmp.Diff(want, lists))
			}
			for _, want := range c.Expect.Findings {
				path := filepath.Join(dir, want.Path)
				found := false
				for i := range r.Findings {
					found = found || r.Findings[i].Path == path || strings.HasPrefix(r.Findings[i].Path, path+"/")
				}
				if !found {
					t.Errorf("nothing is found at %s, only:\n%s", want.Path, treeOutput(dir, r))
				}
			}
		})
	}
}

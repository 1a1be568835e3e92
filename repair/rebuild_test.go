package repair_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/corpus"
	"github.com/turnlint/turnlint/internal/treetest"
	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/store"
)

// headed returns a log of another session with the given working directory, as JSON.
func headed(id, cwd string) string {
	return text(`{"type":"session","version":0,"id":"` + id + `","createdAt":5,"cwd":` + cwd + `,"delegationDepth":0}`)
}

// rebuilding allows a header to be rebuilt.
func rebuilding(cwd string) repair.Options {
	return repair.Options{Allow: []repair.Permission{repair.RebuildHeader}, CWD: cwd}
}

func TestALostHeaderIsRebuiltFromThePlaceOfTheLog(t *testing.T) {
	const log = "--work-a--/s~0020x/session.jsonl"
	bare := text(start1, end1)
	rebuilt := func(cwd string) string {
		return `{"type":"session","version":0,"id":"s x","createdAt":10,"cwd":"` + cwd + `","delegationDepth":0}`
	}
	tests := []struct {
		name string
		tree map[string]string
		path string
		cwd  string
		want string // the header, or what the refusal hints at
	}{
		{"another session knows the directory", map[string]string{log: bare, "--work-a--/t/session.jsonl": headed("t", `"/work/a"`)}, log, "", rebuilt("/work/a")},
		{"several know it", map[string]string{log: bare, "--work-a--/t/session.jsonl": headed("t", `"/work/a"`), "--work-a--/u/session.jsonl": headed("u", `"/work/a"`)}, log, "", rebuilt("/work/a")},
		{"another one is compressed", map[string]string{log: bare, "--work-a--/t/session.jsonl.zstd": string(frame(t, headed("t", `"/work/a"`)))}, log, "", rebuilt("/work/a")},
		{"the user knows it", map[string]string{log: bare}, log, "/work/a", rebuilt("/work/a")},
		{"the user knows better than another session", map[string]string{log: bare, "--work-a--/t/session.jsonl": headed("t", `"/work/a"`)}, log, "/work:a", rebuilt("/work:a")},
		{
			"there is none",
			map[string]string{"_no-cwd/s/session.jsonl": text(`{"type":"todo/note","seq":0,"time":-7,"data":{},"ignorable":true}`, end1)},
			"_no-cwd/s/session.jsonl", "",
			`{"type":"session","version":0,"id":"s","createdAt":0,"delegationDepth":0}`,
		},
		{
			"the first event is in a row",
			map[string]string{"_no-cwd/s/session.jsonl": text(`{"type":"text-chunks","seq0":0,"time0":3,"data":{"turn":1,"step":1,"index":0,"dt":[1],"texts":["a","b"]}}`, `{"type":"todo/note","seq":2,"time":9,"data":{},"ignorable":true}`)},
			"_no-cwd/s/session.jsonl", "",
			`{"type":"session","version":0,"id":"s","createdAt":3,"delegationDepth":0}`,
		},
		{"nobody knows it", map[string]string{log: bare}, log, "", "--cwd DIR"},
		{"two sessions name two directories", map[string]string{log: bare, "--work-a--/t/session.jsonl": headed("t", `"/work/a"`), "--work-a--/u/session.jsonl": headed("u", `"/work:a"`)}, log, "", "--cwd DIR"},
		{"another session was moved here from another project", map[string]string{log: bare, "--work-a--/t/session.jsonl": headed("t", `"/work/b"`)}, log, "", "--cwd DIR"},
		{"another session has no header either", map[string]string{log: bare, "--work-a--/t/session.jsonl": bare}, log, "", "--cwd DIR"},
		{"the other session is a link", map[string]string{log: bare, "elsewhere.jsonl": headed("t", `"/work/a"`), "--work-a--/t/session.jsonl": "-> ../../elsewhere.jsonl"}, log, "", "--cwd DIR"},
		{"the user names that of another project", map[string]string{log: bare}, log, "/work/b", "--cwd DIR"},
		{"the user names one where there is none", map[string]string{"_no-cwd/s/session.jsonl": bare}, "_no-cwd/s/session.jsonl", "/work/a", "--cwd DIR"},
		{"the log lies in no project", map[string]string{"work/s/session.jsonl": bare}, "work/s/session.jsonl", "/work", "--header-from FILE"},
		{"the directory is no session's", map[string]string{"--work-a--/s~x/session.jsonl": bare}, "--work-a--/s~x/session.jsonl", "/work/a", "--header-from FILE"},
		{"the file has another name", map[string]string{"--work-a--/s/copy.jsonl": bare}, "--work-a--/s/copy.jsonl", "/work/a", "--header-from FILE"},
		{"there is no first event", map[string]string{log: text(end1, start2)}, log, "/work/a", "--header-from FILE"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(treetest.Plant(t, tt.tree), filepath.FromSlash(tt.path))
			image := readFile(t, path)
			p, err := repair.NewPlan(bytes.NewReader(image), int64(len(image)), path, rebuilding(tt.cwd))
			must(t, err)
			if strings.HasPrefix(tt.want, "--") {
				if p.Action != repair.Refuse || p.Level != repair.Assisted || !strings.Contains(p.Next, tt.want) {
					t.Errorf("%s, %s: %s; %s", p.Action, p.Level, p.Reason, p.Next)
				}
				return
			}
			if diff := cmp.Diff(tt.want, p.NewHeader); diff != "" {
				t.Errorf("%s: %s, header (-want +got):\n%s", p.Action, p.Reason, diff)
			}
			got := writeUnverified(t, p, image)
			if !strings.HasPrefix(string(got), text(tt.want)) {
				t.Errorf("the repaired log is %s", got)
			}
		})
	}
}

func TestAHeaderThatDshRefusesIsReplacedOnRequest(t *testing.T) {
	members := func(rest string) string { return `{"type":"session","version":0,"id":"s",` + rest + `}` }
	tests := []struct{ name, header, why string }{
		{"a relative working directory", members(`"createdAt":1,"cwd":"work","delegationDepth":0`), `dsh refuses its header: "session header cwd must be an absolute path`},
		{"a parent that is no name", members(`"createdAt":1,"parentSession":1,"delegationDepth":0`), `dsh refuses its header: "session header parentSession`},
		{"an empty id", strings.Replace(header, `"s"`, `""`, 1), `dsh refuses its header: "its id or cwd cannot name a storage path"`},
		{"retired members", members(`"createdAt":1,"delegationDepth":0,"sandboxMode":"x"`), "it has no header"},
		{"no time", members(`"delegationDepth":0`), "it has no header"},
		{"half of it", header[:40], "it has no header"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := treetest.Plant(t, map[string]string{"--work--/s/session.jsonl": text(tt.header, start1, end1)})
			path := filepath.Join(dir, "--work--", "s", "session.jsonl")
			image := readFile(t, path)
			for _, opt := range []repair.Options{{}, rebuilding("/work"), {Header: header}} {
				p, err := repair.NewPlan(bytes.NewReader(image), int64(len(image)), path, opt)
				must(t, err)
				if opt.CWD == "" && opt.Header == "" {
					if p.Action != repair.Refuse || p.Level != repair.Assisted || !strings.HasPrefix(p.Reason, tt.why) {
						t.Errorf("%s, %s: %s", p.Action, p.Level, p.Reason)
					}
					continue
				}
				if p.Action != repair.Repair || len(p.Leaves) != 1 || p.Leaves[0].Len != int64(len(tt.header)+1) {
					t.Fatalf("%s: %s, leaves %v", p.Action, p.Reason, p.Leaves)
				}
				if diff := cmp.Diff(text(p.NewHeader, start1, end1), string(write(t, p, image))); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
		})
	}
}

// bareCase plants the case of a lost header in a sessions directory, with another
// session in its project, and returns the path of the log.
func bareCase(t *testing.T) (c vectortest.Case, path string) {
	t.Helper()
	for _, c = range vectortest.Cases(t) {
		if c.Expect.Kind != "header-frame-dropped" {
			continue
		}
		dir := treetest.Plant(t, map[string]string{
			"sessions/--work-demo--/" + c.Expect.Input.ID + "/session.jsonl.zstd": string(readFile(t, c.Log)),
			"sessions/--work-demo--/other/session.jsonl.zstd":                     string(frame(t, headed("other", `"/work/demo"`))),
		})
		return c, filepath.Join(dir, "sessions", "--work-demo--", c.Expect.Input.ID, "session.jsonl.zstd")
	}
	t.Fatal("no case has lost its header")
	return c, ""
}

func TestTheCaseOfALostHeaderOpensInItsTree(t *testing.T) {
	c, path := bareCase(t)
	before := readFile(t, path)
	committer := committer(t)
	out, err := committer.Apply(t.Context(), path, repair.Options{})
	must(t, err)
	if p := out.Plan; p.Action != repair.Refuse || p.Level != repair.Assisted || len(p.NeedAllow) != 1 || p.NeedAllow[0].Allow != repair.RebuildHeader {
		t.Errorf("%s, %s, which needs %v", p.Action, p.Level, p.NeedAllow)
	}
	out, err = committer.Apply(t.Context(), path, rebuilding(""))
	must(t, err)
	if p := out.Plan; !out.Published || p.Level != repair.Assisted || p.Ledger.Kept != int64(*c.Expect.Repair.KeptEvents) {
		t.Fatalf("%s, %s, %d events: %s", p.Action, p.Level, p.Ledger.Kept, p.Reason)
	}
	got := readFile(t, path)
	if !bytes.HasSuffix(got, before) {
		t.Error("the frames of the log changed")
	}
	var header struct{ ID, CWD string }
	must(t, json.Unmarshal([]byte(lines(t, got)[0]), &header))
	if header.ID != c.Expect.Input.ID || header.CWD != c.Expect.Input.Cwd {
		t.Errorf("the header is %+v", header)
	}
	checkListed(t, filepath.Dir(filepath.Dir(filepath.Dir(path))))
	out, err = committer.Apply(t.Context(), path, rebuilding(""))
	if must(t, err); out.Plan.Action != repair.Nothing {
		t.Errorf("a second repair does %s", out.Plan.Action)
	}
	_, err = committer.Undo(t.Context(), path)
	if must(t, err); !bytes.Equal(readFile(t, path), before) {
		t.Error("the undone log is not the damaged one")
	}
}

// checkListed checks that dsh lists the sessions in a directory.
func checkListed(t *testing.T, sessions string) {
	t.Helper()
	for tree := range store.Detect(sessions) {
		result, err := rules.CheckStore(t.Context(), tree)
		must(t, err)
		for _, f := range result.Findings {
			t.Errorf("the sessions directory: %s: %s", f.Rule.Name, f.Message)
		}
	}
}

func TestARebuiltHeaderGoesWithOtherRepairs(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{"--work--/s/session.jsonl": text(start1, strings.Replace(asked2, `"seq":2`, `"seq":1`, 1)) + `{"ty`})
	path := filepath.Join(dir, "--work--", "s", "session.jsonl")
	opt := rebuilding("/work")
	opt.Allow = append(opt.Allow, "move-member=user/message:uuid", "round-time=user/message", "mint-id=user/message")
	out, err := committer(t).Apply(t.Context(), path, opt)
	if err != nil || !out.Published {
		t.Fatalf("%v; %+v", err, out)
	}
	got := string(readFile(t, path))
	if !strings.Contains(got, `"id":"s"`) || !strings.Contains(got, `"id":"repaired-message:s:1"`) {
		t.Errorf("the repaired log is %s", got)
	}
}

func TestAPlanWithARebuiltHeaderIsBoundToIt(t *testing.T) {
	dir := treetest.Plant(t, map[string]string{"--work--/s/session.jsonl": text(start1, end1), "--work--/t/session.jsonl": headed("t", `"/work"`)})
	path := filepath.Join(dir, "--work--", "s", "session.jsonl")
	image := readFile(t, path)
	p, err := repair.NewPlan(bytes.NewReader(image), int64(len(image)), path, rebuilding(""))
	must(t, err)
	c := committer(t)
	c.Expect = p
	other := filepath.Join(dir, "--work--", "t", "session.jsonl")
	must(t, os.WriteFile(other, []byte(headed("t", `"/work:"`)), 0o600))
	if _, err := c.Apply(t.Context(), path, rebuilding("")); err == nil {
		t.Error("it is carried out though the working directory is another one by now")
	}
	must(t, os.WriteFile(other, []byte(headed("t", `"/work"`)), 0o600))
	if out, err := c.Apply(t.Context(), path, rebuilding("")); err != nil || !out.Published {
		t.Errorf("%v; %+v", err, out)
	}
}

// What is wrong with the events of a log comes to light with its header, and is no
// reason to refuse the header.
func TestAnyLogThatOpensGetsItsHeaderBack(t *testing.T) {
	logs, err := corpus.Load(filepath.FromSlash("../testdata/corpus"))
	must(t, err)
	checked := 0
	for _, log := range logs {
		first, rest, _ := bytes.Cut(log.Data, []byte("\n"))
		if log.Expect.Verdict != "opens" || !strings.HasSuffix(log.Path, ".jsonl") || len(bytes.Fields(rest)) < 2 {
			continue
		}
		p := plan(t, rest, repair.Options{Header: string(first)})
		if p.Action != repair.Repair {
			t.Errorf("%s: %s: %s", log.Path, p.Action, p.Reason)
			continue
		}
		checked++
		if !bytes.Equal(write(t, p, rest), log.Data) {
			t.Errorf("%s: the repaired log is not the one that lost its header", log.Path)
		}
	}
	if checked < 20 {
		t.Errorf("%d logs, want at least 20", checked)
	}
}

func TestTheOnlyLineOfALogWithoutHeaderGetsItsLineFeed(t *testing.T) {
	for _, log := range [][]byte{[]byte(start1), frame(t, start1)} {
		if p := plan(t, log, repair.Options{Header: header}); p.Action == repair.Repair {
			if got := lines(t, write(t, p, log)); len(got) != 3 || got[1] != start1 {
				t.Errorf("the repaired log has the lines %q", got)
			}
		}
	}
}

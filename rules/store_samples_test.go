package rules_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/internal/treetest"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/store"
)

// treeSample is a sessions directory in which a rule about such directories
// finds something, one in which there is nothing to find, and one that looks
// much like the bad one but is in order.
type treeSample struct {
	rule            string
	bad, good, near tree
	why             string // what the near miss shows
	// judged says that the rule is asked about each log, see [rules.StoreResult.Judge].
	judged bool
}

// tree has the content of files by their path. A path that ends in / is an empty
// directory, and content that begins with "-> " makes a symbolic link.
type tree map[string]string

const (
	lampDir  = "--home-ada-lamp--/lamp/"
	lampPath = lampDir + "session.jsonl"
)

// beside returns the tree of the log lamp and further files.
func beside(files tree) tree {
	t := tree{lampPath: lamp}
	maps.Copy(t, files)
	return t
}

// session returns lamp as another session.
func session(id string) string { return string(with(`"id":"lamp"`, `"id":"`+id+`"`)) }

// later returns the log lamp of a later format version, before its first event.
func later(version int) string {
	return fmt.Sprintf(`{"type":"session","version":%d,"id":"lamp","createdAt":1790000000000,"cwd":"/home/ada/lamp","isSeeded":false,"delegationDepth":0}`+"\n", version)
}

func treeSamples() []treeSample {
	good := tree{lampPath: lamp}
	const second = "--home-ada-lamp--/second/session.jsonl"
	return []treeSample{
		{
			rule: "mixed-encodings", good: good,
			bad:  beside(tree{lampDir + "session.jsonl.zstd": string(lampFrames), second: session("second")}),
			near: beside(tree{lampDir + "session.jsonl.zst": string(lampFrames)}),
			why:  "only the exact names are logs",
		},
		{
			rule: "flat-log", good: good,
			bad:  beside(tree{"--home-ada-lamp--/lamp.jsonl": lamp}),
			near: beside(tree{"lamp.jsonl": lamp}),
			why:  "dsh does not look at files above the projects",
		},
		{
			rule: "duplicate-session", good: good,
			bad:  beside(tree{"--home-ada-light--/lamp/session.jsonl": string(with("/home/ada/lamp", "/home/ada/light"))}),
			near: beside(tree{"--home-ada-light--/lamp/": ""}),
			why:  "a session directory without a log is no session",
		},
		{
			rule: "listing-blocked", good: good,
			bad:  beside(tree{second: strings.Replace(session("second"), `"version"`, `"approvalPolicy":"ask","version"`, 1)}),
			near: beside(tree{second: "no header\n"}),
			why:  "a log whose header is no JSON is passed over",
		},
		{
			rule: "stray-copy", good: good,
			bad:  tree{lampPath: string(upTo(7)), lampDir + "session (conflicted copy 2026-08-30).jsonl": lamp},
			near: beside(tree{lampDir + "session.lock": "", lampDir + "session.v2.jsonl": later(2)}),
			why:  "other files of dsh begin with the same word",
		},
		{
			rule: "stray-temporary", good: good,
			bad:  beside(tree{lampPath + ".0a1b2c3d4e5f.tmp": string(upTo(7))}),
			near: beside(tree{lampPath + ".tmp": string(upTo(7))}),
			why:  "without the twelve digits it is no file of dsh, but a copy",
		},
		{
			rule: "mkdir-leftover", good: good,
			bad:  beside(tree{"--home-ada-lamp--/.dsh-mkdir-k3Xw9a/": ""}),
			near: beside(tree{"--home-ada-lamp--/.dsh-mkdir/": ""}),
			why:  "without the six characters it is no directory that dsh made",
		},
		{
			rule: "linked-directory", good: good,
			bad:  beside(tree{"--home-ada-light--": "-> --home-ada-lamp--"}),
			near: tree{"lamp.jsonl": lamp, lampPath: "-> ../../lamp.jsonl"},
			why:  "a log that is a link is followed",
		},
		{
			rule: "session-without-log", good: good,
			bad:  beside(tree{"--home-ada-lamp--/second/": ""}),
			near: beside(tree{"--home-ada-lamp--/second/session.v2.jsonl": strings.Replace(later(2), `"lamp"`, `"second"`, 1)}),
			why:  "a log of a later format is one",
		},
		{
			rule: "generation-mismatch", good: good,
			bad:  beside(tree{lampDir + "session.v3.jsonl": later(4)}),
			near: beside(tree{lampDir + "session.v03.jsonl": later(4)}),
			why:  "a number with a leading zero names no generation",
		},
		{
			rule: "hidden-predecessor", good: good, judged: true,
			bad:  beside(tree{lampDir + "session.v4.jsonl": later(4) + end2 + "\n"}),
			near: tree{lampPath: string(without(6)), lampDir + "session.v4.jsonl": later(4) + end2 + "\n"},
			why:  "the earlier log is damaged too",
		},
		{
			rule: "shadowed-generation", good: good,
			bad:  beside(tree{lampDir + "session.v2.jsonl": later(2), lampDir + "session.v4.jsonl": later(4)}),
			near: tree{lampDir + "session.v4.jsonl": later(4)},
			why:  "a log of a later format need not have had an earlier one",
		},
		{
			rule: "migration-temporary", good: good,
			bad:  beside(tree{lampDir + "session.migration.0123456789abcdef.jsonl.tmp": later(4)}),
			near: beside(tree{lampDir + "session.v4.jsonl.0a1b2c3d4e5f.tmp": later(4)}),
			why:  "a new log has another temporary name than a migrated one",
		},
		{
			rule: "lock-directory", good: good,
			bad:  beside(tree{lampDir + "session.lock/": ""}),
			near: beside(tree{lampDir + "session.lock": ""}),
			why:  "the file is there for good, and says nothing by itself",
		},
	}
}

// treeSampleOf returns the sample of a rule about sessions directories; nil for
// one about logs.
func treeSampleOf(r *rules.Rule) *treeSample {
	all := treeSamples()
	if i := slices.IndexFunc(all, func(s treeSample) bool { return s.rule == r.Name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// inspectTree checks a sessions directory.
func inspectTree(t *testing.T, dir string) *rules.StoreResult {
	t.Helper()
	abs, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	result, err := rules.CheckStore(t.Context(), &store.Tree{Path: dir, Root: abs})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// inspectSample checks a tree of a sample, and its logs where its rule is about
// them.
func inspectSample(t *testing.T, s *treeSample, dir string) *rules.StoreResult {
	t.Helper()
	result := inspectTree(t, dir)
	if !s.judged {
		return result
	}
	for d := range (&store.Tree{Path: dir, Root: dir}).Dirs() {
		for _, log := range d.Logs {
			text, err := os.ReadFile(log.Path)
			if err != nil {
				t.Fatal(err)
			}
			r := inspect(t, text, rules.Options{Path: log.Path})
			result.Judge(log.Path, r)
			for _, f := range r.Findings {
				if f.Rule.Name == s.rule {
					f.Path = log.Path
					result.Findings = append(result.Findings, f)
				}
			}
		}
	}
	return result
}

// treeOutput shows the findings in a directory without its own path.
func treeOutput(dir string, r *rules.StoreResult) string {
	var b strings.Builder
	short := func(path string) string {
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return path
		}
		return filepath.ToSlash(rel)
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(&b, "%s: %s: %s [%s %s]\n", short(f.Path), f.Severity, f.Message, f.Rule.ID, f.Rule.Name)
		for _, other := range f.Others {
			fmt.Fprintf(&b, "    %s: %s\n", short(other.Path), other.Message)
		}
	}
	return b.String()
}

// treeExample shows the names in the bad tree of a sample, and what is found.
func treeExample(t *testing.T, s *treeSample) string {
	dir := treetest.Plant(t, s.bad)
	var names strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s.bad)) {
		names.WriteString(name)
		if strings.HasPrefix(s.bad[name], "-> ") {
			names.WriteString(" " + s.bad[name])
		}
		names.WriteString("\n")
	}
	return fmt.Sprintf("\n### Example\n\nIn a sessions directory with these files:\n\n```\n%s```\n\n```\n%s```\n\nLooks like it and is none: %s.\n",
		names.String(), treeOutput(dir, inspectSample(t, s, dir)), s.why)
}

// keepTree keeps a tree in testdata up to date, if it is one that a repository of
// files can hold: without empty directories and links.
func keepTree(t *testing.T, dir string, files tree) {
	t.Helper()
	for name, content := range files {
		if strings.HasSuffix(name, "/") || strings.HasPrefix(content, "-> ") {
			return
		}
	}
	for name, content := range files {
		golden(t, filepath.Join(dir, filepath.FromSlash(name)), []byte(content))
	}
}

func TestEveryStoreRuleFiresInItsBadTreeOnly(t *testing.T) {
	for _, s := range treeSamples() {
		rule := rules.ByName(s.rule)
		fires := func(t *testing.T, files tree) bool {
			r := inspectSample(t, &s, treetest.Plant(t, files))
			return slices.ContainsFunc(r.Findings, func(f rules.Finding) bool { return f.Rule == rule })
		}
		t.Run(s.rule, func(t *testing.T) {
			if !fires(t, s.bad) {
				t.Error("nothing is found in the bad tree")
			}
			if fires(t, s.good) {
				t.Error("the good tree has findings")
			}
			if fires(t, s.near) {
				t.Error("the near miss has findings")
			}
			if len(s.near) == 0 || s.why == "" {
				t.Error("there is no near miss, or nothing to say of it")
			}
			keepTree(t, filepath.Join("..", "testdata", "rules", s.rule, "bad"), s.bad)
			keepTree(t, filepath.Join("..", "testdata", "rules", s.rule, "near"), s.near)
		})
	}
}

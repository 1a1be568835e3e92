package store_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/treetest"
	"github.com/turnlint/turnlint/store"
)

func TestFamiliesAreFoundByTheHeadersOfSubAgents(t *testing.T) {
	header := func(id, rest string) string {
		return `{"type":"session","version":0,"id":"` + id + `","createdAt":1,"cwd":"/p","delegationDepth":1` + rest + "}\n"
	}
	const (
		ofLamp  = `,"parentSession":"lamp","origin":"subagent"`
		fork    = `,"parentSession":"lamp"`
		orphan  = `,"origin":"subagent"`
		ofOther = `,"parentSession":"other","origin":"subagent"`
	)
	dir := treetest.Plant(t, map[string]string{
		"--p--/lamp/session.jsonl":   header("lamp", ""),
		"--p--/fork/session.jsonl":   header("fork", fork),
		"--p--/orphan/session.jsonl": header("orphan", orphan),
		"--p--/b/session.jsonl":      header("b", ofLamp),
		"--a--/a/session.jsonl":      header("a", ofLamp),
		"--a--/c/session.jsonl":      header("c", ofOther),
		"--a--/broken/session.jsonl": "Dear diary",
		"--a--/new/session.jsonl":    header("new", ofLamp),
		"--a--/new/session.v9.jsonl": header("new", ofLamp),
		"--a--/empty/":               "",
	})
	got := map[string][]string{}
	for parent, logs := range (&store.Tree{Path: dir, Root: dir}).Families() {
		for _, log := range logs {
			name, err := filepath.Rel(dir, log.Path)
			if err != nil {
				t.Fatal(err)
			}
			got[parent] = append(got[parent], filepath.ToSlash(name))
		}
	}
	want := map[string][]string{
		"lamp":  {"--a--/a/session.jsonl", "--p--/b/session.jsonl"},
		"other": {"--a--/c/session.jsonl"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

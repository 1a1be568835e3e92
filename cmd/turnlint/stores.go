package main

import (
	"os"
	"path/filepath"

	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/session"
	"github.com/turnlint/turnlint/store"
)

// stores checks the sessions directories among the paths, and remembers where
// they are.
func (ch *checker) stores(args []string) error {
	for _, arg := range args {
		for _, tree := range ch.trees(arg) {
			result, err := ch.store(tree)
			if err != nil {
				return err
			}
			ch.found[tree.Root] = append(ch.found[tree.Root], result)
		}
	}
	return nil
}

// trees returns the sessions directories that an argument names or contains.
// With --root there is one, and nothing is guessed.
func (ch *checker) trees(arg string) (trees []*store.Tree) {
	if info, err := os.Stat(arg); err != nil || !info.IsDir() {
		return nil
	}
	if ch.options.Root != "" {
		if tree := store.In(ch.options.Root, arg); tree != nil {
			trees = append(trees, tree)
		}
		return trees
	}
	for tree := range store.Detect(arg) {
		trees = append(trees, tree)
	}
	return trees
}

func (ch *checker) store(tree *store.Tree) (*rules.StoreResult, error) {
	result, err := rules.CheckStore(ch.c.Context, tree)
	if err != nil {
		return nil, err
	}
	return result, ch.noteStore(result)
}

// judge corrects the result for a log that is sound, but lies in a sessions
// directory that is not: in a session directory, or directly in a project.
func (ch *checker) judge(path string, result *rules.Result) {
	project := filepath.Dir(path)
	for _, root := range []string{filepath.Dir(project), filepath.Dir(filepath.Dir(project))} {
		for _, found := range ch.found[root] {
			found.Judge(path, result)
		}
	}
}

// rootOf returns the sessions directory that the log at an absolute path is to be
// compared with; "" for a log that lies in none, and for a file beside the log in
// a session directory.
func (ch *checker) rootOf(path string) string {
	root := ch.options.Root
	if path == "" { // standard input lies nowhere
		return ""
	}
	above := filepath.Dir(filepath.Dir(filepath.Dir(path)))
	if root == "" && ch.found[above] != nil {
		root = above
	}
	if _, isLog := session.ParseLogName(filepath.Base(path)); above == root && !isLog {
		return ""
	}
	return root
}

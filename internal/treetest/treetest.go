// Package treetest makes trees of files for tests.
package treetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Plant makes a tree of files in a new directory. A name that ends in / is a
// directory, and content that begins with "-> " makes a symbolic link.
func Plant(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		parent := filepath.Dir(path)
		if strings.HasSuffix(name, "/") {
			parent = path
		}
		if err := os.MkdirAll(parent, 0o777); err != nil {
			t.Fatal(err)
		}
		target, isLink := strings.CutPrefix(content, "-> ")
		switch {
		case parent == path:
		case isLink:
			if err := os.Symlink(filepath.FromSlash(target), path); err != nil {
				t.Skip(err)
			}
		default:
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

// minBugs is the number below which the list proves little.
const minBugs = 12

func TestEveryBugCanBePlantedAndNamesATest(t *testing.T) {
	root := filepath.FromSlash("../..")
	all, err := bugs(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < minBugs {
		t.Errorf("%d bugs, want at least %d", len(all), minBugs)
	}
	for _, b := range all {
		source, err := b.plant(root)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), b.file, source, 0); err != nil {
			t.Errorf("%s: %v", b.name, err)
		}
		if !hasTest(t, filepath.Join(root, b.pkg), b.test) {
			t.Errorf("%s: there is no %s in %s", b.name, b.test, b.pkg)
		}
	}
}

// hasTest reports whether a test file in dir has a function of the given name.
func hasTest(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name {
				return true
			}
		}
	}
	return false
}

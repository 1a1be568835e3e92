package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const source = `package p

const limit = 3

func f(a, b int) (int, error) {
	n, err := g(a)
	if a < b && err == nil {
		n = a + 1
	}
	h("x" + "y")
	return n, err
}
`

func TestMutationsAreSmallChanges(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"p.go", "p_test.go"} {
		if err := os.MkdirAll(filepath.Join(root, "p"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "p", name), []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := mutations(root, "p", "*.go")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range all {
		if m.file != "p/p.go" {
			t.Errorf("%s: tests are changed", m)
		}
		got = append(got, changedLine(t, m))
	}
	want := []string{
		`if a < b || err == nil {`, `if a <= b && err == nil {`, `if a < b && err != nil {`,
		``, `n = a - 1`, `n = a + 2`, ``, `return n, nil`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("changed lines %q, want %q", got, want)
	}
}

// changedLine returns the line in which a mutation differs from the source.
func changedLine(t *testing.T, m *mutation) string {
	t.Helper()
	before, after := strings.Split(source, "\n"), strings.Split(string(m.apply([]byte(source))), "\n")
	for i := range before {
		if before[i] != after[i] {
			return strings.TrimSpace(after[i])
		}
	}
	t.Fatalf("%s changes nothing", m)
	return ""
}

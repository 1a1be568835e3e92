package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTranslatedDocumentsHaveTheSameParts compares the levels of the headings and the examples of
// each document with those of its translation.
func TestTranslatedDocumentsHaveTheSameParts(t *testing.T) {
	for _, name := range []string{"README", "docs/repair"} {
		english, chinese := partsOf(t, name+".md"), partsOf(t, name+".zh.md")
		if diff := cmp.Diff(english, chinese); diff != "" {
			t.Errorf("%s (-English +Chinese):\n%s", name, diff)
		}
		if len(english) == 0 {
			t.Errorf("%s has no parts", name)
		}
	}
}

// placeholder matches words in an example that stand for a value.
var placeholder = regexp.MustCompile(`<[^>]*>`)

// partsOf returns the levels of the headings of a document, and the lines of its examples: of
// console blocks the commands, of others what stands before an explanation.
func partsOf(t *testing.T, name string) (parts []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	block := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case block == "" && strings.HasPrefix(line, "#"):
			level, _, _ := strings.Cut(line, " ")
			parts = append(parts, level)
		case strings.HasPrefix(line, "```"):
			if block == "" {
				block = line
				parts = append(parts, line)
			} else {
				block = ""
			}
		case block == "```console" && strings.HasPrefix(line, "$ "):
			parts = append(parts, line)
		case block != "" && block != "```console":
			example, _, _ := strings.Cut(line, "  ")
			parts = append(parts, placeholder.ReplaceAllString(example, "<>"))
		}
	}
	return parts
}

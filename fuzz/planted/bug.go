package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// bug is a mistake that somebody could make in the product, and the test that has to
// see it. Its file is a txtar archive:
//
//	What the mistake is, in a line.
//	test: ./repair TestName
//	-- repair/commit.go --
//	text that occurs once in that file
//	-- instead --
//	what the mistake makes of it
type bug struct {
	name      string // of its file
	about     string
	pkg, test string
	file      string // below the module, with slashes
	old, with []byte
}

// bugs reads all planted bugs below the module in the directory root.
func bugs(root string) (all []*bug, err error) {
	names, err := filepath.Glob(filepath.Join(root, "fuzz", "planted", "bugs", "*.txtar"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		b, err := readBug(name)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
		all = append(all, b)
	}
	if len(all) == 0 {
		err = fmt.Errorf("no planted bugs below %q: run it in the module", root)
	}
	return all, err
}

func readBug(name string) (*bug, error) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		return nil, err
	}
	b := &bug{name: strings.TrimSuffix(filepath.Base(name), ".txtar")}
	about, test, _ := strings.Cut(strings.TrimSpace(string(archive.Comment)), "\n")
	b.about = about
	if _, err := fmt.Sscanf(test, "test: %s %s", &b.pkg, &b.test); err != nil {
		return nil, fmt.Errorf("second line %q: %w", test, err)
	}
	if len(archive.Files) != 2 {
		return nil, fmt.Errorf("%d files, want a text and what stands instead", len(archive.Files))
	}
	b.file, b.old, b.with = archive.Files[0].Name, archive.Files[0].Data, archive.Files[1].Data
	return b, nil
}

// plant returns the file of the bug with the bug in it.
func (b *bug) plant(root string) ([]byte, error) {
	source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(b.file)))
	if err != nil {
		return nil, err
	}
	if n := bytes.Count(source, b.old); n != 1 {
		return nil, fmt.Errorf("%s: its text occurs %d times in %s, want once", b.name, n, b.file)
	}
	return bytes.Replace(source, b.old, b.with, 1), nil
}

// Package store reads a sessions directory the way dsh does: which files are
// logs, which stand in the way, and which are left over (docs/format.md §1.1).
package store

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"
)

// Level is the depth of a directory in a sessions directory.
type Level uint8

// The levels of directories.
const (
	Root Level = iota
	Project
	Session
)

// Tree is a sessions directory, or the part of one that is looked at.
type Tree struct {
	// Path is the directory that is looked at, as the user named it.
	Path string
	// Level of Path: below Root, the rest of the sessions directory is not read.
	Level Level
	// Root is the absolute path of the whole sessions directory.
	Root string
}

// Dir is a directory of a tree and what lies directly in it.
type Dir struct {
	Path    string // begins with that of the tree
	Level   Level
	Entries []Entry // sorted by name
	// Err says why the directory could not be read; Entries may lack some then.
	Err error
}

// Entry is one thing in a directory of a tree.
type Entry struct {
	Name string
	Role Role
}

// Find returns the names of the entries with a role.
func (d *Dir) Find(role Role) (names []string) {
	for _, e := range d.Entries {
		if e.Role == role {
			names = append(names, e.Name)
		}
	}
	return names
}

// Dirs yields the directories of the tree, each before those in it, sorted. Like
// dsh, it follows no link to a directory below the path of the tree itself. The
// memory is that of the names in one sessions directory, one project and one
// session.
func (t *Tree) Dirs() iter.Seq[*Dir] {
	return func(yield func(*Dir) bool) { walk(t.Path, t.Level, yield) }
}

func walk(path string, level Level, yield func(*Dir) bool) bool {
	d := read(path, level)
	if !yield(d) {
		return false
	}
	for _, e := range d.Entries {
		if e.Role == Subdirectory && !walk(filepath.Join(path, e.Name), level+1, yield) {
			return false
		}
	}
	return true
}

// read lists a directory.
func read(path string, level Level) *Dir {
	d := &Dir{Path: path, Level: level}
	entries, err := os.ReadDir(path)
	d.Err = err
	d.Entries = make([]Entry, len(entries))
	for i, e := range entries {
		d.Entries[i] = Entry{e.Name(), roleOf(path, level, e)}
	}
	return d
}

// kind is what an entry of a directory is, a link seen through.
type kind struct {
	link    bool
	missing bool // a link to nothing
	fs.FileMode
}

func kindOf(dir string, e fs.DirEntry) kind {
	if e.Type()&fs.ModeSymlink == 0 {
		return kind{FileMode: e.Type()}
	}
	info, err := os.Stat(filepath.Join(dir, e.Name()))
	if err != nil {
		return kind{link: true, missing: true}
	}
	return kind{link: true, FileMode: info.Mode()}
}

// Package store reads a sessions directory the way dsh does: which files are
// logs, which stand in the way, and which are left over (docs/format.md §1.1).
package store

import (
	"cmp"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/turnlint/turnlint/session"
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
	// Logs are those of a session directory, the lowest generation first, and of
	// one generation the plain one.
	Logs []*Log
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
	return func(yield func(*Dir) bool) { t.walk(t.Path, t.Level, yield) }
}

func (t *Tree) walk(path string, level Level, yield func(*Dir) bool) bool {
	d := t.read(path, level)
	if !yield(d) {
		return false
	}
	for _, e := range d.Entries {
		if e.Role == Subdirectory && !t.walk(filepath.Join(path, e.Name), level+1, yield) {
			return false
		}
	}
	return true
}

// HasLater reports whether any log of the tree is of a later generation than v0,
// and so written by a later dsh. It looks at names only, up to the first.
func (t *Tree) HasLater() bool {
	for d := range t.Dirs() {
		if winner := d.Winner(); winner != nil && winner.Generation > 0 {
			return true
		}
	}
	return false
}

// Session reads a session directory of the tree.
func (t *Tree) Session(path string) *Dir { return t.read(path, Session) }

// ReadSession reads a session directory that belongs to no tree.
func ReadSession(path string) *Dir { return new(Tree).read(path, Session) }

func (t *Tree) read(path string, level Level) *Dir {
	d := read(path, level)
	for _, name := range d.Find(LogFile) {
		parsed, _ := session.ParseLogName(name)
		d.Logs = append(d.Logs, &Log{LogName: parsed, Path: filepath.Join(path, name), root: t.Root})
	}
	slices.SortStableFunc(d.Logs, func(a, b *Log) int { return cmp.Compare(a.Generation, b.Generation) })
	return d
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

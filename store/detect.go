package store

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// projectName is how the projects of today's and of earlier layouts are called
// (docs/format.md §1.1 and §7.2).
var projectName = regexp.MustCompile(`(?s)^(--.+--|_no-cwd|cwd-[0-9a-f]{12})$`)

// Detect yields the sessions directories at dir, above it or below it, told by
// their structure: something in them is called like a project and holds a log at
// one of the depths that dsh has used. Of a sessions directory above dir, only
// dir is looked at. What cannot be read is passed over.
func Detect(dir string) iter.Seq[*Tree] {
	return func(yield func(*Tree) bool) {
		if t := Enclosing(dir); t != nil {
			yield(t)
			return
		}
		detectBelow(dir, yield)
	}
}

// Enclosing returns the part of a sessions directory that dir is, a project or a
// session directory, and nil when it is neither.
func Enclosing(dir string) *Tree {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	parent := filepath.Dir(abs)
	switch {
	case projectName.MatchString(filepath.Base(abs)) && isProject(dir):
		return &Tree{Path: dir, Level: Project, Root: parent}
	case projectName.MatchString(filepath.Base(parent)) && isSession(dir):
		return &Tree{Path: dir, Level: Session, Root: filepath.Dir(parent)}
	}
	return nil
}

// detectBelow looks for projects, because their names are what tells a sessions
// directory from others.
func detectBelow(dir string, yield func(*Tree) bool) {
	var last *Tree
	// The separator makes WalkDir follow dir when that is a link.
	start := strings.TrimSuffix(dir, string(filepath.Separator)) + string(filepath.Separator)
	_ = filepath.WalkDir(start, func(path string, e fs.DirEntry, err error) error {
		parent := filepath.Dir(path)
		switch {
		case err != nil || !e.IsDir() || path == start:
			return nil
		case last != nil && last.Path == parent:
			return fs.SkipDir
		case !projectName.MatchString(e.Name()) || !isProject(path):
			return nil
		}
		root, err := filepath.Abs(parent)
		if err != nil {
			return nil
		}
		last = &Tree{Path: parent, Root: root}
		if !yield(last) {
			return fs.SkipAll
		}
		return fs.SkipDir
	})
}

// Around returns the tree that dir is by its name or by the names in it: a session
// directory, a project, or a sessions directory, even one without any log. It is
// nil where nothing is called so.
func Around(dir string) *Tree {
	if t := Enclosing(dir); t != nil {
		return t
	}
	entries, _ := os.ReadDir(dir)
	project := func(e fs.DirEntry) bool { return e.IsDir() && projectName.MatchString(e.Name()) }
	root, err := filepath.Abs(dir)
	if err != nil || !slices.ContainsFunc(entries, project) {
		return nil
	}
	return &Tree{Path: dir, Root: root}
}

// In returns the tree to look at in dir when the sessions directory is root: dir
// itself where it lies in root, root where that lies in dir, and nil where they
// have nothing in common.
func In(root, dir string) *Tree {
	absRoot, rootErr := filepath.Abs(root)
	absDir, dirErr := filepath.Abs(dir)
	if rootErr != nil || dirErr != nil {
		return nil
	}
	if below, err := filepath.Rel(absDir, absRoot); err == nil && filepath.IsLocal(below) {
		return &Tree{Path: filepath.Join(dir, below), Root: absRoot}
	}
	below, err := filepath.Rel(absRoot, absDir)
	if err != nil || !filepath.IsLocal(below) {
		return nil
	}
	level := Level(1 + strings.Count(below, string(filepath.Separator)))
	if level > Session {
		return nil
	}
	return &Tree{Path: dir, Level: level, Root: absRoot}
}

// isProject reports whether a project of today's layout, or of the flat one, is
// in dir.
func isProject(dir string) bool {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		switch roleOf(dir, Project, e) {
		case FlatLog:
			return true
		case Subdirectory:
			if isSession(filepath.Join(dir, e.Name())) {
				return true
			}
		}
	}
	return false
}

func isSession(dir string) bool { return len(read(dir, Session).Find(LogFile)) > 0 }

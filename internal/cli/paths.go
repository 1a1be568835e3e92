package cli

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// Stdin is the path that stands for standard input.
const Stdin = "-"

// Path is one input that the arguments name.
type Path struct {
	Name string // what to open and to print
	Root string // the directory argument that it lies below, "" when it was named itself
}

// Paths yields the inputs that args name, in order: a file and "-" as they are,
// and of a directory the logs below it, sorted. Links to files are followed,
// links to directories are not, because those may lead in circles. An error is
// an [InputError] and does not end the sequence.
func Paths(args []string) iter.Seq2[Path, error] {
	return func(yield func(Path, error) bool) {
		for _, arg := range args {
			if !expand(arg, yield) {
				return
			}
		}
	}
}

func expand(arg string, yield func(Path, error) bool) bool {
	if arg == Stdin {
		return yield(Path{Name: arg}, nil)
	}
	info, err := os.Stat(arg)
	switch {
	case err != nil:
		return yield(Path{Name: arg}, inputError(arg, err))
	case info.IsDir():
		return walk(arg, yield)
	}
	return yield(Path{Name: arg}, nil)
}

func walk(root string, yield func(Path, error) bool) bool {
	found, more := false, true
	next := func(p Path, err error) error {
		found = true
		if more = yield(p, err); !more {
			return fs.SkipAll
		}
		return nil
	}
	// The separator makes WalkDir follow the root when that is a link.
	start := strings.TrimSuffix(root, string(filepath.Separator)) + string(filepath.Separator)
	_ = filepath.WalkDir(start, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return next(Path{Name: name, Root: root}, inputError(name, err))
		case isLogFile(name, entry):
			return next(Path{Name: name, Root: root}, nil)
		}
		return nil
	})
	if !found && more {
		return yield(Path{Name: root}, &InputError{
			Path: root, What: "no session logs here",
			Hint: "logs in a directory are called session.jsonl, *.jsonl or *.jsonl.zstd; name other files themselves",
		})
	}
	return more
}

// isLogFile reports whether an entry of a directory is, or links to, a file that
// is called like a log. What dsh leaves behind when it dies in a write ends in
// .tmp and is none (docs/format.md §1.1).
func isLogFile(name string, entry fs.DirEntry) bool {
	if !strings.HasSuffix(name, ".jsonl") && !strings.HasSuffix(name, ".jsonl.zstd") {
		return false
	}
	if entry.Type()&fs.ModeSymlink == 0 {
		return !entry.IsDir()
	}
	info, err := os.Stat(name)
	return err != nil || !info.IsDir()
}

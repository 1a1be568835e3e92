package cli

import (
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/turnlint/turnlint/store"
)

// Stdin is the path that stands for standard input.
const Stdin = "-"

// Path is one input that the arguments name.
type Path struct {
	Name string // what to open and to print
	Root string // the directory argument that it lies below, "" when it was named itself
	// Database says that it is a database of sessions, and Session names one of them,
	// nil for all.
	Database bool
	Session  *string
	// Stream says that it is standard input or no regular file, or, in a directory, a link
	// to what may be none.
	Stream bool
}

// Paths yields the inputs that args name, in order: a file and "-" as they are,
// and of a directory the logs below it, sorted. Links to files are followed,
// links to directories are not, because those may lead in circles. An error is
// an [InputError] and does not end the sequence.
func Paths(args []string) iter.Seq2[Path, error] { return paths(args, isLogFile) }

// Inputs is [Paths] with the databases in directories, too.
func Inputs(args []string) iter.Seq2[Path, error] {
	return paths(args, func(name string, entry fs.DirEntry) bool {
		return isLogFile(name, entry) || store.HoldsDatabase(name, entry)
	})
}

func paths(args []string, isInput func(name string, entry fs.DirEntry) bool) iter.Seq2[Path, error] {
	return func(yield func(Path, error) bool) {
		for _, arg := range args {
			if !expand(arg, isInput, yield) {
				return
			}
		}
	}
}

func expand(arg string, isInput func(string, fs.DirEntry) bool, yield func(Path, error) bool) bool {
	if info, err := os.Stat(arg); err == nil && info.IsDir() && arg != Stdin {
		return walk(arg, isInput, yield)
	}
	return yield(Named(arg))
}

// Named returns the input that an argument names which is no directory to look into. An
// error is an [InputError].
func Named(arg string) (Path, error) {
	if arg == Stdin {
		return Path{Name: arg, Stream: true}, nil
	}
	info, err := os.Stat(arg)
	if err == nil {
		return Path{Name: arg, Database: store.IsDatabase(arg), Stream: !info.Mode().IsRegular()}, nil
	}
	if name, id, ok := store.SplitSession(arg); ok {
		return Path{Name: name, Database: true, Session: &id}, nil
	}
	if e := noDatabase(arg); e != nil {
		return Path{Name: arg}, e
	}
	return Path{Name: arg}, inputError(arg, err)
}

// noDatabase returns why the file is no database that an argument like FILE#ID names, nil
// where there is no such file.
func noDatabase(arg string) error {
	for i := range len(arg) {
		if arg[i] != '#' {
			continue
		}
		info, err := os.Stat(arg[:i])
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		file, err := os.Open(arg[:i])
		if err != nil {
			return inputError(arg[:i], err)
		}
		file.Close()
		return &InputError{Path: arg[:i], What: "no SQLite database, so that it has no sessions: it is a log, encrypted, cut off or something else", Hint: "check the file without #ID"}
	}
	return nil
}

func walk(root string, isInput func(string, fs.DirEntry) bool, yield func(Path, error) bool) bool {
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
		case isInput(name, entry):
			return next(Path{Name: name, Root: root, Database: !isLogFile(name, entry), Stream: !entry.Type().IsRegular()}, nil)
		}
		return nil
	})
	if !found && more {
		return yield(Path{Name: root}, &InputError{
			Path: root, What: "no session logs here",
			Hint: "logs in a directory are called session.jsonl, *.jsonl or *.jsonl.zstd, databases *.db; name other files themselves",
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

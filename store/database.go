package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/turnlint/turnlint/database"
)

// IsDatabase reports whether a regular file is a session database, or some other one
// of SQLite: by its content, but for an empty file. What cannot be read is none.
func IsDatabase(path string) bool {
	file, size, err := openLog(path)
	if err != nil {
		return false
	}
	defer file.Close()
	found, err := database.Recognise(file, size, path)
	return found && err == nil
}

// databaseSuffixes are those by which databases are looked for in directories, so
// that not every file has to be opened.
var databaseSuffixes = []string{".db", ".sqlite", ".sqlite3"}

// NamedDatabase reports whether a file is called like a database.
func NamedDatabase(path string) bool { return slices.Contains(databaseSuffixes, filepath.Ext(path)) }

// HoldsDatabase reports whether an entry of a directory at path is, or links to, a
// database: called like one, and one by its content.
func HoldsDatabase(path string, entry fs.DirEntry) bool {
	return !entry.IsDir() && NamedDatabase(path) && IsDatabase(path)
}

// SplitSession splits DATABASE#ID, the name of a session in a database. A file that
// is called like that as a whole is no such name.
func SplitSession(name string) (path, id string, ok bool) {
	if _, err := os.Lstat(name); err == nil {
		return "", "", false
	}
	for i := range len(name) {
		if name[i] != '#' {
			continue
		}
		if path = name[:i]; IsDatabase(path) {
			return path, name[i+1:], true
		}
	}
	return "", "", false
}

// SessionName is the inverse of [SplitSession], with what is no UTF-8 in an id
// replaced as dsh does.
func SessionName(path, id string) string {
	return path + "#" + database.Name(id)
}

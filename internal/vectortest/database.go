package vectortest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Database is a session database with what dsh 0.1.1-rc.2 makes of it.
type Database struct {
	ID     string         `json:"id"`
	Files  []DatabaseFile `json:"files"`
	Made   string         `json:"made"` // how the files were made
	Note   string         `json:"note"`
	Expect DatabaseExpect `json:"expect"`
}

// DatabaseFile is the database or a file that belongs to it.
type DatabaseFile struct {
	Path   string `json:"path"` // below the folder of the vectors
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// DatabaseExpect holds the results of the reference.
type DatabaseExpect struct {
	Open        string                     `json:"open"` // ok or error
	OpenError   DatabaseFailure            `json:"openError"`
	Initialised bool                       `json:"initialised"` // the reference made a new store of it
	LookupError DatabaseFailure            `json:"lookupError"` // of every session
	List        DatabaseList               `json:"list"`
	Sessions    map[string]SessionExpected `json:"sessions"`
}

// DatabaseFailure is what the reference throws. All members are empty on success.
type DatabaseFailure struct {
	Failure
	Code    string `json:"code"`
	ErrCode int    `json:"errcode"` // of SQLite
}

// Foreign reports whether the text is worded by SQLite, its driver or V8, so that
// only the verdict is to be compared.
func (f *DatabaseFailure) Foreign() bool {
	return f.ErrCode != 0 || f.Code == "ERR_OUT_OF_RANGE" || strings.Contains(f.Error, "Cannot read properties of")
}

// DatabaseList is the outcome of list().
type DatabaseList struct {
	OK      bool              `json:"ok"`
	Headers []json.RawMessage `json:"headers"`
	DatabaseFailure
}

// SessionExpected is what the reference makes of one session.
type SessionExpected struct {
	Scan          SessionResult `json:"scan"` // of the rows alone
	Inspect       SessionResult `json:"inspect"`
	Load          SessionResult `json:"load"`
	Closers       []Text        `json:"closers"`
	ReadFrom0     SessionResult `json:"readFrom0"`
	RowsAfterLoad *RowsAfter    `json:"rowsAfterLoad"` // nil when they cannot be read
}

// SessionResult is the outcome of a reader.
type SessionResult struct {
	OK bool `json:"ok"`
	Events
	DatabaseFailure
	Count    int    `json:"count"`    // physical rows
	TornFrom *int64 `json:"tornFrom"` // seq of the first row that a repair deletes
}

// RowsAfter is what the rows of a session are after dsh loaded it.
type RowsAfter struct {
	Count        int    `json:"count"`
	Changed      *bool  `json:"changed"`    // nil when unknown
	EventCount   *int   `json:"eventCount"` // of a fresh scan, nil when that fails
	EventsSHA256 string `json:"eventsSha256"`
	TornFrom     *int64 `json:"tornFrom"`
	RowsSHA256   string `json:"rowsSha256"`
	Revision     *int64 `json:"revision"` // nil without one
}

// EachDatabase checks all database vectors, or a sample of them in a short run.
func EachDatabase(t *testing.T, check func(t *testing.T, v *Database)) {
	t.Helper()
	vectors := LoadDatabases(t)
	for i := range vectors {
		if v := &vectors[i]; i%5 == 0 || !testing.Short() {
			t.Run(v.ID, func(t *testing.T) { check(t, v) })
		}
	}
	if len(vectors) != 238 {
		t.Errorf("found %d vectors, want 238", len(vectors))
	}
}

// LoadDatabases returns all database vectors.
func LoadDatabases(tb testing.TB) []Database {
	tb.Helper()
	return readLines[Database](tb, filepath.Join(databases(tb), "vectors.ndjson"))
}

func databases(tb testing.TB) string { return filepath.Join(Dir(tb), "vectors", "sqlite") }

// Copy writes the files of the vector into dir, and returns the path of the database.
func (d *Database) Copy(tb testing.TB, dir string) string {
	tb.Helper()
	for _, f := range d.Files {
		content, err := os.ReadFile(filepath.Join(databases(tb), f.Path))
		if err != nil {
			tb.Fatal(err)
		}
		if hexSHA256(content) != f.SHA256 {
			tb.Fatalf("%s is not the file that the vector is about", f.Path)
		}
		name, written := filepath.Join(dir, filepath.Base(f.Path)), time.Unix(1_790_000_000, 0)
		if err := errors.Join(os.WriteFile(name, content, 0o600), os.Chtimes(name, written, written)); err != nil {
			tb.Fatal(err)
		}
	}
	return filepath.Join(dir, "sessions.db")
}

// CopyToRead is Copy into a directory of its own, in which nothing may change before the
// test ends.
func (d *Database) CopyToRead(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	path := d.Copy(tb, dir)
	before := listing(tb, dir)
	tb.Cleanup(func() {
		if after := listing(tb, dir); !slices.Equal(before, after) {
			tb.Errorf("the files changed: before\n%s\nafter\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
		}
	})
	return path
}

// listing describes the files of a directory: their names, times, modes and content.
func listing(tb testing.TB, dir string) (files []string) {
	tb.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		tb.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			tb.Fatal(err)
		}
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			tb.Fatal(err)
		}
		files = append(files, fmt.Sprintf("%s %v %s %s", e.Name(), info.ModTime(), info.Mode(), hexSHA256(content)))
	}
	return files
}

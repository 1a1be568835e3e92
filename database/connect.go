package database

import (
	"database/sql"
	"math"
	"net/url"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// settings keep a database that nobody trusts from doing anything but be read.
var settings = []string{
	"trusted_schema(0)", // no functions with effects from the schema
	"cell_size_check(1)",
	"mmap_size(0)",
	"temp_store(2)", // in memory
	"query_only(1)",
}

// connect opens the copy for reading and writing, so that SQLite takes what a log
// beside it holds, and undoes what a journal does.
func (d *Database) connect() (err error) {
	name := sourceName(filepath.Join(d.dir, copyName), url.Values{"_pragma": settings, "_defensive": {"1"}})
	if d.pool, err = sql.Open("sqlite", name); err != nil {
		return err
	}
	if d.conn, err = d.pool.Conn(d.ctx); err != nil {
		return err
	}
	// The text of the schema is read whole, and so is a value that is not measured first.
	for limit, n := range map[int]int64{
		sqlite3.SQLITE_LIMIT_LENGTH:         min(2*d.maxValue+1<<20, math.MaxInt32),
		sqlite3.SQLITE_LIMIT_ATTACHED:       0,
		sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
	} {
		if _, err := sqlite.Limit(d.conn, limit, int(n)); err != nil {
			return err
		}
	}
	return nil
}

// sourceName returns the name by which the driver opens a file.
func sourceName(path string, query url.Values) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // a drive of Windows
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: query.Encode()}).String()
}

package database

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/turnlint/turnlint/internal/words"
)

// maxFaults bounds the list of what SQLite finds damaged.
const maxFaults = 20

// Integrity returns what is damaged in the file itself, for people: pages, trees and
// indexes, not values that a table should not hold. It reads all of the file.
func (d *Database) Integrity() (faults []string, err error) {
	if missing := d.File.PageCount*d.File.PageSize - d.File.Size; missing > 0 && !d.logged() {
		faults = append(faults, fmt.Sprintf("the file ends %s before its last page", words.Count(missing, "byte")))
	}
	rows, err := d.conn.QueryContext(d.ctx, fmt.Sprintf("PRAGMA integrity_check(%d)", maxFaults))
	if err == nil {
		defer rows.Close()
		for rows.Next() {
			var text string
			if err := rows.Scan(&text); err != nil {
				return nil, err
			}
			faults = append(faults, structural(text)...)
		}
		err = rows.Err()
	}
	if refusal, other := RefusalOf(err); refusal != nil {
		return append(faults, refusal.Text), nil
	} else if other != nil {
		return nil, other
	}
	return faults, nil
}

// logged reports whether there was a write-ahead log, with which the size of the file
// alone means nothing.
func (d *Database) logged() bool {
	info, err := os.Stat(filepath.Join(d.dir, copyName+"-wal"))
	return err == nil && info.Size() > 0
}

// structural returns the lines of a message that are about the file. Values that are
// not of the type of their column are those of rows, which have their own reader.
func structural(text string) (lines []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "", line == "ok", strings.HasPrefix(line, "***"):
		case strings.Contains(line, " value in "), strings.Contains(line, "CHECK constraint failed in "):
		default:
			lines = append(lines, line)
		}
	}
	return lines
}

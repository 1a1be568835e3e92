// Package databasetest makes session databases for tests.
package databasetest

import (
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the driver

	"github.com/turnlint/turnlint/database"
)

// StoreID is that of every database that [New] makes.
const StoreID = "00000000-0000-4000-8000-000000000001"

// New makes a database at path as dsh would, with the sessions that the given plain
// logs of format v0 hold, and runs [Change] with the statements.
func New(tb testing.TB, path string, logs []string, statements ...string) {
	tb.Helper()
	err := run(path, append(Schema(), fmt.Sprintf("INSERT INTO persistence_state VALUES (1, '%s')", StoreID))...)
	for i, log := range logs {
		err = errors.Join(err, insert(path, log, i))
	}
	if len(statements) > 0 {
		err = errors.Join(err, Change(path, statements...))
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// Schema returns the statements that make an empty store.
func Schema() []string {
	all := []string{
		"PRAGMA page_size = 512",
		fmt.Sprintf("PRAGMA application_id = %d", database.ApplicationID),
		fmt.Sprintf("PRAGMA user_version = %d", database.SchemaVersion),
	}
	for _, table := range database.Tables {
		all = append(all, table.SQL)
	}
	return all
}

// Change runs statements on the database at path. They may break what the schema
// demands of values: STRICT, NOT NULL and CHECK are out of force meanwhile.
func Change(path string, statements ...string) error {
	const free = "UPDATE sqlite_schema SET sql = replace(replace(sql, ' STRICT', ''), ' NOT NULL', '') WHERE type = 'table'"
	restore := []string{"PRAGMA writable_schema = 1"}
	for _, table := range database.Tables {
		restore = append(restore, fmt.Sprintf("UPDATE sqlite_schema SET sql = '%s' WHERE name = '%s' AND sql = replace(replace('%s', ' STRICT', ''), ' NOT NULL', '')",
			table.SQL, table.Name, table.SQL))
	}
	return errors.Join(
		run(path, "PRAGMA writable_schema = 1", free),
		run(path, append([]string{"PRAGMA ignore_check_constraints = 1"}, statements...)...),
		run(path, restore...),
	)
}

// run executes statements on one connection, which makes a change of the schema part
// of what the next one sees.
func run(path string, statements ...string) error {
	db, err := open(path)
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

func open(path string) (*sql.DB, error) {
	return sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=synchronous(0)&_pragma=journal_mode(memory)")
}

// line is a header, an event or a packed row.
type line struct {
	Type            string
	Version         int64
	ID              string
	CreatedAt       int64
	CWD             *string
	ParentSession   *string
	SeedLength      *int64
	Origin          *string
	DelegationDepth *int64
	AgentPreset     *string

	Seq, Seq0, Time, Time0 *int64
	Data                   json.RawMessage
	SourceEventSeqs        []int64
	SurfaceOp              json.RawMessage
	Ignorable              *bool
}

// insert stores a log as session number n.
func insert(path, log string, n int) error {
	db, err := open(path)
	if err != nil {
		return err
	}
	defer db.Close()
	var id string
	for text := range strings.Lines(log) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			return err
		}
		if l.Type == "session" {
			id = l.ID
			_, err = db.Exec("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)", l.ID, l.Version, l.CreatedAt, l.CWD, l.ParentSession,
				l.SeedLength, l.Origin, l.DelegationDepth, l.AgentPreset, fmt.Sprintf("00000000-0000-4000-8000-%012d", 100+n))
		} else {
			_, err = db.Exec("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", l.columns(id)...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// columns returns the row of an event in the order of the table.
func (l *line) columns(session string) []any {
	var mark, op, sources any
	seq, time := l.Seq, l.Time
	switch {
	case l.Seq0 != nil:
		seq, time, mark = l.Seq0, l.Time0, 0
	case l.Ignorable != nil:
		mark = 1
	}
	if l.SurfaceOp != nil {
		op = string(l.SurfaceOp)
	}
	if l.SourceEventSeqs != nil {
		sources = deltas(l.SourceEventSeqs)
	}
	return []any{session, seq, l.Type, time, string(l.Data), sources, op, mark}
}

// deltas packs a list of sources as dsh does (docs/format.md §10.4).
func deltas(seqs []int64) []byte {
	packed := []byte{}
	last := int64(0)
	for i, seq := range seqs {
		if i == 0 {
			packed = binary.AppendUvarint(packed, uint64(seq))
		} else {
			packed = binary.AppendVarint(packed, seq-last)
		}
		last = seq
	}
	return packed
}

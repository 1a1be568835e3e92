package database_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/internal/databasetest"
)

// TestACopyOfADatabaseInUseIsWhole copies a database beside a writer whose
// transactions add ten events each: a copy has all of one or none, or there is none.
func TestACopyOfADatabaseInUseIsWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sessions.db")
	databasetest.New(t, path, []string{log})
	ctx, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	written := make(chan error, 1)
	go func() { written <- writeOn(ctx, path) }()
	copies := 0
	for ctx.Err() == nil {
		d, err := database.Open(t.Context(), path, database.Options{})
		if errors.Is(err, database.ErrInUse) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		copies++
		checkWhole(t, d)
		d.Close()
	}
	if err := <-written; err != nil {
		t.Fatal(err)
	}
	t.Logf("%d copies", copies)
}

func checkWhole(t *testing.T, d *database.Database) {
	t.Helper()
	if faults, err := d.Integrity(); err != nil || len(faults) > 0 || d.Refusal != nil {
		t.Fatalf("damage %v, error %v, refusal %v", faults, err, d.Refusal)
	}
	s, err := d.Session("attic")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, err := range s.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		rows++
	}
	if rows%10 != 1 {
		t.Errorf("%d rows, want tens and one", rows)
	}
}

// writeOn writes ten events at a time, with pauses, until ctx is done.
func writeOn(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=journal_mode(wal)&_pragma=wal_autocheckpoint(5)")
	if err != nil {
		return err
	}
	defer db.Close()
	const ten = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)
		INSERT INTO events SELECT 'attic', (SELECT max(seq) FROM events) + i, 'session/title', 0, '{}', NULL, NULL, NULL FROM n`
	for ctx.Err() == nil {
		if _, err := db.Exec(ten); err != nil {
			return err
		}
		time.Sleep(30 * time.Millisecond)
	}
	return nil
}

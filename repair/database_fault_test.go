package repair_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/repair"
)

// journals are what makes a database one that has the given journal mode.
var journals = map[string][]string{
	"wal":    nil, // as it is made
	"delete": {"PRAGMA journal_mode = DELETE"},
}

// use opens the database as another program does, and keeps it open.
func use(t *testing.T, path string, statements ...string) *sql.Conn {
	t.Helper()
	pool, err := sql.Open("sqlite", path)
	must(t, err)
	t.Cleanup(func() { pool.Close() })
	conn, err := pool.Conn(t.Context())
	must(t, err)
	for _, s := range statements {
		if _, err := conn.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	return conn
}

func TestADatabaseThatIsOpenElsewhereIsLeftAlone(t *testing.T) {
	for _, tt := range []struct {
		name, mode string
		use        []string
	}{
		{"a harness that does nothing, with WAL", "wal", []string{"SELECT count(*) FROM events"}},
		{"a harness that writes, with WAL", "wal", []string{"BEGIN IMMEDIATE"}},
		{"a harness that reads", "delete", []string{"BEGIN", "SELECT count(*) FROM events"}},
		{"a harness that writes", "delete", []string{"BEGIN IMMEDIATE"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := newStore(t, openSession)
			alter(t, path, journals[tt.mode]...)
			before := dump(t, path)
			c := storeCommitter(t)
			other := use(t, path, tt.use...)
			_, err := c.ApplyDatabase(t.Context(), path, nil, repair.Options{})
			if !errors.Is(err, repair.ErrInUse) {
				t.Errorf("%v, want that it is in use", err)
			}
			if entries, _ := filepath.Glob(filepath.Join(c.StateDir, "backups", "*")); len(entries) > 0 {
				t.Errorf("there is a backup: %v", entries)
			}
			if diff := cmp.Diff(before, dump(t, path)); diff != "" {
				t.Error(diff)
			}
			must(t, other.Close())
		})
	}
}

func TestASessionThatChangesBehindThePlanIsLeftAlone(t *testing.T) {
	for mode, statements := range journals {
		path := newStore(t, openSession)
		alter(t, path, statements...)
		now := time.Now()
		must(t, os.Chtimes(path, now, now))
		changed := ""
		c := storeCommitter(t)
		c.AssumeStopped, c.Settle = false, 100*time.Millisecond
		c.Waiting = func(string, time.Duration) {
			if changed == "" {
				alter(t, path, `UPDATE sessions SET revision = 5 WHERE id = 's'`)
				changed = dump(t, path)
			}
		}
		_, err := c.ApplyDatabase(t.Context(), path, nil, repair.Options{})
		if !errors.Is(err, repair.ErrInUse) || changed == "" {
			t.Errorf("%s: %v, want that it is in use", mode, err)
		}
		if diff := cmp.Diff(changed, dump(t, path)); diff != "" {
			t.Errorf("%s: %s", mode, diff)
		}
	}
}

func TestARepairKeepsTheJournalMode(t *testing.T) {
	for mode, statements := range journals {
		path := newStore(t, openSession)
		alter(t, path, statements...)
		c := storeCommitter(t)
		_, err := c.ApplyDatabase(t.Context(), path, nil, repair.Options{})
		must(t, err)
		_, err = c.UndoDatabase(t.Context(), path, nil)
		must(t, err)
		var got string
		must(t, use(t, path).QueryRowContext(t.Context(), "PRAGMA journal_mode").Scan(&got))
		if got != mode {
			t.Errorf("the journal mode is %s, and was %s", got, mode)
		}
	}
}

// TestWhatIsInTheLogOnlyIsRepairedToo leaves a write-ahead log behind, as a harness that
// is killed does.
func TestWhatIsInTheLogOnlyIsRepairedToo(t *testing.T) {
	path := newStore(t, text(header, start1, end1))
	other := use(t, path, "PRAGMA wal_autocheckpoint = 0", `INSERT INTO events VALUES ('s', 2, 'turn/start', 30, '{"turn":2}', NULL, NULL, NULL)`)
	copied := filepath.Join(t.TempDir(), "sessions.db")
	for _, suffix := range []string{"", "-wal"} {
		data, err := os.ReadFile(path + suffix)
		must(t, err)
		must(t, os.WriteFile(copied+suffix, data, 0o600))
	}
	must(t, other.Close())
	all, err := storeCommitter(t).ApplyDatabase(t.Context(), copied, nil, repair.Options{})
	must(t, err)
	if p := all[0].Plan; p.Rows.Kept != 3 || p.Rows.Added != 1 {
		t.Errorf("%+v, want 3 rows kept and a turn/end added", p.Rows)
	}
}

func TestNoOperationThatFailsLeavesHalfARepairOfADatabase(t *testing.T) {
	path := newStore(t, openSession, otherSession)
	image, err := os.ReadFile(path)
	must(t, err)
	before := dump(t, path)
	_, err = storeCommitter(t).ApplyDatabase(t.Context(), path, nil, repair.Options{})
	must(t, err)
	repaired := dump(t, path)
	for n := 0; ; n++ {
		must(t, os.WriteFile(path, image, 0o600))
		c := storeCommitter(t)
		disk := &faulty{n: n, err: syscall.ENOSPC}
		c.FS = disk
		_, err := c.ApplyDatabase(t.Context(), path, nil, repair.Options{})
		want := before
		if err == nil || errors.Is(err, repair.ErrUnconfirmed) {
			want = repaired
		}
		if diff := cmp.Diff(want, dump(t, path)); diff != "" {
			t.Errorf("%s, operation %d, fails with %v (-want +got):\n%s", disk.failed, n, err, diff)
		}
		if disk.failed == "" {
			t.Logf("%d fault points", n)
			return
		}
	}
}

func TestAnInterruptLeavesTheDatabaseAlone(t *testing.T) {
	path := newStore(t, openSession)
	before := dump(t, path)
	ctx, cancel := context.WithCancel(t.Context())
	c := storeCommitter(t)
	c.FS = &cancelling{cancel: cancel, when: "create"}
	if _, err := c.ApplyDatabase(ctx, path, nil, repair.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was interrupted", err)
	}
	if diff := cmp.Diff(before, dump(t, path)); diff != "" {
		t.Error(diff)
	}
}

package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrBusy is wrapped by the error of a database that somebody else has open.
var ErrBusy = errors.New("another process has the database open")

// Live is a database itself, not a copy of it, open for writing. Nobody else can use
// it meanwhile. Reading from it gives what its open transaction has written.
type Live struct {
	*Database
}

// livePragmas are those of dsh (docs/format.md §10.1), and the exclusive mode: in that,
// SQLite does not share a database in WAL mode with a process that has it open, even
// one that does nothing. The journal mode stays what it is.
var livePragmas = []string{
	"locking_mode(EXCLUSIVE)", "synchronous(FULL)", "foreign_keys(ON)", "trusted_schema(OFF)",
	"mmap_size(0)", "cell_size_check(ON)", "busy_timeout(0)",
}

// OpenLive opens the database at path, which must exist. The error wraps [ErrBusy] when
// another process has it open, or, of a database without WAL, is using it right now.
func OpenLive(ctx context.Context, path string, opt Options) (*Live, error) {
	if err := checkJournal(path); err != nil {
		return nil, err
	}
	l, err := openLive(ctx, path, opt)
	if err != nil {
		return nil, err
	}
	if err := l.judge(l.readable, l.known, l.writable, l.identified); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// openLive opens a database and keeps everybody else out of it.
func openLive(ctx context.Context, path string, opt Options) (*Live, error) {
	pool, err := sql.Open("sqlite", sourceName(path, url.Values{"mode": {"rw"}, "_pragma": livePragmas, "_defensive": {"1"}}))
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1)
	l := &Live{newDatabase(ctx, opt)}
	l.pool = pool
	l.conn, err = pool.Conn(ctx)
	if err = busy(err); err == nil {
		err = l.exec("BEGIN EXCLUSIVE")
	}
	if err == nil {
		err = l.exec("COMMIT")
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// exec runs a statement and says so when somebody else is in the way.
func (l *Live) exec(statement string, args ...any) error {
	_, err := l.conn.ExecContext(l.ctx, statement, args...)
	return busy(err)
}

func busy(err error) error {
	var e *sqlite.Error
	if errors.As(err, &e) {
		switch e.Code() & 0xFF { // without what extended codes add
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
			return fmt.Errorf("%w: %w", ErrBusy, err)
		}
	}
	return err
}

// Write runs change in a transaction and commits it, or, when it returns an error,
// undoes what it did.
func (l *Live) Write(change func() error) error {
	if err := l.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := change()
	if err == nil {
		err = l.exec("COMMIT")
	}
	if err != nil {
		// The context may be done, and the transaction must not outlive this call.
		_, undone := l.conn.ExecContext(context.WithoutCancel(l.ctx), "ROLLBACK")
		return errors.Join(err, undone)
	}
	return nil
}

// Insert stores a row of a session.
func (l *Live) Insert(id string, r *Row) error {
	args := []any{id}
	for _, v := range r.columns() {
		args = append(args, v.arg())
	}
	return l.exec("INSERT INTO events ("+eventColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?)", args...)
}

// Delete removes the row of a session with the seq of r.
func (l *Live) Delete(id string, r *Row) error {
	return l.exec("DELETE FROM events WHERE session_id = ? AND seq IS ?", id, r.Seq.arg())
}

// SetRevision gives a session a revision.
func (l *Live) SetRevision(id string, revision int64) error {
	return l.exec("UPDATE sessions SET revision = ? WHERE id = ?", revision, id)
}

// Backup copies the database, as it was committed last, to a new file, which is durable
// then but for its name. There may be no open transaction.
func (d *Database) Backup(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	err = d.conn.Raw(func(connection any) error {
		source, ok := connection.(interface {
			NewBackup(name string) (*sqlite.Backup, error)
		})
		if !ok {
			return errors.New("the SQLite driver makes no backups")
		}
		backup, err := source.NewBackup(sourceName(path, nil))
		if err != nil {
			return err
		}
		_, err = backup.Step(-1)
		return errors.Join(err, backup.Finish())
	})
	return errors.Join(busy(err), f.Sync())
}

// Attach makes the sessions of a backup known to [Live.Restore], until the database is
// closed. Nothing is written to the backup or beside it.
func (l *Live) Attach(backup string) error {
	return l.exec("ATTACH DATABASE ? AS backup", sourceName(backup, url.Values{"mode": {"ro"}, "immutable": {"1"}}))
}

// ErrUnstorable is wrapped by the error of rows that a database does not take, although
// it once held them: they break what its schema demands of values.
var ErrUnstorable = errors.New("the schema of the database forbids values that its rows had")

// Restore makes the events and the revision of a session those of the backup.
func (l *Live) Restore(id string) error {
	for _, statement := range []string{
		"DELETE FROM main.events WHERE session_id = ?1",
		"INSERT INTO main.events SELECT * FROM backup.events WHERE session_id = ?1 ORDER BY seq",
		"UPDATE main.sessions SET revision = (SELECT revision FROM backup.sessions WHERE id = ?1) WHERE id = ?1",
	} {
		if err := l.exec(statement, id); err != nil {
			return unstorable(err)
		}
	}
	return nil
}

func unstorable(err error) error {
	var e *sqlite.Error
	if errors.As(err, &e) && e.Code()&0xFF == sqlite3.SQLITE_CONSTRAINT {
		return fmt.Errorf("%w: %w", ErrUnstorable, err)
	}
	return err
}

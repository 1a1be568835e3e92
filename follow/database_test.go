package follow_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/follow"
	"github.com/turnlint/turnlint/internal/databasetest"
)

// startDatabase follows a database with the sessions of some logs, or the one that an
// id names.
func startDatabase(t *testing.T, id *string, logs ...string) *followed {
	t.Helper()
	f := &followed{t: t, path: filepath.Join(t.TempDir(), "sessions.db")}
	databasetest.New(t, f.path, logs)
	f.run(func(ctx context.Context, path string, opt follow.Options) error {
		return follow.Database(ctx, path, id, opt)
	})
	return f
}

// change runs statements in one transaction.
func (f *followed) change(statements ...string) {
	f.t.Helper()
	db, err := sql.Open("sqlite", f.path)
	f.check(err)
	_, err = db.Exec("BEGIN; " + strings.Join(statements, "; ") + "; COMMIT")
	f.check(errors.Join(err, db.Close()))
}

// row returns the statement that stores an event of the session s.
func row(seq int, kind, data string) string {
	return fmt.Sprintf("INSERT INTO events (session_id, seq, type, time, data) VALUES ('s', %d, '%s', %d, '%s')", seq, kind, 10*seq, data)
}

const ended = `{"turn":2,"reason":{"kind":"completed"}}`

func TestASessionIsCheckedAtTheEndOfATurn(t *testing.T) {
	f := startDatabase(t, nil, header+turn(1))
	f.want("opens after 2 events")
	f.change(row(2, "turn/start", `{"turn":2}`))
	f.silent()
	f.change(row(3, "turn/end", ended))
	f.want("opens after 4 events")
}

func TestADamagedRowIsToldAtTheNextEndOfATurn(t *testing.T) {
	f := startDatabase(t, nil, header+turn(1))
	f.want("opens after 2 events")
	f.change(row(2, "turn/start", `{`))
	f.silent()
	f.change(row(3, "turn/end", ended))
	f.want("4 undecodable-row", "damaged after 3 events")
}

func TestASessionThatIsRewrittenStartsAnew(t *testing.T) {
	f := startDatabase(t, nil, header+turn(1)+turn(2))
	f.want("opens after 4 events")
	f.change("UPDATE events SET time = 21 WHERE seq = 2")
	f.want("it has been rewritten; starting anew", "opens after 4 events")
	f.change("DELETE FROM events WHERE seq = 3")
	f.want("it has been rewritten; starting anew", "opens after 2 events")
	f.change("UPDATE sessions SET incarnation = '00000000-0000-4000-8000-000000000777'")
	f.want("it has been replaced; starting anew", "opens after 2 events")
}

func TestSessionsComeAndGo(t *testing.T) {
	f := startDatabase(t, nil, header+turn(1))
	f.want("opens after 2 events")
	f.change("INSERT INTO sessions SELECT 'new', version, created_at, cwd, NULL, NULL, NULL, 0, NULL, incarnation, 1 FROM sessions")
	f.want("opens after 0 events")
	f.change("DELETE FROM sessions WHERE id = 'new'")
	f.want("it is gone; waiting for another one")
}

func TestOtherSessionsThanTheNamedOneAreNotFollowed(t *testing.T) {
	id := "s"
	other := strings.Replace(header, `"s"`, `"other"`, 1)
	f := startDatabase(t, &id, other+turn(1)+turn(2), header+turn(1))
	f.want("opens after 2 events")
	f.change("UPDATE events SET time = 21 WHERE session_id = 'other' AND seq = 2")
	f.silent()
}

func TestADatabaseThatIsReplacedOrGone(t *testing.T) {
	f := startDatabase(t, nil, header+turn(1))
	f.want("opens after 2 events")
	other := f.path + ".other"
	databasetest.New(t, other, []string{header + turn(1) + turn(2)})
	f.check(os.Rename(other, f.path))
	f.want("it has been replaced; starting anew", "opens after 4 events")
	f.check(os.Rename(f.path, other))
	f.want("it is gone; waiting for another one")
	f.silent()
	f.check(os.Rename(other, f.path))
	f.change("PRAGMA user_version = 16")
	select {
	case got := <-f.lines:
		if !strings.HasPrefix(got, "dsh opens no session of it: session database at ") {
			t.Errorf("told %q", got)
		}
	case err := <-f.done:
		t.Fatal(err)
	}
	f.silent()
}

func TestADatabaseThatCannotBeReadIsAnError(t *testing.T) {
	err := follow.Database(t.Context(), filepath.Join(t.TempDir(), "none"), nil, follow.Options{})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

package repair_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/databasetest"
	"github.com/turnlint/turnlint/repair"
)

var sessionName = "s"

// twoHistories gives openSession a second history: messages with seqs of a packed row.
// Two rows cannot have one seq, so that histories part nowhere else.
var twoHistories = []string{
	`INSERT INTO events VALUES ('s', 6, 'user/message', 16, '{"id":"u2","role":"user","content":[],"source":{"kind":"user"}}', NULL, '"append"', NULL)`,
	`INSERT INTO events VALUES ('s', 7, 'user/message', 17, '{"id":"u3","role":"user","content":[],"source":{"kind":"user"}}', NULL, '"append"', NULL)`,
}

func TestSessionsOfADatabaseAreRepaired(t *testing.T) {
	for _, tt := range []struct {
		name    string
		log     string   // of the session; openSession when empty
		damage  []string // SQL
		opt     repair.Options
		action  repair.Action
		reason  string // part of that of a refusal
		loss    int64  // that a refusal needs
		level   repair.Level
		rows    repair.Rows
		dropped int64
	}{
		{
			name: "an open turn is closed", action: repair.Repair, level: repair.Safe,
			rows: repair.Rows{Kept: 8, Added: 3},
		},
		{
			name:   "a torn last row goes to lost+found",
			damage: []string{`UPDATE events SET data = substr(data, 1, 20) WHERE session_id = 's' AND seq = 9`},
			action: repair.Repair, level: repair.Safe,
			rows: repair.Rows{Kept: 7, Removed: 1, Added: 3, Left: []repair.LeftRows{{First: 9, Last: 9, Rows: 1, Reason: "row that does not decode"}}},
		},
		{
			name:   "a column that dsh refuses wherever it is goes to lost+found",
			damage: []string{`UPDATE events SET data = 5 WHERE session_id = 's' AND seq = 9`},
			action: repair.Repair, level: repair.Safe,
			rows: repair.Rows{Kept: 7, Removed: 1, Added: 3, Left: []repair.LeftRows{{First: 9, Last: 9, Rows: 1, Reason: "row that does not decode"}}},
		},
		{
			name:   "events behind a torn row are not dropped unasked",
			damage: []string{`UPDATE events SET data = '{' WHERE session_id = 's' AND seq = 5`},
			action: repair.Refuse, reason: "2 events do not continue the sequence", loss: 2,
		},
		{
			name:   "events behind a torn row go when that is allowed",
			damage: []string{`UPDATE events SET data = '{' WHERE session_id = 's' AND seq = 5`},
			opt:    repair.Options{AllowLoss: 2},
			action: repair.Repair, level: repair.Lossy, dropped: 2,
			rows: repair.Rows{Kept: 5, Removed: 3, Added: 2, Left: []repair.LeftRows{
				{First: 5, Last: 5, Rows: 1, Reason: "row that does not decode"},
				{First: 8, Last: 9, Rows: 2, Events: 2, Reason: "event that does not continue the sequence"},
			}},
		},
		{
			name:   "events behind a torn row stay when the gap is filled",
			damage: []string{`UPDATE events SET data = '{' WHERE session_id = 's' AND seq = 5`},
			opt:    repair.Options{Allow: []repair.Permission{repair.FillGaps}},
			action: repair.Repair, level: repair.Assisted,
			rows: repair.Rows{Kept: 7, Removed: 1, Added: 6, Left: []repair.LeftRows{{First: 5, Last: 5, Rows: 1, Reason: "row that does not decode"}}},
		},
		{
			name:   "a gap in a closed turn is refused",
			damage: []string{`DELETE FROM events WHERE session_id = 's' AND seq = 1`},
			action: repair.Refuse, reason: "8 events do not continue the sequence", loss: 8,
		},
		{
			name:   "a gap in a closed turn is filled on request",
			damage: []string{`DELETE FROM events WHERE session_id = 's' AND seq = 1`},
			opt:    repair.Options{Allow: []repair.Permission{repair.FillGaps}},
			action: repair.Repair, level: repair.Assisted,
			rows: repair.Rows{Kept: 7, Added: 4},
		},
		{
			name:   "an event inside of a packed row is the copy of one of its members",
			damage: []string{`INSERT INTO events VALUES ('s', 6, 'assistant/chunk', 16, '{"turn":2,"step":1,"chunk":{"type":"text-delta","index":0,"text":"two "}}', NULL, NULL, NULL)`},
			action: repair.Repair, level: repair.Safe, dropped: 1,
			rows: repair.Rows{Kept: 8, Removed: 1, Added: 3, Left: []repair.LeftRows{{First: 6, Last: 6, Rows: 1, Events: 1, Reason: "event that does not continue the sequence"}}},
		},
		{
			name: "messages win over the deltas of a stale writer, of which one stays", damage: twoHistories,
			action: repair.Repair, level: repair.Safe, dropped: 2,
			rows: repair.Rows{Kept: 9, Removed: 1, Added: 4, Left: []repair.LeftRows{{First: 5, Last: 5, Rows: 1, Events: 2, Reason: "event that does not continue the sequence"}}},
		},
		{
			name:   "a message without an id is named",
			damage: []string{`UPDATE events SET data = '{"role":"user","content":[],"source":{"kind":"user"},"x":1}' WHERE session_id = 's' AND seq = 1`},
			action: repair.Refuse, reason: "lacks an identified message",
		},
		{
			name:   "a message without an id gets one on request",
			damage: []string{`UPDATE events SET data = '{"role":"user","content":[],"source":{"kind":"user"},"x":1}' WHERE session_id = 's' AND seq = 1`},
			opt:    repair.Options{Allow: []repair.Permission{"mint-id=user/message"}},
			action: repair.Repair, level: repair.Assisted,
			rows: repair.Rows{Kept: 7, Removed: 1, Added: 4},
		},
		{
			name:   "a turn that dsh would close and never read again",
			damage: []string{`UPDATE events SET data = '{"turn":0}' WHERE session_id = 's' AND seq = 3`},
			action: repair.Refuse, reason: "the turn has no number from 1",
		},
		{
			name:   "an event at the end with a column that dsh does not take is no torn row",
			damage: []string{`UPDATE events SET source_event_seqs = 5 WHERE session_id = 's' AND seq = 9`},
			action: repair.Refuse, reason: "1 row that dsh does not take holds an event", loss: 1,
		},
		{
			name:   "nor is one with a list of sources that does not decode",
			damage: []string{`UPDATE events SET source_event_seqs = X'80' WHERE session_id = 's' AND seq IN (4, 9)`},
			action: repair.Refuse, reason: "4 events do not continue the sequence", loss: 6,
		},
		{
			name:   "such a row leaves on request",
			damage: []string{`UPDATE events SET source_event_seqs = 5 WHERE session_id = 's' AND seq = 9`},
			opt:    repair.Options{AllowLoss: 1},
			action: repair.Repair, level: repair.Lossy, dropped: 1,
			rows: repair.Rows{Kept: 7, Removed: 1, Added: 3, Left: []repair.LeftRows{{First: 9, Last: 9, Rows: 1, Events: 1, Reason: "row that does not decode"}}},
		},
		{
			name:   "a row with data that is none leaves with a torn tail",
			damage: []string{`UPDATE events SET data = '{' WHERE session_id = 's' AND seq = 9`},
			action: repair.Repair, level: repair.Safe,
			rows: repair.Rows{Kept: 7, Removed: 1, Added: 3, Left: []repair.LeftRows{{First: 9, Last: 9, Rows: 1, Reason: "row that does not decode"}}},
		},
		{
			name: "a sound session", log: text(header, start1, end1), action: repair.Nothing,
		},
		{
			name:   "events without a header",
			damage: []string{`PRAGMA foreign_keys = OFF`, `DELETE FROM sessions WHERE id = 's'`},
			action: repair.Refuse, reason: "no row in the table sessions",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.log == "" {
				tt.log = openSession
			}
			path := newStore(t, tt.log, otherSession)
			if tt.damage != nil {
				alter(t, path, tt.damage...)
			}
			before := dump(t, path)
			c := storeCommitter(t)
			plans := planStore(t, path, tt.opt)
			all, err := c.ApplyDatabase(t.Context(), path, nil, tt.opt)
			must(t, err)
			var got *repair.Outcome
			for i, out := range all {
				if !out.Plan.SameAs(plans[i]) {
					t.Errorf("%s has another plan than before", out.Plan.Path)
				}
				if strings.HasSuffix(string(out.Plan.Path), "#s") {
					got = out
				}
			}
			p := got.Plan
			if p.Action != tt.action || !strings.Contains(p.Reason, tt.reason) || p.NeedLoss != tt.loss {
				t.Fatalf("%s, %q, needs %d, want %s, %q, %d", p.Action, p.Reason, p.NeedLoss, tt.action, tt.reason, tt.loss)
			}
			if tt.action != repair.Repair {
				if after := dump(t, path); after != before || got.Published {
					t.Errorf("the database changed (-before +after):\n%s", cmp.Diff(before, after))
				}
				return
			}
			if diff := cmp.Diff(&tt.rows, p.Rows); diff != "" || p.Level != tt.level || p.Ledger.Dropped != tt.dropped {
				t.Errorf("level %s, dropped %d, want %s, %d; rows (-want +got):\n%s", p.Level, p.Ledger.Dropped, tt.level, tt.dropped, diff)
			}
			checkRepairedStore(t, c, path, before, got, tt.opt)
		})
	}
}

// checkRepairedStore checks what is true of every repair: there is nothing more to do, the
// other session is as it was, what left is in lost+found, and the way leads back and
// forth.
func checkRepairedStore(t *testing.T, c *repair.Committer, path, before string, out *repair.Outcome, opt repair.Options) {
	t.Helper()
	repaired := dump(t, path)
	again, err := c.ApplyDatabase(t.Context(), path, &sessionName, opt)
	must(t, err)
	if again[0].Plan.Action != repair.Nothing {
		t.Errorf("a second run: %s %s", again[0].Plan.Action, again[0].Plan.Reason)
	}
	if otherRows(before) != otherRows(repaired) {
		t.Errorf("the other session changed:\n%s", cmp.Diff(otherRows(before), otherRows(repaired)))
	}
	lost, err := os.ReadFile(filepath.Join(filepath.Dir(out.Manifest), "lost+found", "0001.sql"))
	if err != nil && out.Plan.Rows.Removed > 0 {
		t.Error(err)
	}
	for line := range strings.Lines(before) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "INSERT") && !strings.Contains(repaired, line) && !strings.Contains(string(lost), line) {
			t.Errorf("neither in the database nor in lost+found: %s", line)
		}
	}
	for _, want := range []string{before, repaired, before} {
		if _, err := c.UndoDatabase(t.Context(), path, nil); err != nil {
			t.Fatal(err)
		}
		if got := dump(t, path); got != want {
			t.Errorf("after an undo (-want +got):\n%s", cmp.Diff(want, got))
		}
	}
	_, err = c.ApplyDatabase(t.Context(), path, &sessionName, opt)
	must(t, err)
	if got := dump(t, path); got != repaired {
		t.Errorf("the same repair gives other rows (-first +second):\n%s", cmp.Diff(repaired, got))
	}
}

// otherRows returns what a dump says of the session that nothing is wrong with.
func otherRows(dump string) string {
	var lines []string
	for line := range strings.Lines(dump) {
		if strings.Contains(line, "'other'") || strings.HasPrefix(line, `"other"`) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

func TestAnUndoRefusesASessionThatWentOn(t *testing.T) {
	path := newStore(t, openSession, otherSession)
	c := storeCommitter(t)
	_, err := c.ApplyDatabase(t.Context(), path, nil, repair.Options{})
	must(t, err)
	alter(t, path, `UPDATE sessions SET revision = revision + 1 WHERE id = 's'`)
	before := dump(t, path)
	if _, err := c.UndoDatabase(t.Context(), path, nil); err == nil || !strings.Contains(err.Error(), "changed since") {
		t.Errorf("%v, want a refusal", err)
	}
	if dump(t, path) != before {
		t.Error("the database changed")
	}
}

func TestAnUndoLeavesOtherSessionsAsTheyAreNow(t *testing.T) {
	path := newStore(t, openSession, otherSession)
	c := storeCommitter(t)
	_, err := c.ApplyDatabase(t.Context(), path, nil, repair.Options{})
	must(t, err)
	alter(t, path, `UPDATE sessions SET revision = 77 WHERE id = 'other'`)
	changed := otherRows(dump(t, path))
	_, err = c.UndoDatabase(t.Context(), path, &sessionName)
	must(t, err)
	if diff := cmp.Diff(changed, otherRows(dump(t, path))); diff != "" {
		t.Error(diff)
	}
}

func TestAnUndoThatTheSchemaForbidsNamesTheBackup(t *testing.T) {
	path := newStore(t, openSession)
	must(t, databasetest.Change(path, `UPDATE events SET time = 'noon' WHERE seq = 9`))
	c := storeCommitter(t)
	all, err := c.ApplyDatabase(t.Context(), path, nil, repair.Options{AllowLoss: 1})
	must(t, err)
	if !all[0].Published {
		t.Fatal(all[0].Plan.Reason)
	}
	before := dump(t, path)
	_, err = c.UndoDatabase(t.Context(), path, nil)
	original := filepath.Join(filepath.Dir(all[0].Manifest), "original")
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q is the whole database as it was: stop dsh", original)) {
		t.Errorf("error %v, want one that names %s", err, original)
	}
	if dump(t, path) != before {
		t.Error("the database changed")
	}
}

func TestACopyIsRepairedAndTheDatabaseLeftAlone(t *testing.T) {
	path := newStore(t, openSession, otherSession)
	image, err := os.ReadFile(path)
	must(t, err)
	target := filepath.Join(t.TempDir(), "out", "sessions.db")
	c := storeCommitter(t)
	_, err = c.CopyDatabase(t.Context(), repair.StoreSource{Path: path}, nil, target, repair.Options{})
	must(t, err)
	if now, err := os.ReadFile(path); err != nil || string(now) != string(image) {
		t.Errorf("the database changed: %v", err)
	}
	files, err := os.ReadDir(filepath.Dir(target))
	if err != nil || len(files) != 1 {
		t.Errorf("%v beside the copy, %v", files, err)
	}
	for _, p := range planStore(t, target, repair.Options{}) {
		if p.Action != repair.Nothing {
			t.Errorf("%s: %s", p.Path, p.Action)
		}
	}
	if _, err := c.CopyDatabase(t.Context(), repair.StoreSource{Path: path}, nil, target, repair.Options{}); err == nil {
		t.Error("a second copy replaces the first")
	}
}

func TestADamagedFileIsRefused(t *testing.T) {
	path := newStore(t, openSession, otherSession)
	image, err := os.ReadFile(path)
	must(t, err)
	for i := 4096; i < 8192; i++ {
		image[i] = 0xA5
	}
	must(t, os.WriteFile(path, image, 0o600))
	all, err := storeCommitter(t).ApplyDatabase(t.Context(), path, nil, repair.Options{})
	must(t, err)
	if p := all[0].Plan; len(all) != 1 || p.Action != repair.Refuse || !strings.Contains(p.Next, ".recover") {
		t.Errorf("%s: %s; %s", p.Action, p.Reason, p.Next)
	}
}

func TestADatabaseThatIsALinkIsRefused(t *testing.T) {
	path := newStore(t, openSession)
	link := filepath.Join(t.TempDir(), "link.db")
	must(t, os.Symlink(path, link))
	if _, err := storeCommitter(t).ApplyDatabase(t.Context(), link, nil, repair.Options{}); err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("%v, want a refusal", err)
	}
}

func TestABackupOfADatabaseHasAState(t *testing.T) {
	path := newStore(t, openSession, otherSession)
	c := storeCommitter(t)
	_, err := c.ApplyDatabase(t.Context(), path, nil, repair.Options{})
	must(t, err)
	wantState := func(want repair.BackupState) {
		t.Helper()
		all, err := c.Backups(t.Context())
		if err != nil || len(all) != 1 || all[0].State != want || !cmp.Equal(all[0].Sessions, []string{"s"}) {
			t.Errorf("%+v %v, want one backup that is %s", all, err, want)
		}
	}
	wantState(repair.BackupCurrent)
	_, err = c.UndoDatabase(t.Context(), path, nil)
	must(t, err)
	wantState(repair.BackupUndone)
	alter(t, path, `UPDATE sessions SET revision = 9`)
	wantState(repair.BackupStale)
	all, err := c.Backups(t.Context())
	must(t, err)
	if surplus := c.Surplus(all, 0, false); len(surplus) != 0 {
		t.Errorf("the only good copy could go: %+v", surplus)
	}
	must(t, c.Remove(t.Context(), &all[0]))
	if all, err := c.Backups(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("%v, %v after the removal", all, err)
	}
}

func TestAValueThatIsTooLongIsLeftAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	path := newStore(t, openSession)
	alter(t, path, `UPDATE events SET data = '"' || hex(zeroblob(34000000)) || '"' WHERE session_id = 's' AND seq = 9`)
	all, err := storeCommitter(t).ApplyDatabase(t.Context(), path, nil, repair.Options{AllowLoss: 100})
	must(t, err)
	if p := all[0].Plan; p.Action != repair.Refuse || !strings.Contains(p.Reason, "seq 9 has a value that is too long") {
		t.Errorf("%s, %q, want a refusal", p.Action, p.Reason)
	}
}

package rules_test

import (
	"bytes"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/internal/databasetest"
	"github.com/turnlint/turnlint/rules"
)

// databaseSample is what makes a rule about session databases find something in a
// sound one, and what does not although it looks much like that.
type databaseSample struct {
	rule      string
	bad, near change
	why       string // what the near miss shows
}

// change is what happens to a database with the session lamp.
type change struct {
	sql      []string
	old, new string // text of the same length that replaces another one everywhere in the file
	cut      int64  // bytes that the file loses at its end
}

func statements(sql ...string) change { return change{sql: sql} }

func databaseSamples() []databaseSample {
	return []databaseSample{
		{
			rule: "not-a-store",
			bad:  statements("PRAGMA application_id = 1"),
			near: statements("PRAGMA user_version = 16"),
			why:  "a store of another version is a store",
		},
		{
			rule: "store-version",
			bad:  statements("PRAGMA user_version = 18"),
			near: statements("PRAGMA page_size = 4096", "VACUUM"),
			why:  "dsh does not look at the page size",
		},
		{
			rule: "store-schema",
			bad:  statements("CREATE VIEW latest AS SELECT * FROM events ORDER BY time DESC"),
			near: statements("ANALYZE"),
			why:  "the tables of SQLite itself are no part of the schema",
		},
		{
			rule: "store-identity",
			bad:  statements("UPDATE persistence_state SET store_id = 'lamp'"),
			near: statements("UPDATE persistence_state SET store_id = upper('0a000000-0000-7000-a000-000000000001')"),
			why:  "every UUID of RFC 9562 will do, in any case",
		},
		{
			rule: "database-damaged",
			bad:  change{cut: 512},
			near: statements("DELETE FROM events WHERE seq = 13"),
			why:  "a row that is missing is no damage of the file",
		},
		{
			rule: "header-row",
			bad:  statements("UPDATE sessions SET cwd = 'lamp'"),
			near: statements("UPDATE sessions SET cwd = NULL, parent_session = '', revision = 0"),
			why:  "there need not be a folder, and other columns may be empty",
		},
		{
			rule: "undecodable-row",
			bad:  statements("UPDATE events SET data = '{\"turn\":1' WHERE seq = 6"),
			near: statements("UPDATE events SET data = 'null' WHERE seq = 6"),
			why:  "null is JSON; what it means is another rule's business",
		},
		{
			rule: "column-value",
			bad:  statements("UPDATE events SET time = NULL WHERE seq = 6"),
			near: statements("UPDATE events SET time = -1 WHERE seq = 6"),
			why:  "a time before 1970 is a number, too",
		},
		{
			rule: "orphaned-rows",
			bad:  statements("DELETE FROM sessions"),
			near: statements("DELETE FROM events"),
			why:  "a session without events is one that has not begun",
		},
		{
			rule: "duplicate-row",
			bad: change{
				sql: []string{"INSERT INTO sessions SELECT 'lamq', version, created_at, cwd, parent_session, seed_length, origin, delegation_depth, agent_preset, incarnation, revision FROM sessions"},
				old: "lamq", new: "lamp",
			},
			near: statements("INSERT INTO sessions SELECT 'LAMP', version, created_at, cwd, parent_session, seed_length, origin, delegation_depth, agent_preset, incarnation, revision FROM sessions"),
			why:  "ids differ in case",
		},
		{
			rule: "last-revision",
			bad:  statements("DELETE FROM events WHERE seq = 13", "UPDATE sessions SET revision = 9007199254740991"),
			near: statements("UPDATE sessions SET revision = 9007199254740991"),
			why:  "a session that needs no repair is read as often as one likes",
		},
	}
}

func databaseSampleOf(r *rules.Rule) *databaseSample {
	all := databaseSamples()
	if i := slices.IndexFunc(all, func(s databaseSample) bool { return s.rule == r.Name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// inspectChanged returns what is found in a changed database, the findings about
// sessions with their names in Path.
func inspectChanged(t *testing.T, c change) (all []rules.Finding) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lamp.db")
	databasetest.New(t, path, []string{lamp}, c.sql...)
	image, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if c.old != "" {
		image = bytes.ReplaceAll(image, []byte(c.old), []byte(c.new))
	}
	if err := os.WriteFile(path, image[:int64(len(image))-c.cut], 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := database.Open(t.Context(), path, database.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	store, err := rules.CheckDatabase(t.Context(), d, "lamp.db")
	if err != nil {
		t.Fatal(err)
	}
	all = store.Findings
	if d.Refusal != nil {
		return all
	}
	for s, r := range checkedSessions(t, d) {
		for _, f := range r.Findings {
			f.Path = "lamp.db#" + s.ID
			all = append(all, f)
		}
	}
	return all
}

// checkedSessions yields the sessions of a database and what is found in each.
func checkedSessions(t *testing.T, d *database.Database) iter.Seq2[*database.Session, *rules.Result] {
	t.Helper()
	return func(yield func(*database.Session, *rules.Result) bool) {
		for s, err := range d.Sessions() {
			if err != nil {
				t.Fatal(err)
			}
			r, err := rules.CheckSession(s, rules.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !yield(s, r) {
				return
			}
		}
	}
}

func TestEveryDatabaseRuleFiresInItsBadDatabaseOnly(t *testing.T) {
	if sound := inspectChanged(t, change{}); len(sound) > 0 {
		t.Errorf("the sound database has findings:\n%s", databaseOutput(sound))
	}
	for _, s := range databaseSamples() {
		t.Run(s.rule, func(t *testing.T) {
			is := func(f rules.Finding) bool { return f.Rule.Name == s.rule }
			if bad := inspectChanged(t, s.bad); !slices.ContainsFunc(bad, is) {
				t.Errorf("nothing is found in the bad database but:\n%s", databaseOutput(bad))
			}
			if near := inspectChanged(t, s.near); slices.ContainsFunc(near, is) {
				t.Errorf("the near miss has findings:\n%s", databaseOutput(near))
			}
			if s.why == "" || slices.Equal(s.near.sql, s.bad.sql) {
				t.Error("there is no near miss, or nothing to say of it")
			}
		})
	}
}

// databaseOutput shows findings much as the text format does.
func databaseOutput(findings []rules.Finding) string {
	var b strings.Builder
	for i := range findings {
		f := &findings[i]
		where := f.Path
		if f.Seq != nil {
			where += fmt.Sprintf(": events seq %d", *f.Seq)
		}
		fmt.Fprintf(&b, "%s: %s: %s [%s %s]\n", where, f.Severity, f.Message, f.Rule.ID, f.Rule.Name)
	}
	return b.String()
}

// databaseExample shows the change of a sample, and what is found.
func databaseExample(t *testing.T, s *databaseSample) string {
	var done strings.Builder
	if len(s.bad.sql) > 0 {
		fmt.Fprintf(&done, "```sql\n%s;\n```\n\n", strings.Join(s.bad.sql, ";\n"))
	}
	if s.bad.old != "" {
		fmt.Fprintf(&done, "with %q in place of %q in the bytes of the file:\n\n", s.bad.new, s.bad.old)
	}
	if s.bad.cut > 0 {
		fmt.Fprintf(&done, "without the last %d bytes of the file:\n\n", s.bad.cut)
	}
	return fmt.Sprintf("\n### Example\n\nIn a sound database with the session lamp, after this change:\n\n%s```\n%s```\n\nLooks like it and is none: %s.\n",
		done.String(), databaseOutput(inspectChanged(t, s.bad)), s.why)
}

// TestTheDatabaseOfTheReadme keeps a database with a sound session, one that breaks off
// in a turn and one with a damaged row. What is found in it is compared, because its
// bytes depend on the version of SQLite.
func TestTheDatabaseOfTheReadme(t *testing.T) {
	path := filepath.Join("..", "testdata", "database", "sessions.db")
	if *update {
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		open := strings.TrimSuffix(session("attic"), lamp[strings.Index(lamp, `{"type":"step/end","seq":12`):])
		databasetest.New(t, path, []string{lamp, open, session("cellar")},
			`UPDATE events SET data = '{"turn":1,"step' WHERE session_id = 'cellar' AND seq = 6`)
	}
	d, err := database.Open(t.Context(), path, database.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var got []string
	for s, r := range checkedSessions(t, d) {
		got = append(got, fmt.Sprintf("%s %s", s.ID, r.Reading.Verdict))
	}
	if want := []string{"lamp opens", "attic recovers", "cellar damaged"}; !slices.Equal(got, want) {
		t.Errorf("sessions %q, want %q", got, want)
	}
}

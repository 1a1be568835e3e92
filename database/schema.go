package database

import (
	"fmt"
	"slices"
	"strings"
)

// The identity of a session database (docs/format.md §10.1).
const (
	ApplicationID = 0x44534850 // "DSHP"
	SchemaVersion = 17
)

// Object is an object of a schema: a table, index, view or trigger.
type Object struct {
	Type, Name, Table, SQL string
}

// Tables are the objects of a session database with the SQL text that dsh demands,
// in the order in which it creates them.
var Tables = []Object{
	{"table", "persistence_state", "persistence_state", `CREATE TABLE persistence_state (
  singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
  store_id  TEXT NOT NULL
) STRICT`},
	{"table", "sessions", "sessions", `CREATE TABLE sessions (
  id               TEXT PRIMARY KEY,
  version          INTEGER NOT NULL,
  created_at       INTEGER NOT NULL,
  cwd              TEXT,
  parent_session   TEXT,
  seed_length      INTEGER,
  origin           TEXT,
  delegation_depth INTEGER,
  agent_preset     TEXT,
  incarnation      TEXT NOT NULL,
  revision         INTEGER NOT NULL
) STRICT`},
	{"table", "events", "events", `CREATE TABLE events (
  session_id        TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
  seq               INTEGER NOT NULL,
  type              TEXT NOT NULL,
  time              INTEGER NOT NULL,
  data              ANY NOT NULL,
  source_event_seqs ANY,
  surface_op        TEXT,
  ignorable         INTEGER CHECK (ignorable IS NULL OR ignorable IN (0, 1)),
  PRIMARY KEY (session_id, seq)
) STRICT`},
}

// difference says how a schema differs from that which dsh takes for its own, and ""
// when it does not: the same objects with the same text, but for white space
// (docs/format.md §10.1).
func difference(objects []Object) string {
	left := slices.Clone(Tables)
	for _, o := range objects {
		i := slices.IndexFunc(left, func(want Object) bool { return want.Name == o.Name })
		switch {
		case i < 0:
			return fmt.Sprintf("the schema has the %s %q, which dsh does not make", o.Type, o.Name)
		case o.Type != left[i].Type:
			return fmt.Sprintf("%q is a %s, not a table", o.Name, o.Type)
		case o.Table != left[i].Table || squeeze(o.SQL) != squeeze(left[i].SQL):
			return fmt.Sprintf("the table %q is not defined as dsh defines it", o.Name)
		}
		left = slices.Delete(left, i, i+1)
	}
	if len(left) > 0 {
		return fmt.Sprintf("the table %q is missing", left[0].Name)
	}
	return ""
}

// squeeze makes each run of what JavaScript takes for white space one space.
func squeeze(sql string) string { return strings.Join(strings.FieldsFunc(sql, isSpace), " ") }

// isSpace is \s of a regular expression (ECMA-262 §22.2.2.9).
func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', '\u00A0', '\u1680', '\u2028', '\u2029', '\u202F', '\u205F', '\u3000', '\uFEFF':
		return true
	}
	return '\u2000' <= r && r <= '\u200A'
}

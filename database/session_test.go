package database_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/internal/databasetest"
)

const log = `{"type":"session","version":0,"id":"attic","createdAt":1790000000000,"delegationDepth":0}
{"type":"turn/start","seq":0,"time":1790000001000,"data":{"turn":1}}
`

func TestSessionsAreThoseOfEitherTable(t *testing.T) {
	tests := []struct {
		name string
		sql  []string
		want []string
	}{
		{"a row and its events", nil, []string{"attic: "}},
		{"a row alone", []string{"DELETE FROM events"}, []string{"attic: "}},
		{"events alone", []string{"DELETE FROM sessions"}, []string{`attic: session "attic" not found`}},
		{
			"events beside a row without an id",
			[]string{"INSERT INTO events SELECT 'cellar', seq, type, time, data, NULL, NULL, NULL FROM events", "UPDATE sessions SET id = NULL"},
			[]string{`attic: session "attic" not found`, `cellar: session "cellar" not found`},
		},
		{"an id that is no UTF-8", []string{"UPDATE sessions SET id = CAST(x'61ff' AS TEXT)"}, []string{
			"a\xff: session \"a\uFFFD\" not found", `attic: session "attic" not found`,
		}},
		{"a relative cwd", []string{"UPDATE sessions SET cwd = 'attic'"}, []string{"attic: stored session cwd must be absolute"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "sessions.db")
			databasetest.New(t, path, []string{log}, tt.sql...)
			d, err := database.Open(t.Context(), path, database.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			var got []string
			for s, err := range d.Sessions() {
				if err != nil {
					t.Fatal(err)
				}
				refusal := ""
				if s.Refusal != nil {
					refusal = s.Refusal.Text
				}
				got = append(got, s.ID+": "+refusal)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

package repair_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
)

// unlikeDsh are the vectors for which turnfix knowingly does not do as dsh does.
var unlikeDsh = map[string]string{
	"db/seq-differs-in-table": "the file is damaged: what a repair would do to it nobody knows",
	"file/cut-mid-page":       "the file is damaged",
	"row/packed-ignorable-1":  "an event with the type of a packed row cannot be planned as one of a log",
}

func TestLikeDshLeavesTheRowsThatDshLeaves(t *testing.T) {
	for i, v := range vectortest.LoadDatabases(t) {
		why, unlike := unlikeDsh[v.ID]
		if v.Expect.Open != "ok" || v.Expect.Initialised || testing.Short() && i%5 != 0 && !unlike {
			continue
		}
		t.Run(v.ID, func(t *testing.T) {
			path := v.Copy(t, t.TempDir())
			c := &repair.Committer{FS: repair.Disk{}, StateDir: t.TempDir(), AssumeStopped: true}
			same := true
			for id, want := range v.Expect.Sessions {
				if after := want.RowsAfterLoad; after != nil && after.Changed != nil {
					same = likeDsh(t, c, path, id, &want, unlike) && same
				}
			}
			if unlike == same {
				t.Errorf("as dsh does: %v, and it is named as an exception (%s): %v", same, why, unlike)
			}
		})
	}
}

// likeDsh repairs a session and reports whether dsh would have done the same. It
// complains when it did not, unless the caller knows.
func likeDsh(t *testing.T, c *repair.Committer, path, id string, want *vectortest.SessionExpected, known bool) bool {
	t.Helper()
	complain := func(format string, args ...any) bool {
		if !known {
			t.Errorf("session %q: "+format, append([]any{id}, args...)...)
		}
		return false
	}
	all, err := c.ApplyDatabase(t.Context(), path, &id, repair.Options{LikeDsh: true})
	if err != nil {
		if strings.Contains(want.Load.Error, "not found") {
			return true
		}
		return complain("%v", err)
	}
	after := want.RowsAfterLoad
	for _, out := range all {
		if out.Plan.Action == repair.Refuse && want.Load.OK {
			return complain("refused: %s", out.Plan.Reason)
		}
		// What dsh would write and not read again is left alone.
		if bricked := out.Plan.Action == repair.Refuse && !want.Load.OK; !bricked && out.Published != *after.Changed {
			return complain("changed: %v, want %v", out.Published, *after.Changed)
		} else if bricked {
			return true
		}
	}
	count, sum, revision := rowsOf(t, path, id)
	if count != after.Count || sum != after.RowsSHA256 || after.Revision != nil && revision != *after.Revision {
		return complain("it has %d rows, revision %d, %s, want %+v", count, revision, sum, after)
	}
	return true
}

// rowsOf returns the rows of a session as the vectors hash them.
func rowsOf(t *testing.T, path, id string) (count int, sum string, revision int64) {
	t.Helper()
	d, err := database.Open(t.Context(), path, database.Options{Path: path})
	must(t, err)
	defer d.Close()
	s, err := d.Session(id)
	must(t, err)
	if s.Header != nil {
		revision = s.Header.Revision
	}
	var lines []string
	for row, err := range s.Rows() {
		must(t, err)
		lines = append(lines, rowText(t, row))
	}
	hash := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return len(lines), hex.EncodeToString(hash[:]), revision
}

// rowText returns a row as the vectors hash it.
func rowText(t *testing.T, row *database.Row) string {
	t.Helper()
	columns := []string{rowValue(row.Seq), rowValue(row.Type), rowValue(row.Time), dataValue(row.Data), rowValue(row.Sources), rowValue(row.SurfaceOp), rowValue(row.Ignorable)}
	return "[" + strings.Join(columns, ",") + "]"
}

func rowValue(v database.Value) string {
	switch v.Class {
	case database.Integer:
		return strconv.FormatInt(v.Int, 10)
	case database.Real:
		return string(jsjson.AppendNumber(nil, v.Real))
	case database.Text:
		return string(jsjson.AppendQuoted(nil, jsjson.Decode(v.Bytes)))
	case database.Blob:
		return `"b:` + hex.EncodeToString(v.Bytes) + `"`
	}
	return "null"
}

// dataValue is rowValue for a column whose blobs are compressed.
func dataValue(v database.Value) string {
	var z scan.BlobDecoder
	defer z.Close()
	switch plain, err := z.Decode(nil, append([]byte{}, v.Bytes...), 64<<20); {
	case v.Class == database.Text:
		return string(jsjson.AppendQuoted(nil, "t:"+jsjson.Decode(v.Bytes)))
	case v.Class == database.Blob && err == nil:
		return `"z:` + hex.EncodeToString(plain) + `"`
	}
	return rowValue(v)
}

package repair_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/diff"
	"github.com/turnlint/turnlint/internal/corpus"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
)

// eventValues returns the header and the events that dsh reads of a log, as values: the
// order of members and the packing do not matter.
func eventValues(t *testing.T, image []byte) (events []string) {
	t.Helper()
	r, err := scan.NewReader(bytes.NewReader(image), int64(len(image)), scan.Options{})
	must(t, err)
	m := scan.NewModel(scan.ModelOptions{})
	for record := range r.Records() {
		switch accepted := m.Add(record); {
		case !accepted:
		case record.Kind == scan.Row:
			for member := range record.Row.Events() {
				events = append(events, valueOf(t, member))
			}
		default:
			events = append(events, valueOf(t, record.Text))
		}
	}
	must(t, r.Err())
	return events
}

// valueOf returns a JSON text with the members of objects in the order of their names.
func valueOf(t *testing.T, text []byte) string {
	t.Helper()
	var v any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // some are beyond a float64
	must(t, d.Decode(&v))
	sorted, err := json.Marshal(v)
	must(t, err)
	return string(sorted)
}

func TestALogIsTheSameBehindADatabase(t *testing.T) {
	logs, err := corpus.Load("../testdata/corpus")
	must(t, err)
	done := 0
	for i, log := range logs {
		if v := log.Expect.Verdict; v != "opens" && v != "recovers" || log.Expect.Events == 0 || testing.Short() && i%4 != 0 {
			continue
		}
		done++
		t.Run(log.Path, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "sessions.db")
			c := &repair.Committer{FS: repair.Disk{}}
			n, err := c.NewStore(t.Context(), path)
			must(t, err)
			transfer, err := n.Add(bytes.NewReader(log.Data), int64(len(log.Data)), log.Path, scan.Auto)
			must(t, err)
			if transfer.Reason != "" {
				t.Fatal(transfer.Reason)
			}
			must(t, n.Publish())
			checkSameEvents(t, log.Data, path)
			for _, to := range []repair.LogOptions{
				{Encoding: scan.Plain, File: filepath.Join(dir, "log.jsonl")},
				{Encoding: scan.Zstd, File: filepath.Join(dir, "log.jsonl.zstd")},
			} {
				all, err := c.ExportLogs(t.Context(), repair.StoreSource{Path: path}, nil, to)
				must(t, err)
				if all[0].Reason != "" || all[0].Events != transfer.Events {
					t.Fatalf("%+v, and %d events went in", all[0], transfer.Events)
				}
				got, err := os.ReadFile(to.File)
				must(t, err)
				if d := cmp.Diff(eventValues(t, log.Data), eventValues(t, got)); d != "" {
					t.Errorf("%s (-before +after):\n%s", to.Encoding, d)
				}
			}
		})
	}
	if done < 5 {
		t.Errorf("%d logs of the corpus can be in a database", done)
	}
}

// checkSameEvents compares the events of a log with those of the one session in a
// database.
func checkSameEvents(t *testing.T, image []byte, path string) {
	t.Helper()
	log, err := repair.StoredEvents(bytes.NewReader(image), int64(len(image)), scan.Auto)
	must(t, err)
	store, err := database.Open(t.Context(), path, database.Options{Path: path})
	must(t, err)
	defer store.Close()
	for s, err := range store.Sessions() {
		must(t, err)
		d, err := diff.Compare(log, repair.SessionEvents(s))
		must(t, err)
		var out strings.Builder
		must(t, d.Write(&out, "log", "database", true))
		if out.Len() > 0 {
			t.Error(out.String())
		}
	}
}

func TestADatabaseOfTheSameLogsHasTheSameRows(t *testing.T) {
	if diff := cmp.Diff(dump(t, newStore(t, openSession, otherSession)), dump(t, newStore(t, openSession, otherSession))); diff != "" {
		t.Error(diff)
	}
}

func TestLogsThatNoDatabaseHoldsAreRefused(t *testing.T) {
	for _, tt := range []struct{ name, log, reason string }{
		{"a log with a gap", text(header, start1, end2), `dsh refuses it: "corrupt session log: seq gap`},
		{"a log whose last record lacks its newline", strings.TrimSuffix(text(header, start1, end1), "\n"), "dsh would drop 1 complete event"},
		{"a log whose turn has no number from 1", text(header, strings.Replace(start1, `"turn":1`, `"turn":0`, 1)), "a turn/end that it refuses to read again"},
		{"no log", "hello\n", "it is no session log"},
		{"a log of a later format", text(`{"type":"session","version":2,"id":"s","createdAt":1,"delegationDepth":0,"isSeeded":false}`), "format v2"},
		{"a session twice", openSession, `has been taken for the session "s"`},
		{"a session whose name is no text", text(strings.Replace(header, `"id":"s"`, `"id":"\ud800"`, 1), start1, end1), "no database can hold its id"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n, err := (&repair.Committer{FS: repair.Disk{}}).NewStore(t.Context(), filepath.Join(t.TempDir(), "sessions.db"))
			must(t, err)
			defer n.Discard()
			_, err = n.Add(strings.NewReader(openSession), int64(len(openSession)), "first", scan.Auto)
			must(t, err)
			got, err := n.Add(strings.NewReader(tt.log), int64(len(tt.log)), "", scan.Auto)
			must(t, err)
			if !strings.Contains(got.Reason, tt.reason) || n.Sessions() != 1 {
				t.Errorf("%q, %d sessions, want %q and only the first", got.Reason, n.Sessions(), tt.reason)
			}
		})
	}
}

func TestWhatATornLogLosesIsSaid(t *testing.T) {
	n, err := (&repair.Committer{FS: repair.Disk{}}).NewStore(t.Context(), filepath.Join(t.TempDir(), "sessions.db"))
	must(t, err)
	defer n.Discard()
	log := text(header, start1, end1, start2) + `{"type":"ste`
	got, err := n.Add(strings.NewReader(log), int64(len(log)), "", scan.Auto)
	must(t, err)
	want := []repair.Omission{{Line: 5, Reason: "line that dsh does not read"}}
	if diff := cmp.Diff(want, got.LeftOut); diff != "" || got.Events != 3 {
		t.Errorf("%d events (-want +got):\n%s", got.Events, diff)
	}
}

func TestNothingIsOverwritten(t *testing.T) {
	path := newStore(t, openSession)
	before := dump(t, path)
	c := &repair.Committer{FS: repair.Disk{}}
	if _, err := c.NewStore(t.Context(), path); err == nil {
		t.Error("a new database replaces another one")
	}
	log := filepath.Join(t.TempDir(), "log.jsonl")
	must(t, os.WriteFile(log, []byte("mine"), 0o600))
	all, err := c.ExportLogs(t.Context(), repair.StoreSource{Path: path}, nil, repair.LogOptions{Encoding: scan.Plain, File: log})
	must(t, err)
	if !strings.Contains(all[0].Reason, "nothing is overwritten") || all[0].Target != "" {
		t.Errorf("%+v, want a refusal", all[0])
	}
	if got, err := os.ReadFile(log); err != nil || string(got) != "mine" || dump(t, path) != before {
		t.Errorf("%q, %v", got, err)
	}
}

func TestADamagedSessionIsExportedOnRequest(t *testing.T) {
	path := newStore(t, openSession, otherSession)
	alter(t, path, `UPDATE events SET data = '{' WHERE session_id = 's' AND seq = 1`)
	c := &repair.Committer{FS: repair.Disk{}}
	opt := repair.LogOptions{Encoding: scan.Plain, Dir: filepath.Join(t.TempDir(), "sessions")}
	all, err := c.ExportLogs(t.Context(), repair.StoreSource{Path: path}, &sessionName, opt)
	must(t, err)
	if !strings.Contains(all[0].Reason, "invalid committed physical row at seq 1") || all[0].Target != "" {
		t.Errorf("%+v, want a refusal", all[0])
	}
	opt.Partial = true
	all, err = c.ExportLogs(t.Context(), repair.StoreSource{Path: path}, nil, opt)
	must(t, err)
	if len(all) != 2 || len(all[0].LeftOut) != 1 || *all[0].LeftOut[0].Seq != 1 || all[0].Events != 9 {
		t.Fatalf("%+v, want all rows but that with seq 1", all[0])
	}
	log, err := os.ReadFile(string(all[0].Target))
	must(t, err)
	p := plan(t, log, repair.Options{Allow: []repair.Permission{repair.FillGaps}})
	if p.Action != repair.Repair || p.Ledger.Kept != 9 {
		t.Errorf("the log cannot be repaired: %s, %s", p.Action, p.Reason)
	}
	if want := filepath.Join(opt.Dir, "--work--", "s", "session.jsonl"); string(all[0].Target) != want {
		t.Errorf("it went to %q, want %q", all[0].Target, want)
	}
}

func TestASessionThatDshCouldNotReadAgainIsExportedOnRequest(t *testing.T) {
	path := newStore(t, openSession)
	alter(t, path, `UPDATE sessions SET revision = 9007199254740991`)
	c := &repair.Committer{FS: repair.Disk{}}
	opt := repair.LogOptions{Encoding: scan.Plain, Dir: filepath.Join(t.TempDir(), "sessions")}
	all, err := c.ExportLogs(t.Context(), repair.StoreSource{Path: path}, &sessionName, opt)
	must(t, err)
	if all[0].Reason != "dsh could not read the session after repairing it" || all[0].Target != "" {
		t.Errorf("%+v, want a refusal", all[0])
	}
	opt.Partial = true
	all, err = c.ExportLogs(t.Context(), repair.StoreSource{Path: path}, &sessionName, opt)
	must(t, err)
	if all[0].Target == "" || all[0].LeftOut != nil {
		t.Errorf("%+v, want a log of all rows", all[0])
	}
}

func TestADamagedFileIsExportedOnRequest(t *testing.T) {
	path := newStore(t, text(header, start1, end1))
	image, err := os.ReadFile(path)
	must(t, err)
	image = append(image, make([]byte, 4096)...) // a page that no tree has
	binary.BigEndian.PutUint32(image[28:], uint32(len(image)/4096))
	must(t, os.WriteFile(path, image, 0o600))
	c := &repair.Committer{FS: repair.Disk{}}
	opt := repair.LogOptions{Encoding: scan.Plain, Dir: filepath.Join(t.TempDir(), "sessions")}
	all, err := c.ExportLogs(t.Context(), repair.StoreSource{Path: path}, nil, opt)
	must(t, err)
	if len(all) != 1 || !strings.Contains(all[0].Reason, "file of the database is damaged") {
		t.Errorf("%+v, want a refusal", all[0])
	}
	opt.Partial = true
	all, err = c.ExportLogs(t.Context(), repair.StoreSource{Path: path}, nil, opt)
	must(t, err)
	if len(all) != 2 || !strings.Contains(all[0].Reason, "may be missing") || all[1].Target == "" || all[1].Events != 2 {
		t.Errorf("%+v, want that something may be missing, and the session", all)
	}
}

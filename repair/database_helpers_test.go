package repair_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/repair"
	"github.com/turnlint/turnlint/scan"
)

// newStore makes a database of logs and returns its path.
func newStore(t *testing.T, logs ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sessions.db")
	n, err := (&repair.Committer{FS: repair.Disk{}}).NewStore(t.Context(), path)
	must(t, err)
	for _, log := range logs {
		transfer, err := n.Add(strings.NewReader(log), int64(len(log)), "", scan.Auto)
		must(t, err)
		if transfer.Reason != "" {
			t.Fatal(transfer.Reason)
		}
	}
	must(t, n.Publish())
	return path
}

// alter runs SQL statements on the database at path, and does what SQLite does when the
// last program closes it.
func alter(t *testing.T, path string, statements ...string) {
	t.Helper()
	pool, err := sql.Open("sqlite", path)
	must(t, err)
	defer pool.Close()
	for _, s := range statements {
		if _, err := pool.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// dump returns all that the database at path stores, a line a row.
func dump(t *testing.T, path string) string {
	t.Helper()
	d, err := database.Open(t.Context(), path, database.Options{Path: path})
	must(t, err)
	defer d.Close()
	if d.Refusal != nil {
		t.Fatal(d.Refusal.Text)
	}
	var b bytes.Buffer
	for s, err := range d.Sessions() {
		must(t, err)
		if s.Header != nil {
			fmt.Fprintf(&b, "%q %s %d %s\n", s.ID, s.Header.Line, s.Header.Revision, s.Header.Incarnation)
		}
		for row, err := range s.Rows() {
			must(t, err)
			fmt.Fprintln(&b, row.InsertStatement(s.ID))
		}
	}
	return b.String()
}

// planStore returns the plans of all sessions in the database at path.
func planStore(t *testing.T, path string, opt repair.Options) (plans []*repair.Plan) {
	t.Helper()
	must(t, repair.PlanDatabase(t.Context(), repair.StoreSource{Path: path}, nil, opt, func(p *repair.PlannedSession) error {
		plans = append(plans, p.Plan)
		return nil
	}))
	return plans
}

// storeCommitter repairs databases that nobody uses.
func storeCommitter(t *testing.T) *repair.Committer {
	return &repair.Committer{FS: repair.Disk{}, StateDir: t.TempDir(), AssumeStopped: true}
}

// A session of one turn that is closed and one that is open, with packed deltas and a
// call that nobody answered.
const (
	dbUser   = `{"type":"user/message","seq":1,"time":11,"data":{"id":"u1","role":"user","content":[{"type":"text","text":"hello"}],"source":{"kind":"user"}},"surfaceOp":"append"}`
	dbEnd    = `{"type":"turn/end","seq":2,"time":12,"data":{"turn":1,"reason":{"kind":"completed"}}}`
	dbStart  = `{"type":"turn/start","seq":3,"time":13,"data":{"turn":2}}`
	dbStep   = `{"type":"step/start","seq":4,"time":14,"data":{"turn":2,"step":1}}`
	dbChunks = `{"type":"text-chunks","seq0":5,"time0":15,"data":{"turn":2,"step":1,"index":0,"dt":[1,1],"texts":["one ","two ","three"]}}`
	dbAnswer = `{"type":"assistant/message","seq":8,"time":18,"data":{"turn":2,"step":1,"message":{"id":"a1","role":"assistant","content":[{"type":"tool-call","id":"c1","name":"ls","arguments":"{}"}],"source":{"kind":"model","provider":"p","model":"m"}}},"sourceEventSeqs":[5,6,7],"surfaceOp":"append"}`
	dbCall   = `{"type":"tool/call","seq":9,"time":19,"data":{"turn":2,"step":1,"callId":"c1","name":"ls","arguments":"{}"}}`
)

var (
	openSession  = text(header, start1, dbUser, dbEnd, dbStart, dbStep, dbChunks, dbAnswer, dbCall)
	otherSession = strings.Replace(text(header, start1, end1), `"id":"s"`, `"id":"other"`, 1)
)

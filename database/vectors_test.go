package database_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/turnlint/turnlint/database"
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

func TestReadersAgreeWithTheReferenceOnEveryVector(t *testing.T) {
	vectortest.EachDatabase(t, checkVector)
}

// negativeSeq is the vector of which a read from seq 0 on does not see the row at
// fault, which a load refuses. The reader model is about loads.
const negativeSeq = "row/negative-seq"

func checkVector(t *testing.T, v *vectortest.Database) {
	d, err := database.Open(t.Context(), v.CopyToRead(t), database.Options{Path: "$DIR/sessions.db"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	}()
	want := &v.Expect
	if d.New != want.Initialised {
		t.Errorf("new = %v, want %v", d.New, want.Initialised)
	}
	if d.Refusal != nil {
		checkFailure(t, "open", &d.Refusal.Refusal, &want.OpenError)
		if d.Refusal.Code != want.OpenError.ErrCode {
			t.Errorf("open: code %d, want %d", d.Refusal.Code, want.OpenError.ErrCode)
		}
		return
	}
	checkFailure(t, "open", nil, &want.OpenError)
	if d.New {
		return
	}
	checkList(t, d, &want.List)
	for _, id := range slices.Sorted(maps.Keys(want.Sessions)) {
		expected := want.Sessions[id]
		t.Run(id, func(t *testing.T) { checkSession(t, d, id, &expected, v.ID == negativeSeq) })
	}
	if want.LookupError.Error != "" {
		s, err := d.Session("any")
		if err != nil {
			t.Fatal(err)
		}
		checkFailure(t, "lookup", s.Refusal, &want.LookupError)
	}
}

// checkFailure compares a refusal, nil for none, with what the reference throws.
func checkFailure(t *testing.T, column string, got *session.Refusal, want *vectortest.DatabaseFailure) {
	t.Helper()
	switch {
	case got == nil && want.Error == "":
	case got == nil:
		t.Errorf("%s: accepted, want %q", column, want.Error)
	case want.Error == "":
		t.Errorf("%s: refused with %q, want none", column, got.Text)
	case string(got.Class) != want.ErrorClass:
		t.Errorf("%s: class %s, want %s (%q)", column, got.Class, want.ErrorClass, got.Text)
	case !want.Foreign() && got.Text != want.Error:
		t.Errorf("%s: %q, want %q", column, got.Text, want.Error)
	}
}

func checkList(t *testing.T, d *database.Database, want *vectortest.DatabaseList) {
	t.Helper()
	var headers []any
	var refusal *session.Refusal
	for h, err := range d.Headers() {
		if err != nil {
			t.Fatal(err)
		}
		if refusal = h.Refusal; refusal != nil {
			break
		}
		headers = append(headers, parse(t, h.Line))
	}
	checkFailure(t, "list", refusal, &want.DatabaseFailure)
	if refusal != nil {
		return
	}
	var wanted []any
	for _, h := range want.Headers {
		header := parse(t, h)
		header["type"] = "session"
		if _, ok := header["delegationDepth"]; !ok {
			header["delegationDepth"] = 0.0 // which a line must have
		}
		wanted = append(wanted, header)
	}
	byID := cmpopts.SortSlices(func(a, b any) bool {
		return a.(map[string]any)["id"].(string) < b.(map[string]any)["id"].(string)
	})
	if diff := cmp.Diff(wanted, headers, byID, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
}

func parse(t *testing.T, text []byte) (object map[string]any) {
	t.Helper()
	if err := json.Unmarshal(text, &object); err != nil {
		t.Fatal(err)
	}
	return object
}

// reading is what came of one session, with what the reading of a log has no place for.
type reading struct {
	*scan.Reading
	rows, kept int
	normal     [][]byte      // canonical texts of the events as loaded
	unclosed   []*scan.Fault // faults that come before closers and build
}

func readSession(t *testing.T, s *database.Session) *reading {
	t.Helper()
	reader := s.Reader()
	model := scan.NewModel(scan.ModelOptions{Digests: true})
	got := &reading{}
	for r := range reader.Records() {
		accepted := model.Add(r)
		if r.Kind == scan.Header {
			continue
		}
		got.rows++
		if !accepted {
			continue
		}
		got.kept++
		got.addNormal(model, r)
	}
	if reader.Err() != nil {
		t.Fatal(reader.Err())
	}
	got.Reading = model.Reading(reader.Container())
	return got
}

func (g *reading) addNormal(model *scan.Model, r *scan.Record) {
	if r.Kind == scan.Row {
		for text := range r.Row.Events() {
			g.normal = append(g.normal, bytes.Clone(text))
		}
		return
	}
	for _, fault := range model.Faults() {
		if fault.Stage <= scan.UnknownType {
			g.unclosed = append(g.unclosed, &fault)
		}
	}
	if e := model.Normal(); e != nil {
		g.normal = append(g.normal, jsjson.AppendCanonical(nil, e.Root))
	}
}

func checkSession(t *testing.T, d *database.Database, id string, want *vectortest.SessionExpected, negative bool) {
	s, err := d.Session(id)
	if err != nil {
		t.Fatal(err)
	}
	got := readSession(t, s)
	checkScan(t, got, &want.Scan)
	checkFailure(t, "inspect", got.Refusal(), &want.Inspect.DatabaseFailure)
	if want.Inspect.OK {
		checkEvents(t, "inspect", int(got.Load.Events), got.Load.Digest, &want.Inspect)
	}
	if want.Load.OK != (want.Inspect.OK && !got.Bricks && !got.Spent) {
		t.Errorf("a load after the repair succeeds = %v, want %v", !want.Load.OK, want.Load.OK)
	}
	if want.Load.OK {
		checkEvents(t, "load", int(got.Load.Events), vectortest.EventsSHA256(append(slices.Clone(got.normal), readBack(t, got.Closers)...)), &want.Load)
	}
	if diff := cmp.Diff(joined(want.Closers), string(bytes.Join(got.Closers, []byte("\n")))); diff != "" {
		t.Errorf("closers (-want +got):\n%s", diff)
	}
	if !negative {
		checkReadFrom(t, got, &want.ReadFrom0)
	}
	checkRowsAfter(t, got, want)
}

func checkScan(t *testing.T, got *reading, want *vectortest.SessionResult) {
	t.Helper()
	checkFailure(t, "scan", got.Scan.Refusal, &want.DatabaseFailure)
	if !want.OK || got.Scan.Refusal != nil {
		return
	}
	checkEvents(t, "scan", int(got.Scan.Events), got.Scan.Digest, want)
	if got.rows != want.Count {
		t.Errorf("scan: %d rows, want %d", got.rows, want.Count)
	}
	if diff := cmp.Diff(want.TornFrom, got.Scan.TornFrom); diff != "" {
		t.Errorf("tornFrom (-want +got):\n%s", diff)
	}
}

func checkEvents(t *testing.T, column string, count int, digest string, want *vectortest.SessionResult) {
	t.Helper()
	if count != want.EventCount {
		t.Errorf("%s: %d events, want %d", column, count, want.EventCount)
	}
	if digest != want.EventsSHA256 {
		t.Errorf("%s: digest %s, want %s", column, digest, want.EventsSHA256)
	}
}

// readBack returns the closers as rows give them: with the sources before the marker.
func readBack(t *testing.T, closers [][]byte) (texts [][]byte) {
	t.Helper()
	for _, text := range closers {
		if cut := bytes.LastIndex(text, []byte(`,"surfaceOp":"append","sourceEventSeqs":`)); cut >= 0 {
			sources := text[cut+len(`,"surfaceOp":"append"`) : len(text)-1]
			text = slices.Concat(text[:cut], sources, []byte(`,"surfaceOp":"append"}`))
		}
		texts = append(texts, text)
	}
	return texts
}

func joined(texts []vectortest.Text) string {
	lines := make([]string, len(texts))
	for i, text := range texts {
		lines[i] = string(text)
	}
	return strings.Join(lines, "\n")
}

// checkReadFrom compares a reading that neither closes nor builds the session.
func checkReadFrom(t *testing.T, got *reading, want *vectortest.SessionResult) {
	t.Helper()
	refusal := got.HeaderRefusal
	switch {
	case refusal != nil:
	case got.Scan.Refusal != nil:
		refusal = got.Scan.Refusal
	case got.Header.Version != 0:
		refusal = got.Load.Refusal
	case len(got.unclosed) > 0:
		first := slices.MinFunc(got.unclosed, func(a, b *scan.Fault) int { return int(a.Stage) - int(b.Stage) })
		refusal = session.Refuse(first.Text)
		if first.Stage == scan.UnknownType {
			refusal.Class = session.ClassUnsupported
		}
	}
	checkFailure(t, "readFrom0", refusal, &want.DatabaseFailure)
	if refusal == nil && want.OK {
		checkEvents(t, "readFrom0", len(got.normal), vectortest.EventsSHA256(got.normal), want)
	}
}

// checkRowsAfter compares what a reading predicts of the rows after a load.
func checkRowsAfter(t *testing.T, got *reading, want *vectortest.SessionExpected) {
	t.Helper()
	after := want.RowsAfterLoad
	if after == nil || after.Changed == nil {
		return
	}
	changed := got.Refusal() == nil && (got.Scan.Torn || len(got.Closers) > 0)
	if changed != *after.Changed {
		t.Errorf("changes the rows = %v, want %v", changed, *after.Changed)
	}
	count := got.rows
	if changed {
		count = got.kept + len(got.Closers)
	}
	if count != after.Count {
		t.Errorf("%d rows after a load, want %d", count, after.Count)
	}
}

package scan_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// read returns what the model makes of a log image.
func read(t *testing.T, image []byte, opt scan.Options, model scan.ModelOptions) *scan.Reading {
	t.Helper()
	r, err := scan.NewReader(bytes.NewReader(image), int64(len(image)), opt)
	if err != nil {
		t.Fatal(err)
	}
	m := scan.NewModel(model)
	for record := range r.Records() {
		m.Add(record)
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return m.Reading(r.Container())
}

// place returns the path under root at which the vectors' logs lie: the one
// that a usable header names.
func place(image []byte, encoding scan.Encoding) string {
	text, _, _ := bytes.Cut(image, []byte("\n"))
	if encoding == scan.Zstd {
		text = firstText(image)
	}
	id, project := "oracle-session", "_no-cwd"
	if h, _ := session.ParseHeader(text); h.ID != "" {
		id = h.ID
	}
	var doc jsjson.Doc
	if doc.Parse(text) == nil {
		if cwd := doc.Get("cwd"); cwd.NonEmptyString() {
			project, _ = session.ProjectKey(cwd)
		}
	}
	name, _ := session.EncodeID(id)
	file := session.PlainName
	if encoding == scan.Zstd {
		file = session.ZstdName
	}
	return filepath.Join("$ROOT", project, name, file)
}

func firstText(image []byte) []byte {
	r, err := scan.NewReader(bytes.NewReader(image), int64(len(image)), scan.Options{Encoding: scan.Zstd})
	if err != nil {
		return nil
	}
	for record := range r.Records() {
		return bytes.Clone(record.Text)
	}
	return nil
}

func TestReaderAgreesWithTheReferenceOnEveryVector(t *testing.T) {
	vectors := vectortest.Load(t)
	passed := 0
	for i := range vectors {
		v := &vectors[i]
		if t.Run(v.ID, func(t *testing.T) { checkVector(t, v) }) {
			passed++
		}
	}
	t.Logf("vectors: %d passed, %d failed", passed, len(vectors)-passed)
	if len(vectors) != 3237 {
		t.Errorf("found %d vectors, want 3237", len(vectors))
	}
}

func checkVector(t *testing.T, v *vectortest.Vector) {
	image := v.Image(t)
	encoding, err := scan.ParseEncoding(v.Encoding)
	if err != nil {
		t.Fatal(err)
	}
	path := place(image, encoding)
	got := read(t, image, scan.Options{Encoding: encoding},
		scan.ModelOptions{Path: path, Root: "$ROOT", Digests: true})

	checkScan(t, got, v)
	checkResult(t, "load", got.Load.Refusal, got.Load.Events, got.Load.Digest, &v.Expect.Load.Result)
	var closers []string
	for _, c := range got.Closers {
		closers = append(closers, string(c))
	}
	var want []string
	for _, c := range v.Expect.Closers {
		want = append(want, string(c))
	}
	if diff := cmp.Diff(want, closers); diff != "" {
		t.Errorf("closers (-want +got):\n%s", diff)
	}
	checkViolation(t, got, v)
}

func checkScan(t *testing.T, got *scan.Reading, v *vectortest.Vector) {
	want := &v.Expect.Scan
	checkResult(t, "scan", got.Scan.Refusal, got.Scan.Events, got.Scan.Digest, &want.Result)
	if !want.OK || got.Scan.Refusal != nil {
		return
	}
	if got.Scan.Committed != int64(want.CommittedBytes) {
		t.Errorf("scan: committed %d bytes, want %d", got.Scan.Committed, want.CommittedBytes)
	}
	if torn := want.TornStart != nil; got.Scan.Torn != torn {
		t.Errorf("scan: torn = %v, want %v", got.Scan.Torn, torn)
	}
	if got.Scan.Recovered != int64(want.Recovered) {
		t.Errorf("scan: recovered %d events, want %d", got.Scan.Recovered, want.Recovered)
	}
}

func checkResult(t *testing.T, what string, refusal *session.Refusal, events int64, digest string, want *vectortest.Result) {
	t.Helper()
	switch {
	case want.OK && refusal != nil:
		t.Errorf("%s: refused with %s: %s, want success", what, refusal.Class, refusal.Text)
	case want.OK:
		if events != int64(want.EventCount) {
			t.Errorf("%s: %d events, want %d", what, events, want.EventCount)
		}
		if want.EventsSHAError == "" && digest != want.EventsSHA256 {
			t.Errorf("%s: digest %s, want %s", what, digest, want.EventsSHA256)
		}
	case refusal == nil:
		t.Errorf("%s: success, want %s: %s", what, want.ErrorClass, want.Error)
	case string(refusal.Class) != want.ErrorClass:
		t.Errorf("%s: class %s (%s), want %s (%s)", what, refusal.Class, refusal.Text, want.ErrorClass, want.Error)
	case !vectortest.EngineMessage(want.Error) && refusal.Text != want.Error:
		t.Errorf("%s: message\n%s, want\n%s", what, refusal.Text, want.Error)
	}
}

func checkViolation(t *testing.T, got *scan.Reading, v *vectortest.Vector) {
	switch {
	case got.Scan.Refusal != nil:
	case len(v.Expect.Invariants) == 0:
		if got.Violation != nil {
			t.Errorf("violation at %d: %s, want none", got.Violation.Index, got.Violation.Text)
		}
	case got.Violation == nil:
		t.Errorf("no violation, want %+v", v.Expect.Invariants[0])
	default:
		want := v.Expect.Invariants[0]
		if got.Violation.Index != int64(want.Index) {
			t.Errorf("violation at %d, want %d", got.Violation.Index, want.Index)
		}
		if want.Exception == "" && got.Violation.Text != want.Message {
			t.Errorf("violation %q, want %q", got.Violation.Text, want.Message)
		}
	}
}

package lifecycle_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/lifecycle"
	"github.com/turnlint/turnlint/session"
)

// check runs the rules over the rows of a raw log up to the first that a decoder
// would not accept.
func check(t *testing.T, target int, anyType bool, log []byte) *lifecycle.Violation {
	t.Helper()
	header, rows, _ := bytes.Cut(log, []byte("\n"))
	var doc jsjson.Doc
	if err := doc.Parse(bytes.Clone(header)); err != nil {
		t.Fatal(err)
	}
	c := lifecycle.New(target, lifecycle.Header{ID: doc.Get("id").Text(), Parent: doc.Get("parentSession").Exists()})
	c.AnyType = anyType
	var e session.Event
	seq := int64(0)
	for line := range bytes.Lines(rows) {
		line, ended := bytes.CutSuffix(bytes.Clone(line), []byte("\n"))
		if !ended || doc.Parse(line) != nil {
			break
		}
		e.Read(doc.Root)
		if n, ok := e.Seq.SafeInt(); !ok || n != seq || !e.ValidEnvelope() || !decodes(&e, target) {
			break
		}
		c.Event(&e)
		clear(line) // the checker must have kept copies
		seq++
	}
	return c.Finish()
}

// decodes reports whether the surface metadata are such that the row decoder of a
// generation lets them pass.
func decodes(e *session.Event, target int) bool {
	surface := session.AnyTypeOf(e.Type).Surface()
	if target == 3 && !surface && (e.Surface.Exists() || e.Sources.Exists()) {
		return false
	}
	seq, _ := e.Seq.SafeInt()
	last := int64(-1)
	for v := range e.Sources.Elements() {
		n, ok := v.SafeInt()
		if run := slices.Collect(v.Elements()); len(run) == 2 {
			first, _ := run[0].SafeInt()
			n, ok = run[1].SafeInt()
			ok = ok && last < first && first < n
		}
		if !ok || n >= seq {
			return false
		}
		last = n
	}
	return !e.Sources.Exists() || e.Sources.Kind == jsjson.Array
}

// compare checks a violation against the verdict of the reference.
func compare(t *testing.T, got *lifecycle.Violation, want *vectortest.Result) {
	t.Helper()
	switch {
	case want.OK && got != nil:
		t.Errorf("seq %d violates %q, want no violation", got.Seq, got.Text)
	case want.OK:
	case got == nil:
		t.Errorf("no violation, want %q", want.Error)
	case string(got.Class) != want.ErrorClass:
		t.Errorf("class %s, want %s", got.Class, want.ErrorClass)
	case got.Text != want.Error && !vectortest.EngineMessage(want.Error):
		t.Errorf("seq %d violates\n%q, want\n%q", got.Seq, got.Text, want.Error)
	}
}

// ofDecoder reports whether a failure is that of the decoder, which runs before
// the relations are looked at.
func ofDecoder(want *vectortest.Result) bool {
	return strings.HasPrefix(want.Error, "session/end-seed ")
}

func TestRelationsAgreeWithTheLifecycleColumn(t *testing.T) {
	checked := 0
	for _, n := range vectortest.LoadNative(t) {
		want, stated := vectortest.Column[vectortest.Result](t, n.Expect, "lifecycle")
		if !stated || n.Encoding != "raw" || ofDecoder(&want) || n.Kind == "header" {
			continue
		}
		checked++
		t.Run(n.ID, func(t *testing.T) { compare(t, check(t, n.Version, false, n.Image(t)), &want) })
	}
	t.Logf("%d logs checked", checked)
	if checked < 600 {
		t.Errorf("only %d logs checked", checked)
	}
}

// ofAdmission reports whether a failure is one of a single row of v4, which is
// refused before the relations are looked at.
func ofAdmission(want *vectortest.Result) bool {
	for _, start := range []string{
		"format v4 ", "released v2 ", "corrupt ", "session/end-seed ", "invalid V4 ", "empty ",
		"system/message turn must be",
	} {
		if strings.HasPrefix(want.Error, start) {
			return true
		}
	}
	return false
}

func TestRelationsAgreeWithTheNativeReaderOfV4(t *testing.T) {
	kinds := []string{"balance", "replace", "message", "tool-result", "developer", "system", "tail", "seeded", "identity"}
	checked := 0
	for _, n := range vectortest.LoadNative(t) {
		if n.Version != 4 || n.Encoding != "raw" || !slices.Contains(kinds, n.Kind) {
			continue
		}
		restore, _ := vectortest.Column[map[string]json.RawMessage](t, n.Expect, "restore")
		var want vectortest.Result
		if err := json.Unmarshal(restore["recoverable"], &want); err != nil {
			t.Fatal(err)
		}
		if ofAdmission(&want) {
			continue
		}
		checked++
		t.Run(n.ID, func(t *testing.T) { compare(t, check(t, 4, true, n.Image(t)), &want) })
	}
	t.Logf("%d logs checked", checked)
	if checked < 150 {
		t.Errorf("only %d logs checked", checked)
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// TestInspectJSONAgreesWithTheVectors compares members by their names and texts,
// as a script that knows the vectors would.
func TestInspectJSONAgreesWithTheVectors(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	passed, skipped := 0, 0
	vectors := vectortest.Load(t)
	for i := range vectors {
		v := &vectors[i]
		switch {
		case needsPath(v):
			skipped++
		case t.Run(v.ID, func(t *testing.T) { compareInspection(t, v) }):
			passed++
		}
	}
	t.Logf("vectors: %d passed, %d failed, %d need a sessions tree", passed, len(vectors)-passed-skipped, skipped)
}

// needsPath reports whether dsh's answer depends on where the log lies.
func needsPath(v *vectortest.Vector) bool {
	return strings.Contains(v.Expect.Scan.Error+v.Expect.Load.Error, "$ROOT")
}

func compareInspection(t *testing.T, v *vectortest.Vector) {
	image := v.Image(t)
	encoding, err := scan.ParseEncoding(v.Encoding)
	if err != nil {
		t.Fatal(err)
	}
	result, err := rules.Check(bytes.NewReader(image), int64(len(image)), rules.Options{Encoding: encoding, Digests: true})
	if err != nil {
		t.Fatal(err)
	}
	var line bytes.Buffer
	if err := encode(&line, newInspectionJSON(&inspection{sha256: v.InputSHA256, result: result})); err != nil {
		t.Fatal(err)
	}
	var got map[string]json.RawMessage
	if err := json.Unmarshal(line.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	compareText(t, "encoding", got["encoding"], `"`+v.Encoding+`"`)
	compareOutcome(t, "scan", got["scan"], &v.Expect.Scan.Result, v.Expect.Raw)
	compareOutcome(t, "load", got["load"], &v.Expect.Load.Result, v.Expect.Raw)
	compareClosers(t, got["closers"], v.Expect.Closers)
	if v.Expect.Scan.OK && !slices.ContainsFunc(v.Expect.Invariants, isException) {
		compareMembers(t, "invariants", got["invariants"], member(t, v.Expect.Raw, "invariants"))
	}
}

func isException(v vectortest.Violation) bool { return v.Exception != "" }

// compareOutcome compares the members of scan or load that the report has.
func compareOutcome(t *testing.T, name string, got json.RawMessage, want *vectortest.Result, expect json.RawMessage) {
	t.Helper()
	have, members := object(t, got), object(t, member(t, expect, name))
	for _, notReported := range []string{"meta", "cause", "commit", "mutated", "eventsShaError"} {
		delete(members, notReported)
	}
	if _, stated := members["recovered"]; name == "scan" && want.OK && !stated {
		members["recovered"] = 0.0 // the vectors leave it out for plain logs
	}
	if vectortest.EngineMessage(want.Error) {
		members["error"], have["error"] = nil, nil
	}
	if want.EventsSHAError != "" {
		members["eventsSha256"], have["eventsSha256"] = nil, nil
	}
	if diff := cmp.Diff(members, have); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func object(t *testing.T, text json.RawMessage) (members map[string]any) {
	t.Helper()
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatal(err)
	}
	return members
}

// compareClosers compares texts, because the order of keys counts.
func compareClosers(t *testing.T, got json.RawMessage, want []vectortest.Text) {
	t.Helper()
	var texts []string
	for _, w := range want {
		texts = append(texts, string(w))
	}
	compareText(t, "closers", got, "["+strings.Join(texts, ",")+"]")
}

func compareText(t *testing.T, name string, got json.RawMessage, want string) {
	t.Helper()
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func compareMembers(t *testing.T, name string, got, want json.RawMessage) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(want, &w); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(w, g); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// member returns a member of an object as it stands.
func member(t *testing.T, object json.RawMessage, name string) json.RawMessage {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(object, &members); err != nil {
		t.Fatal(err)
	}
	return members[name]
}

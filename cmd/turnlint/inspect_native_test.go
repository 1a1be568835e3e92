package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// TestInspectJSONAgreesWithTheNativeVectors compares what the own generation of a
// log makes of it. The name of the log states the generation.
func TestInspectJSONAgreesWithTheNativeVectors(t *testing.T) {
	if testing.Short() {
		t.Skip("short run")
	}
	checked := 0
	for _, v := range vectortest.LoadNative(t) {
		if _, stated := v.Expect["restore"]; !stated || strings.HasSuffix(v.ID, "/header/id-empty") {
			continue // no dsh finds a session without an id
		}
		checked++
		t.Run(v.ID, func(t *testing.T) { compareNative(t, &v) })
	}
	if checked < 2000 {
		t.Errorf("only %d vectors checked", checked)
	}
}

func compareNative(t *testing.T, v *vectortest.Native) {
	image := v.Image(t)
	encoding, err := scan.ParseEncoding(v.Encoding)
	if err != nil {
		t.Fatal(err)
	}
	name := session.LogName{Generation: int64(v.Version), Zstd: encoding == scan.Zstd}.String()
	result, err := rules.Check(bytes.NewReader(image), int64(len(image)), rules.Options{Path: name, Encoding: encoding, Digests: true})
	if err != nil {
		t.Fatal(err)
	}
	var line bytes.Buffer
	if err := encode(&line, newInspectionJSON(&inspection{sha256: v.InputSHA256, result: result})); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(line.String(), " (raw log: "+name+")", "")
	var got map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	restore := member(t, v.Expect["restore"], "recoverable")
	opens := object(t, restore)["ok"] == true
	compareRestore(t, got["scan"], restore)
	if result.Reading.Verdict > scan.Recovers && !slices.ContainsFunc(result.Findings, isError) {
		t.Errorf("verdict %s, but no error is found", result.Reading.Verdict)
	}
	if !opens {
		return
	}
	want := object(t, v.Expect["stored"])
	load := object(t, got["load"])
	if load["ok"] != want["ok"] || load["error"] != want["error"] || load["errorClass"] != want["errorClass"] {
		t.Errorf("load %v, want %v", load, want)
	}
	if want["ok"] == true {
		compareMembers(t, "closers", got["closers"], v.Expect["closers"])
	}
}

func isError(f rules.Finding) bool { return f.Severity == rules.Error }

// compareRestore compares the members that a restore has in both.
func compareRestore(t *testing.T, got, restore json.RawMessage) {
	t.Helper()
	have, want := object(t, got), object(t, restore)
	delete(have, "frames")              // the vectors do not count them
	delete(want, "inheritedEventCount") // not shown
	if _, stated := want["recovered"]; want["ok"] == true && !stated {
		want["recovered"] = 0.0 // the vectors leave it out where nothing is torn
	}
	h, _ := json.Marshal(have)
	w, _ := json.Marshal(want)
	compareText(t, "scan", h, string(w))
}

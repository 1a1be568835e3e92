package scan_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnlint/turnlint/internal/vectortest"
	"github.com/turnlint/turnlint/scan"
	"github.com/turnlint/turnlint/session"
)

// restoreColumn is what the vectors say of one way to restore a log.
type restoreColumn struct {
	vectortest.Result
	Same                bool   `json:"same"` // as the ordinary open
	CommittedBytes      int64  `json:"committedBytes"`
	TornStart           *int64 `json:"tornStart"`
	Recovered           int64  `json:"recovered"`
	InheritedEventCount *int64 `json:"inheritedEventCount"`
}

type restoreColumns struct {
	Recoverable restoreColumn `json:"recoverable"`
	Strict      restoreColumn `json:"strict"`
	Codec       struct {
		Recoverable restoreColumn `json:"recoverable"`
		Strict      restoreColumn `json:"strict"`
	} `json:"codec"`
}

// restore returns the reader after the whole log, and what it makes of it.
func restore(t *testing.T, image []byte, encoding scan.Encoding, generation int64, how scan.Restore) (*scan.Native, *scan.Reading) {
	t.Helper()
	r, err := scan.NewReader(bytes.NewReader(image), int64(len(image)), scan.Options{Encoding: encoding})
	if err != nil {
		t.Fatal(err)
	}
	n := scan.NewNative(generation, how, scan.ModelOptions{Digests: true})
	for record := range r.Records() {
		n.Add(record)
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return n, n.Reading(r.Container())
}

func TestNativeReadersAgreeWithTheReferenceOnEveryVector(t *testing.T) {
	vectors := vectortest.LoadNative(t)
	passed, only := 0, 0
	for i := range vectors {
		v := &vectors[i]
		switch {
		case v.Expect["restore"] == nil:
			only++ // says something of migrations only
		case t.Run(v.ID, func(t *testing.T) { checkNative(t, v) }):
			passed++
		}
	}
	t.Logf("native vectors: %d passed, %d failed, %d about migrations only", passed, len(vectors)-passed-only, only)
	if len(vectors) != 2187 || only != 21 {
		t.Errorf("found %d vectors, %d of them about migrations only, want 2187 and 21", len(vectors), only)
	}
}

func checkNative(t *testing.T, v *vectortest.Native) {
	image := v.Image(t)
	encoding, err := scan.ParseEncoding(v.Encoding)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := vectortest.Column[restoreColumns](t, v.Expect, "restore")
	restored := func(how scan.Restore) (*scan.Native, *scan.Reading) {
		return restore(t, image, encoding, int64(v.Version), how)
	}
	n, got := restored(scan.Restore{})
	checkRestore(t, "restore.recoverable", n, got, &want.Recoverable, &want.Recoverable)
	if want.Recoverable.OK && got.Scan.Refusal == nil {
		checkPlace(t, n, got, &want.Recoverable)
		checkOpened(t, v, n)
	}
	n, got = restored(scan.Restore{Strict: true})
	checkRestore(t, "restore.strict", n, got, &want.Strict, &want.Recoverable)
	n, got = restored(scan.Restore{Migrates: true})
	checkRestore(t, "restore.codec.recoverable", n, got, &want.Codec.Recoverable, &want.Recoverable)
	checkLifecycle(t, v, n, got.Scan.Refusal)
	n, got = restored(scan.Restore{Migrates: true, Strict: true})
	checkRestore(t, "restore.codec.strict", n, got, &want.Codec.Strict, &want.Recoverable)
	checkListing(t, v, image, encoding)
}

func checkRestore(t *testing.T, column string, n *scan.Native, got *scan.Reading, want, open *restoreColumn) {
	t.Helper()
	result := want.Result
	if want.Same {
		result = open.Result
	}
	checkResult(t, column, got.Scan.Refusal, got.Scan.Events, got.Scan.Digest, &result)
	if want.InheritedEventCount != nil && n.Inherited() != *want.InheritedEventCount {
		t.Errorf("%s: %d inherited events, want %d", column, n.Inherited(), *want.InheritedEventCount)
	}
}

func checkPlace(t *testing.T, n *scan.Native, got *scan.Reading, want *restoreColumn) {
	t.Helper()
	if got.Scan.Committed != want.CommittedBytes {
		t.Errorf("committed %d bytes, want %d", got.Scan.Committed, want.CommittedBytes)
	}
	if torn := want.TornStart != nil; got.Scan.Torn != torn || torn && got.Scan.Committed != *want.TornStart {
		t.Errorf("torn = %v at %d, want %v", got.Scan.Torn, got.Scan.Committed, torn)
	}
	if got.Scan.Recovered != want.Recovered {
		t.Errorf("recovered %d events, want %d", got.Scan.Recovered, want.Recovered)
	}
	if want.InheritedEventCount == nil && n.Inherited() >= 0 {
		t.Errorf("%d inherited events, want none", n.Inherited())
	}
}

// checkOpened compares what follows a restore.
func checkOpened(t *testing.T, v *vectortest.Native, n *scan.Native) {
	t.Helper()
	stored, _ := vectortest.Column[vectortest.Result](t, v.Expect, "stored")
	checkRefusal(t, "stored", n.StoredRefusal(), &stored)
	texts, crash := n.Closers()
	if crash != "" {
		compareText(t, "closers", fmt.Sprintf(`{"error":%q,"errorClass":"TypeError"}`, crash), string(v.Expect["closers"]))
		return
	}
	closers, _ := vectortest.Column[[]vectortest.Text](t, v.Expect, "closers")
	compareText(t, "closers", string(bytes.Join(texts, []byte("\n"))), joined(closers))
	turn, step := n.Turn()
	open := "null"
	if turn.Exists() {
		open = fmt.Sprintf(`{"turn":%s,"step":%s}`, turn.JSString(), step.JSString())
	}
	compareText(t, "open_turn", open, string(v.Expect["open_turn"]))
}

func joined(texts []vectortest.Text) string {
	lines := make([]string, len(texts))
	for i, text := range texts {
		lines[i] = string(text)
	}
	return strings.Join(lines, "\n")
}

func compareText(t *testing.T, column, got, want string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", column, diff)
	}
}

// checkLifecycle compares the relations between the events that a migration reads.
func checkLifecycle(t *testing.T, v *vectortest.Native, n *scan.Native, refusal *session.Refusal) {
	t.Helper()
	want, stated := vectortest.Column[vectortest.Result](t, v.Expect, "lifecycle")
	if !stated {
		return
	}
	if broken := n.Broken(); refusal == nil && broken != nil {
		refusal = &broken.Refusal
	}
	checkRefusal(t, "lifecycle", refusal, &want)
}

func checkRefusal(t *testing.T, column string, refusal *session.Refusal, want *vectortest.Result) {
	t.Helper()
	result := *want
	result.EventsSHAError = "there is no digest" // to compare
	checkResult(t, column, refusal, int64(want.EventCount), "", &result)
}

// headerColumn is what a listing sees.
type headerColumn struct {
	vectortest.Result
	Status        string `json:"status"`
	StoredVersion *int64 `json:"storedVersion"`
	Reason        string `json:"reason"`
	ListError     string `json:"listError"`
}

func checkListing(t *testing.T, v *vectortest.Native, image []byte, encoding scan.Encoding) {
	t.Helper()
	want, _ := vectortest.Column[headerColumn](t, v.Expect, "header")
	line, refusal, err := scan.HeaderLine(bytes.NewReader(image), int64(len(image)), encoding)
	if err != nil {
		t.Fatal(err)
	}
	got := headerColumn{Status: "absent"}
	if line != nil {
		l := session.ListGeneration(line, int64(v.Version), int64(v.Version))
		got.Status, got.Reason = string(l.Status), l.Reason
		if l.Version >= 0 {
			got.StoredVersion = &l.Version
		}
		refusal = l.Refusal
		if refusal != nil && strings.HasPrefix(refusal.Text, "session generation filename") {
			got.ListError, refusal = refusal.Text, nil
		}
	}
	if strings.HasSuffix(v.ID, "/zshape/one-frame") || strings.HasSuffix(v.ID, "/zshape/header-no-newline") {
		return // the column is about the line alone, not the frame around it
	}
	if refusal != nil {
		got = headerColumn{Status: "throws"}
		got.Error, got.ErrorClass = refusal.Text, string(refusal.Class)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
}

func TestEveryColumnOfTheNativeVectorsIsRead(t *testing.T) {
	for _, v := range vectortest.LoadNative(t) {
		for column := range v.Expect {
			switch column {
			case "header", "restore", "stored", "lifecycle", "open_turn", "closers", "to_v3", "to_v4":
			default:
				t.Errorf("%s: nobody reads the column %q", v.ID, column)
			}
		}
	}
}

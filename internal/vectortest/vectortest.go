// Package vectortest reads the conformance vectors and the damage cases for the
// tests of the other packages. The data lie in the folder that the environment
// variable TURNLINT_SHARED names; a test that needs them is skipped when it is unset.
package vectortest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Dir returns the folder with the shared test data. It skips the test when
// TURNLINT_SHARED is unset or empty and fails it when the value is not a folder.
func Dir(tb testing.TB) string {
	tb.Helper()
	dir := os.Getenv("TURNLINT_SHARED")
	if dir == "" {
		tb.Skip("TURNLINT_SHARED is not set: it names the folder with the conformance vectors and the damage cases")
	}
	info, err := os.Stat(dir)
	if err != nil {
		tb.Fatalf("TURNLINT_SHARED: %v", err)
	}
	if !info.IsDir() {
		tb.Fatalf("TURNLINT_SHARED: %q is not a folder", dir)
	}
	return dir
}

// Load returns all conformance vectors in the order of their file.
func Load(tb testing.TB) []Vector {
	tb.Helper()
	return readLines[Vector](tb, filepath.Join(Dir(tb), "vectors", "vectors.ndjson"))
}

// History is what an earlier scanner made of a raw vector (docs/format.md §3.8).
type History struct {
	ID    string     `json:"id"` // of the vector
	Group string     `json:"group"`
	Scan  ScanExpect `json:"scan"`
	// Closers is an array of events, or a [Failure] object when making them threw.
	// It is empty where the scan failed, and for scan_df4b.
	Closers       Text `json:"closers"`
	SameAsCurrent bool `json:"sameAsCurrent"` // as dsh 0.1.1-rc.2
}

// LoadHistory returns the records of one earlier scanner: "scan_df4b" dropped
// everything after the last turn/end, "scan_efee" kept the contiguous prefix.
func LoadHistory(tb testing.TB, name string) []History {
	tb.Helper()
	return readLines[History](tb, filepath.Join(Dir(tb), "vectors", "history", name+".ndjson"))
}

// EngineMessage reports whether the text is worded by V8 and not by dsh, alone or
// wrapped. Of such a failure only the verdict and the class are to be compared.
func EngineMessage(text string) bool {
	for _, own := range []string{
		"Cannot read properties of ",
		"Maximum call stack size exceeded",
		"charCodeAt is not a function",
	} {
		if strings.Contains(text, own) {
			return true
		}
	}
	return false
}

// EventsSHA256 returns the digest that the vectors state as eventsSha256, in lower
// case hex: of the canonical texts of the expanded events, joined with a line feed.
func EventsSHA256(events [][]byte) string {
	return hexSHA256(bytes.Join(events, []byte("\n")))
}

// CaseEventsSHA256 returns the digest that the damage cases state as events_sha256.
// It differs from [EventsSHA256] in that a line feed follows the last event too.
func CaseEventsSHA256(events [][]byte) string {
	sum := sha256.New()
	for _, event := range events {
		sum.Write(event)
		sum.Write([]byte("\n"))
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func hexSHA256(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// readLines decodes each line of a file of newline-delimited JSON.
func readLines[T any](tb testing.TB, path string) []T {
	tb.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	var records []T
	for line := range bytes.Lines(text) {
		var record T
		if err := decode(line, &record); err != nil {
			tb.Fatalf("%s: line %d: %v", path, len(records)+1, err)
		}
		records = append(records, record)
	}
	return records
}

// decode refuses unknown members: an expectation that nobody reads is one that
// nobody checks.
func decode(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

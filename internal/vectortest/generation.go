package vectortest

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// Native is a log stored as v2, v3 or v4 with what its own generation and newer
// ones make of it. The members of Expect are decoded by those who check them.
type Native struct {
	ID          string                     `json:"id"`
	Version     int                        `json:"version"` // in the file name
	Kind        string                     `json:"kind"`
	Base        string                     `json:"base"` // path below the folder of the generations; "" is empty input
	Recipe      []Op                       `json:"recipe"`
	Encoding    string                     `json:"encoding"` // raw or zstd
	Note        string                     `json:"note"`
	InputSHA256 string                     `json:"inputSha256"`
	InputBytes  int                        `json:"inputBytes"`
	Children    json.RawMessage            `json:"children"` // evidence of sub-agents; nil where none is given
	Expect      map[string]json.RawMessage `json:"expect"`   // by column
}

// Upgrade is a log stored as v0 or v1 with what newer harnesses make of it.
type Upgrade struct {
	ID            string                     `json:"id"`
	Group         string                     `json:"group"`
	Base          string                     `json:"base"` // as in [Native]; after "v0:" below the vectors' folder
	Recipe        []Op                       `json:"recipe"`
	Encoding      string                     `json:"encoding"`
	InputSHA256   string                     `json:"inputSha256"`
	InputBytes    int                        `json:"inputBytes"`
	SourceVersion int                        `json:"sourceVersion"` // in the file name
	V0ID          string                     `json:"v0id"`          // of the same image among the v0 vectors
	Note          string                     `json:"note"`
	Expect        map[string]json.RawMessage `json:"expect"` // by column
}

// Migration is what a newer harness makes of a log.
type Migration struct {
	Result
	Same                bool `json:"same"`                // count and digest are those of the ordinary migration
	InheritedEventCount *int `json:"inheritedEventCount"` // of a seeded log
	// StoredCheck is the failure of the check of the migrated events that follows,
	// nil where it passes.
	StoredCheck *Result `json:"storedCheck"`
}

// LoadNative returns the vectors of logs of v2, v3 and v4.
func LoadNative(tb testing.TB) []Native {
	tb.Helper()
	return readLines[Native](tb, filepath.Join(generations(tb), "native.ndjson"))
}

// LoadUpgrade returns the vectors of logs of v0 and v1.
func LoadUpgrade(tb testing.TB) []Upgrade {
	tb.Helper()
	return readLines[Upgrade](tb, filepath.Join(generations(tb), "upgrade.ndjson"))
}

func generations(tb testing.TB) string { return filepath.Join(Dir(tb), "vectors", "generations") }

// Image builds the vector's bytes as [Vector.Image] does.
func (n *Native) Image(tb testing.TB) []byte {
	tb.Helper()
	return generationImage(tb, n.ID, n.Base, n.Recipe, n.InputSHA256, n.InputBytes)
}

// Image builds the vector's bytes as [Vector.Image] does.
func (u *Upgrade) Image(tb testing.TB) []byte {
	tb.Helper()
	return generationImage(tb, u.ID, u.Base, u.Recipe, u.InputSHA256, u.InputBytes)
}

func generationImage(tb testing.TB, id, base string, recipe []Op, sum string, size int) []byte {
	tb.Helper()
	if v0, ok := strings.CutPrefix(base, "v0:"); ok {
		base = v0
	} else if base != "" {
		base = filepath.Join("generations", base)
	}
	v := Vector{ID: id, Base: base, Recipe: recipe, InputSHA256: sum, InputBytes: size}
	return v.Image(tb)
}

// Column decodes a column of the expectations into a value; it reports false
// where the vector does not have it.
func Column[T any](tb testing.TB, columns map[string]json.RawMessage, name string) (T, bool) {
	tb.Helper()
	var value T
	raw, found := columns[name]
	if !found || string(raw) == "null" {
		return value, false
	}
	if err := decode(raw, &value); err != nil {
		tb.Fatalf("column %s: %v", name, err)
	}
	return value, true
}

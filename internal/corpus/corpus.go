// Package corpus reads the logs of testdata/corpus together with what is
// expected of each.
package corpus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Log is one log of the corpus.
type Log struct {
	Path   string // below the corpus, with slashes, such as "torn/cut-inside-an-escape.jsonl"
	Data   []byte
	Expect Expect
}

// Expect is the sidecar of a log: what a tool has to say about it. Members that
// have no value are absent.
type Expect struct {
	Description string `json:"description"`
	Verdict     string `json:"verdict"`
	// ReaderMessage is the text of the error with which dsh refuses the log.
	ReaderMessage string `json:"readerMessage,omitempty"`
	Events        int64  `json:"events"`              // that dsh accepts, without closers
	Recovered     int64  `json:"recovered,omitempty"` // of them, those in a torn zstd frame
	Closers       int    `json:"closers"`             // that dsh would append
	// Repair is what dsh's own crash repair does: none, closes, trims, trims and
	// closes, or refused.
	Repair   string    `json:"repair"`
	Findings []Finding `json:"findings"`
}

// Finding is an expected finding, in the order in which the linter reports them.
type Finding struct {
	Rule string `json:"rule"`
	Name string `json:"name"`
	Line int    `json:"line,omitempty"` // from 1; absent for a finding about the file
	Seq  *int64 `json:"seq,omitempty"`
}

// sidecarSuffix takes the place of .jsonl or .jsonl.zstd in the name of a log.
const sidecarSuffix = ".expect.json"

// Sidecar returns the path of the sidecar of the log at path.
func Sidecar(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(path, ".zstd"), ".jsonl") + sidecarSuffix
}

// Load returns every log below dir with its sidecar, in the order of their
// paths. A file without a sidecar is an error, and so is a sidecar of no log.
func Load(dir string) ([]Log, error) {
	var logs []Log
	sidecars := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case strings.HasSuffix(path, sidecarSuffix):
			sidecars++
			return nil
		}
		log, err := load(dir, path)
		logs = append(logs, log)
		return err
	})
	if err == nil && sidecars != len(logs) {
		err = fmt.Errorf("%q has %d logs and %d sidecars", dir, len(logs), sidecars)
	}
	return logs, err
}

func load(dir, path string) (log Log, err error) {
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		return log, err
	}
	log.Path = filepath.ToSlash(rel)
	if log.Data, err = os.ReadFile(path); err != nil {
		return log, err
	}
	log.Expect, err = ReadSidecar(Sidecar(path))
	return log, err
}

// ReadSidecar reads one sidecar. It refuses unknown members: an expectation that
// nobody reads is one that nobody checks.
func ReadSidecar(path string) (Expect, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Expect{}, err
	}
	var e Expect
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&e); err != nil {
		return Expect{}, fmt.Errorf("%q: %w", path, err)
	}
	return e, nil
}

// WriteSidecar replaces the sidecar at path.
func WriteSidecar(path string, e Expect) error {
	if e.Findings == nil {
		e.Findings = []Finding{}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(e); err != nil {
		return err
	}
	return os.WriteFile(path, text.Bytes(), 0o644)
}

package vectortest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"testing"
)

// Vector is one image of a session log with what dsh 0.1.1-rc.2 makes of it.
type Vector struct {
	ID          string `json:"id"`
	Group       string `json:"group"` // upstream, hydrated, bases, truncated or mutated
	Kind        string `json:"kind"`
	Base        string `json:"base"` // path below the vectors' folder; "" is empty input
	Recipe      []Op   `json:"recipe"`
	Encoding    string `json:"encoding"` // raw or zstd: the backend that gets the image, whatever its bytes are
	Note        string `json:"note"`
	InputSHA256 string `json:"inputSha256"` // of the image
	InputBytes  int    `json:"inputBytes"`  // of the image
	Expect      Expect `json:"expect"`
}

// Expect holds the results of the reference reader. A pointer is nil and a slice
// empty where the vector does not state the member.
type Expect struct {
	Scan    ScanExpect `json:"scan"`
	Load    LoadExpect `json:"load"`
	Closers []Text     `json:"closers"`
	// Invariants is the first violation over the scanned events, InvariantsLoaded
	// that over the loaded ones: at most one each.
	Invariants          []Violation `json:"invariants"`
	InvariantsLoaded    []Violation `json:"invariantsLoaded"`
	Repaired            *Repaired   `json:"repaired"`
	RepairedSHA256      string      `json:"repairedSha256"`      // Repaired.SHA256
	RepairedPlainSHA256 string      `json:"repairedPlainSha256"` // Repaired.PlainSHA256
	After               *After      `json:"after"`
	ReadFrom            *Result     `json:"readFrom"` // readFrom(id, 0): neither validated nor closed
	List                *List       `json:"list"`
	// Raw is the member as it stands in the file, in ASCII: it has every character
	// outside U+0020 to U+007E escaped.
	Raw json.RawMessage `json:"-"`
}

// UnmarshalJSON decodes the members and keeps their text in Raw.
func (e *Expect) UnmarshalJSON(text []byte) error {
	type members Expect
	if err := decode(text, (*members)(e)); err != nil {
		return err
	}
	e.Raw = bytes.Clone(text)
	return nil
}

// Text is a JSON value as JSON.stringify writes it: only control characters and lone
// surrogates are escaped with their code (docs/format.md §3.6).
type Text string

// UnmarshalJSON takes back the escapes that the vectors have beyond those.
func (t *Text) UnmarshalJSON(text []byte) error {
	*t = Text(escapes.ReplaceAllFunc(text, unescape))
	return nil
}

// escapes matches a surrogate pair as one escape. It matches the short escapes too,
// so that the u after an escaped backslash begins none.
var escapes = regexp.MustCompile(`\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\u[0-9a-f]{4}|\\.`)

func unescape(escape []byte) []byte {
	var char string
	if err := json.Unmarshal(slices.Concat([]byte{'"'}, escape, []byte{'"'}), &char); err != nil {
		return escape
	}
	short := escape[1] != 'u'
	lone := char == "\uFFFD" && string(escape) != `\ufffd`
	if short || lone || char < " " {
		return escape
	}
	return []byte(char)
}

// Failure is what the reference throws. All members are empty on success.
type Failure struct {
	Error      string `json:"error"` // with $ROOT for the storage root
	ErrorClass string `json:"errorClass"`
	Cause      string `json:"cause"`
}

// Events tells which events a reader returned.
type Events struct {
	EventCount   int    `json:"eventCount"`   // packed rows expanded
	EventsSHA256 string `json:"eventsSha256"` // see [EventsSHA256]; "" when EventsSHAError is set
	// EventsSHAError is V8's message when the events nest too deeply for it to
	// serialise: there is no digest to compare.
	EventsSHAError string `json:"eventsShaError"`
}

// Result is the outcome of a reader: events when OK, else a failure.
type Result struct {
	OK bool `json:"ok"`
	Events
	Failure
}

// ScanExpect is the outcome of the physical scan (docs/format.md §3).
type ScanExpect struct {
	Result
	Meta Text `json:"meta"` // the header
	// CommittedBytes is the offset that a repair keeps: in the plain text for raw,
	// in the file for zstd.
	CommittedBytes int64  `json:"committedBytes"`
	TornStart      *int64 `json:"tornStart"` // CommittedBytes where a repair must truncate
	Recovered      int    `json:"recovered"` // events out of the torn frame, counted in EventCount too
	Frames         int    `json:"frames"`    // complete ones; 0 for raw
}

// LoadExpect is the outcome of inspect(): the events normalised and closed
// (docs/format.md §4).
type LoadExpect struct {
	Result
	Commit  *Result `json:"commit"`  // outcome of load() where it differs
	Mutated bool    `json:"mutated"` // the failed load() left [Expect.After] on disk
}

// Violation is a breach of the development invariants (docs/format.md §6).
type Violation struct {
	Index     int    `json:"index"` // of the event, from 0
	Seq       int64  `json:"seq"`
	Message   string `json:"message"`
	Exception string `json:"exception"` // class, when the validator itself threw
}

// Repaired is the file after dsh loaded it. EventCount and EventsSHA256 are those
// of a fresh scan, hence not normalised.
type Repaired struct {
	Events
	Changed        bool   `json:"changed"`
	KeptBytes      int64  `json:"keptBytes"` // prefix of the file that stays as it was
	AppendedLines  int    `json:"appendedLines"`
	AppendedSHA256 string `json:"appendedSha256"` // of the plain text; "" when nothing is appended
	SHA256         string `json:"sha256"`         // raw: of the file
	Bytes          int64  `json:"bytes"`          // raw: of the file
	PlainSHA256    string `json:"plainSha256"`    // zstd: of the decoded text
	PlainBytes     int64  `json:"plainBytes"`     // zstd: of the decoded text
	Frames         int    `json:"frames"`         // zstd
}

// After is the file that a failed load() leaves behind.
type After struct {
	Bytes       int64  `json:"bytes"`
	SHA256      string `json:"sha256"`      // raw
	PlainSHA256 string `json:"plainSha256"` // zstd
}

// List is the outcome of list() over a root that holds only this log.
type List struct {
	OK     bool `json:"ok"`
	Listed int  `json:"listed"`
	Failure
}

// Image builds the vector's bytes and checks them against InputSHA256 and
// InputBytes. The caller owns the result. Safe for concurrent use.
func (v *Vector) Image(tb testing.TB) []byte {
	tb.Helper()
	var base []byte
	if v.Base != "" {
		base = readBase(tb, filepath.Join(Dir(tb), "vectors", v.Base))
	}
	image, err := v.build(base)
	if err != nil {
		tb.Fatalf("vector %s: %v", v.ID, err)
	}
	return image
}

// build leaves base alone and returns memory that nothing else refers to.
func (v *Vector) build(base []byte) ([]byte, error) {
	image := base
	for i := range v.Recipe {
		var err error
		if image, err = v.Recipe[i].apply(image); err != nil {
			return nil, fmt.Errorf("op %d: %w", i, err)
		}
	}
	if len(image) != v.InputBytes {
		return nil, fmt.Errorf("image has %d bytes, want %d", len(image), v.InputBytes)
	}
	if got := hexSHA256(image); got != v.InputSHA256 {
		return nil, fmt.Errorf("image has the SHA-256 %s, want %s", got, v.InputSHA256)
	}
	return slices.Clone(image), nil
}

// bases maps the path of a base to its bytes, which nobody may change: 3,168
// vectors share 348 bases.
var bases sync.Map

func readBase(tb testing.TB, path string) []byte {
	tb.Helper()
	if base, ok := bases.Load(path); ok {
		return base.([]byte)
	}
	base, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	bases.Store(path, base)
	return base
}

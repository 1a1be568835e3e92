package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"

	"github.com/turnlint/turnlint/internal/escape"
	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/rules"
	"github.com/turnlint/turnlint/scan"
)

// schemaVersion is the version of the JSON reports. It grows when a member
// changes its meaning or goes away, not when one is added.
const schemaVersion = 1

// finding is a finding in the JSON formats. Offsets are in bytes.
type finding struct {
	Kind        string          `json:"kind"`
	Rule        string          `json:"rule"`
	Name        string          `json:"name"`
	Class       rules.Class     `json:"class"`
	Severity    string          `json:"severity"`
	Path        string          `json:"path"`
	Line        int             `json:"line,omitempty"`
	Seq         *int64          `json:"seq,omitempty"`
	Turn        *int64          `json:"turn,omitempty"`
	Dialect     string          `json:"dialect,omitempty"`
	Frame       int             `json:"frame,omitempty"`
	PlainOffset *int64          `json:"plainOffset,omitempty"`
	FileOffset  *int64          `json:"fileOffset,omitempty"`
	Length      *int64          `json:"length,omitempty"`
	Authority   rules.Authority `json:"authority"`
	Reader      rules.Reaction  `json:"reader"`
	Fix         rules.Fix       `json:"fix"`
	Message     string          `json:"message"`
	Known       bool            `json:"known,omitempty"` // by the baseline
}

// summary is a file that was read, in the JSON formats.
type summary struct {
	Kind          string          `json:"kind"`
	Path          string          `json:"path"`
	Encoding      string          `json:"encoding"`
	Format        *float64        `json:"format,omitempty"`
	Dialect       string          `json:"dialect,omitempty"`
	Projection    bool            `json:"projection,omitempty"`
	Bytes         int64           `json:"bytes"`
	Events        int64           `json:"events"`
	Turns         int64           `json:"turns"`
	Verdict       scan.Verdict    `json:"verdict"`
	ReaderMessage json.RawMessage `json:"readerMessage,omitempty"`
	Errors        int             `json:"errors"`
	Warnings      int             `json:"warnings"`
	Notes         int             `json:"notes"`
	Regraded      int             `json:"regraded,omitempty"`
	Hidden        int             `json:"hidden,omitempty"`
	Known         int             `json:"known,omitempty"`
	Excluded      string          `json:"excluded,omitempty"` // why
	Readers       []reading       `json:"readers,omitempty"`
}

// reading is what one of several readers makes of a file, in the JSON formats.
type reading struct {
	Version       string          `json:"version"`
	Verdict       scan.Verdict    `json:"verdict"`
	ReaderMessage json.RawMessage `json:"readerMessage,omitempty"`
}

// unread is an input that could not be read, in the JSON formats.
type unread struct {
	Kind    string       `json:"kind"`
	Path    string       `json:"path"`
	Verdict scan.Verdict `json:"verdict"`
	Error   string       `json:"error"`
}

func newFinding(path string, f *rules.Finding) *finding {
	j := &finding{
		Kind: "finding", Rule: f.Rule.ID, Name: f.Rule.Name, Class: f.Class, Severity: f.Severity.String(),
		Path: escape.UTF8(cmp.Or(f.Path, path)), Line: f.Place.Line, Seq: f.Seq, Turn: f.Turn, Dialect: f.Dialect, Frame: f.Place.Frame,
		Authority: f.Rule.Authority, Reader: f.Reader, Fix: f.Rule.Fix, Message: escape.UTF8(f.Message),
	}
	if f.Place.Line > 0 {
		j.PlainOffset, j.Length = &f.Place.PlainOff, &f.Place.Len
	}
	if f.Place.Line > 0 || f.Place.Frame > 0 || f.Place.FileOff > 0 {
		j.FileOffset = &f.Place.FileOff
	}
	return j
}

// findings yields the findings of a file.
func findings(f *File) iter.Seq[*finding] {
	if f.Result == nil {
		return func(func(*finding) bool) {}
	}
	return listed(f.Path, f.Result.Findings, f.Known)
}

// listed yields new findings, then known ones.
func listed(path string, fresh, known []rules.Finding) iter.Seq[*finding] {
	return func(yield func(*finding) bool) {
		for i := range fresh {
			if !yield(newFinding(path, &fresh[i])) {
				return
			}
		}
		for i := range known {
			j := newFinding(path, &known[i])
			j.Known = true
			if !yield(j) {
				return
			}
		}
	}
}

// newSummary returns the summary of a file, or what there is to say of an input
// that could not be read.
func newSummary(f *File) any {
	path := escape.UTF8(f.Path)
	if f.Result == nil {
		return &unread{"file", path, scan.Unreadable, escape.UTF8(f.Problem)}
	}
	r := f.Result
	counts := Count(r.Findings)
	s := &summary{
		Kind: "file", Path: path, Encoding: r.Container.Encoding.String(), Dialect: r.Dialect, Projection: r.Projection,
		Bytes: r.Container.Size, Events: r.Events, Turns: r.Turns, Verdict: r.Reading.Verdict,
		Errors: counts.Errors, Warnings: counts.Warnings, Notes: counts.Notes,
		Regraded: f.Aside.Regraded, Hidden: f.Aside.Hidden, Known: f.Aside.Known, Excluded: escape.UTF8(f.Aside.Excluded),
		ReaderMessage: readerMessage(r.Reading),
	}
	for _, other := range f.Readings {
		s.Readers = append(s.Readers, reading{other.Version.Name, other.Verdict, readerMessage(other.Reading)})
	}
	if h := r.Reading.Header; h != nil && h.ID != "" && !math.IsNaN(h.Version) && !math.IsInf(h.Version, 0) {
		s.Format = &h.Version
	}
	return s
}

// readerMessage returns dsh's refusal as a JSON string, nil without one.
func readerMessage(r *scan.Reading) json.RawMessage {
	if refusal := r.Refusal(); refusal != nil {
		return jsjson.AppendQuoted(nil, refusal.Text)
	}
	return nil
}

// lines writes JSON values, one a line. Like that of a bufio.Writer, its first
// error shows when it is flushed.
type lines struct {
	w   *bufio.Writer
	enc *json.Encoder
}

func newLines(w io.Writer) lines {
	buf := bufio.NewWriter(w)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	return lines{buf, enc}
}

type ndjsonWriter struct{ lines }

// NewNDJSON returns a Writer of one JSON object a line: the findings of a file in
// the order of their places, then its summary, whose kind is "file"; and the same
// for a sessions directory, whose summary has the kind "store".
func NewNDJSON(w io.Writer) Writer { return &ndjsonWriter{newLines(w)} }

// File implements [Writer].
func (w *ndjsonWriter) File(f *File) error {
	for j := range findings(f) {
		if err := w.enc.Encode(j); err != nil {
			return err
		}
	}
	if err := w.enc.Encode(newSummary(f)); err != nil {
		return err
	}
	return w.w.Flush()
}

// Close implements [Writer].
func (w *ndjsonWriter) Close() error { return nil }

// jsonWriter writes findings as they come and keeps the summaries, which are
// small, for the end.
type jsonWriter struct {
	lines
	files  []any
	stores []any
	comma  string // what goes before the next element
}

// NewJSON returns a Writer of one JSON document, with an element a line.
func NewJSON(w io.Writer) Writer {
	j := &jsonWriter{lines: newLines(w)}
	fmt.Fprintf(j.w, "{\"schemaVersion\":%d,\"findings\":[\n", schemaVersion)
	return j
}

// File implements [Writer].
func (w *jsonWriter) File(f *File) error {
	for j := range findings(f) {
		if err := w.element(j); err != nil {
			return err
		}
	}
	w.files = append(w.files, newSummary(f))
	return w.w.Flush()
}

// element writes the next element of an array.
func (w *jsonWriter) element(v any) error {
	w.w.WriteString(w.comma)
	w.comma = ","
	return w.enc.Encode(v)
}

// Close implements [Writer].
func (w *jsonWriter) Close() error {
	if err := w.array("files", w.files); err != nil {
		return err
	}
	if len(w.stores) > 0 {
		if err := w.array("stores", w.stores); err != nil {
			return err
		}
	}
	w.w.WriteString("]}\n")
	return w.w.Flush()
}

// array ends an array and writes the next one up to its end.
func (w *jsonWriter) array(name string, elements []any) error {
	fmt.Fprintf(w.w, "],%q:[\n", name)
	w.comma = ""
	for _, v := range elements {
		if err := w.element(v); err != nil {
			return err
		}
	}
	return nil
}

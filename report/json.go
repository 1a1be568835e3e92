package report

import (
	"bufio"
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
	Frame       int             `json:"frame,omitempty"`
	PlainOffset *int64          `json:"plainOffset,omitempty"`
	FileOffset  *int64          `json:"fileOffset,omitempty"`
	Length      *int64          `json:"length,omitempty"`
	Authority   rules.Authority `json:"authority"`
	Reader      rules.Reaction  `json:"reader"`
	Fix         rules.Fix       `json:"fix"`
	Message     string          `json:"message"`
}

// summary is a file that was read, in the JSON formats.
type summary struct {
	Kind          string          `json:"kind"`
	Path          string          `json:"path"`
	Encoding      string          `json:"encoding"`
	Format        *float64        `json:"format,omitempty"`
	Dialect       string          `json:"dialect,omitempty"`
	Bytes         int64           `json:"bytes"`
	Events        int64           `json:"events"`
	Turns         int64           `json:"turns"`
	Verdict       scan.Verdict    `json:"verdict"`
	ReaderMessage json.RawMessage `json:"readerMessage,omitempty"`
	Errors        int             `json:"errors"`
	Warnings      int             `json:"warnings"`
	Notes         int             `json:"notes"`
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
		Path: escape.UTF8(path), Line: f.Place.Line, Seq: f.Seq, Turn: f.Turn, Frame: f.Place.Frame,
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
	return func(yield func(*finding) bool) {
		if f.Result == nil {
			return
		}
		for i := range f.Result.Findings {
			if !yield(newFinding(f.Path, &f.Result.Findings[i])) {
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
		Kind: "file", Path: path, Encoding: r.Container.Encoding.String(), Dialect: r.Dialect,
		Bytes: r.Container.Size, Events: r.Events, Turns: r.Turns, Verdict: r.Reading.Verdict,
		Errors: counts.Errors, Warnings: counts.Warnings, Notes: counts.Notes,
	}
	if h := r.Reading.Header; h != nil && h.ID != "" && !math.IsNaN(h.Version) && !math.IsInf(h.Version, 0) {
		s.Format = &h.Version
	}
	if refusal := r.Reading.Refusal(); refusal != nil {
		s.ReaderMessage = jsjson.AppendQuoted(nil, refusal.Text)
	}
	return s
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
// the order of their places, then its summary, whose kind is "file".
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
	files []any
	comma string // what goes before the next element
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
	w.w.WriteString("],\"files\":[\n")
	w.comma = ""
	for _, file := range w.files {
		if err := w.element(file); err != nil {
			return err
		}
	}
	w.w.WriteString("]}\n")
	return w.w.Flush()
}

package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/turnlint/turnlint/internal/escape"
)

// lines writes JSON values, one a line. Like that of a bufio.Writer, its first
// error shows when it is flushed.
type lines struct {
	w   *bufio.Writer
	enc *json.Encoder
}

func newLines(w io.Writer) lines {
	buf := bufio.NewWriter(w)
	enc := json.NewEncoder(escape.JSONWriter(buf))
	enc.SetEscapeHTML(false)
	return lines{buf, enc}
}

type ndjsonWriter struct{ lines }

// NewNDJSON returns a Writer of one JSON object a line: the findings of a file in
// the order of their places, then its summary, whose kind is "file"; and the same
// for a sessions directory, whose summary has the kind "store".
func NewNDJSON(w io.Writer) Writer { return &ndjsonWriter{newLines(w)} }

// Store implements [Writer].
func (w *ndjsonWriter) Store(s *Store) error {
	return w.subject(listed(s.Path, s.Findings, s.Known), newStoreSummary(s, schemaVersion))
}

// File implements [Writer].
func (w *ndjsonWriter) File(f *File) error {
	return w.subject(findings(f), newSummary(f, schemaVersion))
}

func (w *ndjsonWriter) subject(all iter.Seq[*finding], summary any) error {
	for j := range all {
		if err := w.enc.Encode(j); err != nil {
			return err
		}
	}
	if err := w.enc.Encode(summary); err != nil {
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

// Store implements [Writer].
func (w *jsonWriter) Store(s *Store) error {
	w.stores = append(w.stores, newStoreSummary(s, 0))
	return w.findings(listed(s.Path, s.Findings, s.Known))
}

// File implements [Writer].
func (w *jsonWriter) File(f *File) error {
	w.files = append(w.files, newSummary(f, 0))
	return w.findings(findings(f))
}

func (w *jsonWriter) findings(all iter.Seq[*finding]) error {
	for j := range all {
		if err := w.element(j); err != nil {
			return err
		}
	}
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

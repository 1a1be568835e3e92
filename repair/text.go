package repair

import (
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/turnlint/turnlint/scan"
)

// textReader reads spans of the decoded text of a log, in their order and in one
// pass.
type textReader struct {
	source *source
	next   func() (*scan.Record, bool)
	stop   func()
	parent *parentLog
	line   *scan.Record // the current one; nil before the first and behind the last
}

func (p *Plan) openText(src io.ReaderAt) *textReader {
	t := &textReader{source: p.read(src), parent: p.parent}
	t.next, t.stop = iter.Pull(t.source.records())
	return t
}

func (t *textReader) close() { t.stop() }

// copy writes bytes of the file.
func (t *textReader) copy(w io.Writer, r Range) error { return copyRange(w, t.source.src, r) }

// leave writes what leaves the log.
func (t *textReader) leave(w io.Writer, l *Leave) error {
	if l.Text == nil {
		return t.copy(w, Range{l.FileOff, l.Len})
	}
	for at := l.Text.PlainOff; at < l.Text.end(); {
		text, whole, err := t.read(at, l.Text.end())
		if err != nil {
			return err
		}
		at += int64(len(text))
		if whole && at < l.Text.end() {
			text = append(slices.Clip(text), '\n')
			at++
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// write writes a span as lines.
func (t *textReader) write(w io.Writer, s *Span) error {
	switch {
	case s.Lost > 0:
		return writeLost(w, s)
	case s.Spliced > 0:
		return t.parent.write(w, s.Spliced)
	case s.Count > 0, s.Escape, len(s.Edits) > 0:
		return t.writeRecord(w, s)
	}
	lf := true
	for at := s.PlainOff; at < s.end(); {
		text, whole, err := t.read(at, s.end())
		if err != nil {
			return err
		}
		if _, err := w.Write(text); err != nil {
			return err
		}
		at += int64(len(text))
		if lf = whole && at < s.end(); !lf {
			continue
		}
		at++
		if _, err := w.Write([]byte{'\n'}); err != nil {
			return err
		}
	}
	if lf {
		return nil
	}
	_, err := w.Write([]byte{'\n'})
	return err
}

// writeRecord writes the one record of a span, with what changes in it.
func (t *textReader) writeRecord(w io.Writer, s *Span) error {
	text, err := t.record(s)
	if err != nil {
		return err
	}
	text = appendEdited(nil, text, s.Edits)
	if s.Count == 0 {
		return writeLine(w, text)
	}
	var row scan.Record
	if row.Reparse(text); row.Kind != scan.Row {
		return errOtherText
	}
	return writeLine(w, row.Row.AppendPart(nil, s.First, s.Count))
}

// record returns the text of the one record of a span, without LF.
func (t *textReader) record(s *Span) ([]byte, error) {
	var record []byte
	for at := s.PlainOff; at < s.end(); {
		text, whole, err := t.read(at, s.end())
		if err != nil {
			return nil, err
		}
		if at > s.PlainOff {
			record = append(record, `\n`...)
		}
		record = append(record, text...)
		at += int64(len(text))
		if whole {
			at++
		}
	}
	return record, nil
}

// errOtherText says that the log does not hold what its plan was made from.
var errOtherText = errors.New("the log has changed since the plan was made")

// read returns the text from an offset to the end of its line, LF excluded, or to
// the offset to, if that comes first. whole says that an LF follows.
func (t *textReader) read(from, to int64) (text []byte, whole bool, err error) {
	for t.line == nil || t.line.PlainOff+lineLen(t.line) <= from {
		line, ok := t.next()
		if !ok {
			return nil, false, errors.Join(errOtherText, t.source.err)
		}
		t.line = line
	}
	if t.line.PlainOff > from || t.line.Kind == scan.TooLong {
		return nil, false, errOtherText
	}
	text = t.line.Text[from-t.line.PlainOff:]
	if n := to - from; n < int64(len(text)) {
		return text[:n], false, nil
	}
	return text, t.line.Terminated, nil
}

package reference

import (
	"bytes"
	"fmt"
)

// Log is what dsh's reader makes of a v0 log before it loads it (docs/format.md §1
// to §3).
type Log struct {
	// Refusal is dsh's message, or its start where it quotes a value; "" when the
	// log is read, and only then the other members mean something.
	Refusal   string
	Lines     []string // that are accepted, without the header and LF
	Events    int64    // in these lines
	Committed int64    // bytes of the file that stay
	Torn      bool     // there are more
	Recovered int64    // of Events, those in a torn frame
}

// ReadPlain reads a plain log (docs/format.md §1.2).
func ReadPlain(file []byte) Log {
	header, text, found := bytes.Cut(file, []byte("\n"))
	if !found {
		return Log{Refusal: "empty or header-less session log"}
	}
	if refusal := Header(header); refusal != "" {
		return Log{Refusal: refusal}
	}
	s := scanner{committed: int64(len(header)) + 1}
	if refusal := s.feed(text); refusal != "" {
		return Log{Refusal: refusal}
	}
	return Log{Lines: s.lines, Events: s.events, Committed: s.committed, Torn: s.committed < int64(len(file))}
}

// ReadZstd reads a compressed log in the steps of docs/format.md §1.4. The error is
// ErrTooLong.
func ReadZstd(file []byte) (Log, error) {
	w := WalkFrames(file)
	if w.Fault != "" {
		return Log{Refusal: w.Fault}, nil // step 1
	}
	if len(w.Frames) == 0 {
		return Log{Refusal: "empty or header-less Zstandard session log"}, nil // step 2
	}
	first, ok, err := w.Frames[0].Text()
	if !ok || err != nil {
		return Log{Refusal: broken(&w.Frames[0])}, err // step 3
	}
	if len(first) == 0 || bytes.IndexByte(first, '\n') != len(first)-1 {
		return Log{Refusal: "corrupt Zstandard session log: first frame is not exactly one header line"}, nil // step 4
	}
	if refusal := Header(first[:len(first)-1]); refusal != "" {
		return Log{Refusal: refusal}, nil // step 5
	}
	s := scanner{committed: int64(len(first))}
	input := s.committed
	for i := range w.Frames[1:] { // step 6
		text, ok, err := w.Frames[1+i].Text()
		if !ok || err != nil {
			return Log{Refusal: broken(&w.Frames[1+i])}, err
		}
		input += int64(len(text))
		if refusal := s.feed(text); refusal != "" {
			return Log{Refusal: refusal}, nil
		}
	}
	if s.committed != input {
		return Log{Refusal: "corrupt Zstandard session log: complete frame contains a torn JSONL record"}, nil // step 7
	}
	whole := s.events
	log := Log{Committed: int64(len(file))}
	if w.Torn != nil { // steps 9 and 10
		text, err := w.Torn.Recover()
		if err != nil {
			return Log{}, err
		}
		if refusal := s.feed(text); refusal != "" {
			return Log{Refusal: refusal}, nil
		}
		log.Torn, log.Committed = true, int64(w.Torn.Off)
	}
	log.Lines, log.Events, log.Recovered = s.lines, s.events, s.events-whole
	return log, nil
}

func broken(f *Frame) string {
	return fmt.Sprintf("corrupt Zstandard session log: frame at byte %d failed validation", f.Off)
}

// scanner is that of docs/format.md §3, for the text behind the header.
type scanner struct {
	rest      []byte // behind the last LF
	line      int
	lines     []string
	events    int64
	committed int64
	issue     string
}

// feed takes a piece of text. It returns dsh's refusal, or "".
func (s *scanner) feed(text []byte) (refusal string) {
	s.rest = append(s.rest, text...)
	for {
		line, rest, found := bytes.Cut(s.rest, []byte("\n"))
		if !found {
			return ""
		}
		s.rest = rest
		s.line++
		if refusal := s.take(line); refusal != "" {
			return refusal
		}
	}
}

// take takes a line (docs/format.md §3.3 and §3.4).
func (s *scanner) take(text []byte) (refusal string) {
	v, ok := parse(text)
	if ok && v == nil {
		if s.issue == "" {
			return "Cannot read properties of null (reading 'seq')"
		}
		return "Cannot read properties of null (reading 'type')"
	}
	record, _ := v.(map[string]any)
	events := int64(1)
	seq := record["seq"]
	if isRow(record) {
		events, ok = rowEvents(record)
		seq = record["seq0"]
	}
	switch {
	case !ok && s.issue == "":
		s.issue = fmt.Sprintf("corrupt session log: unparsable committed event at line %d", s.line)
		return ""
	case !ok:
		return ""
	case s.issue == "" && number(seq) == float64(s.events):
		s.events += events
		s.committed += int64(len(text)) + 1
		s.lines = append(s.lines, string(text))
		return ""
	case s.issue == "":
		s.issue = fmt.Sprintf("corrupt session log: seq gap in committed region at line %d (expected %d, got ", s.line, s.events)
	}
	if record["type"] == "turn/end" {
		return s.issue
	}
	return ""
}

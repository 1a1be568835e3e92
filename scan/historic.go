package scan

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/turnlint/turnlint/internal/jsjson"
	"github.com/turnlint/turnlint/session"
)

// Scanner names one of dsh's earlier scanners by the date of its commit
// (docs/format.md §3.8).
type Scanner uint8

// The earlier scanners. Both know neither packed rows nor zstd.
const (
	// CutAtTurnEnd drops everything behind the last turn/end, complete events too.
	CutAtTurnEnd Scanner = iota
	// ContiguousPrefix keeps everything before the first hole in the sequence.
	ContiguousPrefix
)

var scannerNames = []string{CutAtTurnEnd: "2026-06-15", ContiguousPrefix: "2026-06-16"}

// String returns the date by which the command line names the scanner.
func (s Scanner) String() string { return scannerNames[s] }

// ParseScanner is the inverse of [Scanner.String].
func ParseScanner(name string) (Scanner, error) {
	i := slices.Index(scannerNames, name)
	if i < 0 {
		return 0, fmt.Errorf("unknown scanner %q: want %s or %s", name, CutAtTurnEnd, ContiguousPrefix)
	}
	return Scanner(i), nil
}

// Historic is an earlier scanner of dsh. It takes the records of a plain log in
// order and keeps none of them. The originals looked for the last turn/end of
// the whole text first. That is not needed to know what they accept: a defect
// refuses the log as soon as any turn/end stands at or behind it.
//
// A Historic does not check the header's version. dsh did so after the scan, and
// the constant changed from 1 to 0 while these scanners were in use.
type Historic struct {
	scanner Scanner
	refusal *session.Refusal // of the header, or of a defect with a turn/end behind it
	hole    *session.Refusal // the first defect
	header  bool             // a header record was there
	kept    prefix
	turnEnd ScanResult // kept, as it was behind the last turn/end

	closers earlyClosers
}

// prefix is the accepted start of a log.
type prefix struct {
	events    int64
	committed int64
	digest    *digest
}

func (p *prefix) result() ScanResult {
	return ScanResult{Events: p.events, Committed: p.committed, Digest: p.digest.sum()}
}

// NewHistoric returns a scanner that has seen no record. With digests it hashes
// every event it accepts.
func NewHistoric(s Scanner, digests bool) *Historic {
	h := &Historic{scanner: s}
	if digests {
		h.kept.digest = newDigest()
	}
	return h
}

// Add takes the next record of the log.
func (h *Historic) Add(r *Record) {
	if h.refusal != nil || !r.Terminated {
		return
	}
	if r.Kind == Header {
		h.addHeader(r)
		return
	}
	if h.hole == nil {
		h.extend(r)
	}
	if r.isObject() && r.Event.Kind == session.TurnEnd {
		h.refusal = h.hole
		h.turnEnd = h.kept.result()
	}
}

func (h *Historic) addHeader(r *Record) {
	h.header = true
	switch {
	case r.Doc.Root.Kind == jsjson.Absent:
		h.refusal = session.Refuse("corrupt session log: header line is not valid JSON")
	case !earlyHeader(&r.Doc):
		h.refusal = session.Refuse("corrupt session log: first line is not a session header")
	}
	h.kept.committed = reencodedLen(r)
	h.turnEnd = h.kept.result()
}

// earlyHeader reports whether a record had the shape of a header in June 2026.
func earlyHeader(doc *jsjson.Doc) bool {
	return doc.Root.Kind == jsjson.Object &&
		doc.Get("type").EqualText("session") &&
		doc.Get("version").Kind == jsjson.Number &&
		doc.Get("id").Kind == jsjson.String &&
		doc.Get("createdAt").Kind == jsjson.Number
}

// extend takes the record that follows the accepted ones: as the next event, or
// as the first defect.
func (h *Historic) extend(r *Record) {
	var seq jsjson.Value
	switch {
	case r.Kind == TooLong || r.Syntax != nil:
		h.hole = session.Refuse(fmt.Sprintf("corrupt session log: unparsable committed event at line %d", r.Line-1))
		return
	case r.Kind == Null:
		h.hole = cannotRead("null", "seq")
		if h.scanner == ContiguousPrefix {
			h.refusal = h.hole // this one also read the lines behind the last turn/end
		}
		return
	case r.isObject():
		seq = r.Event.Seq
	}
	if seq.Kind != jsjson.Number || seq.Float() != float64(h.kept.events) {
		h.hole = session.Refuse(fmt.Sprintf("corrupt session log: seq gap in committed region at line %d (expected %d, got %s)",
			r.Line-1, h.kept.events, seq.JSString()))
		return
	}
	h.kept.events++
	h.kept.committed += reencodedLen(r)
	h.kept.digest.addEvent(&r.Event)
	h.closers.event(&r.Event)
}

// isObject reports whether the record holds a JSON object, packed rows included:
// to the early scanners they were events without a seq.
func (r *Record) isObject() bool {
	return r.Kind != TooLong && r.Doc.Root.Kind == jsjson.Object
}

// Result returns what the scanner makes of the log in a plain file of size
// bytes, once the last record has been added.
func (h *Historic) Result(size int64) ScanResult {
	switch {
	case !h.header:
		return ScanResult{Refusal: session.Refuse("empty or header-less session log")}
	case h.refusal != nil:
		return ScanResult{Refusal: h.refusal}
	}
	res := h.turnEnd
	if h.scanner == ContiguousPrefix {
		res = h.kept.result()
	}
	res.Torn = res.Committed < size
	return res
}

// reencodedLen is the length of a line with its LF as the early scanners counted
// it: they measured the text after decoding, where every U+FFFD that stands for
// bytes that are not UTF-8 takes three bytes.
func reencodedLen(r *Record) int64 {
	n := r.Len + 1
	if utf8.Valid(r.Text) {
		return n
	}
	return n + int64(jsjson.ReplacedLen(r.Text)-len(r.Text))
}

// Closers returns the events that dsh then appended on load, as JSON texts
// without LF: none for [CutAtTurnEnd] and for a refused log. On some event data
// the search for them crashed; then it returns that refusal.
func (h *Historic) Closers() ([][]byte, *session.Refusal) {
	switch {
	case h.scanner == CutAtTurnEnd, h.refusal != nil:
		return nil, nil
	case h.closers.crash != nil:
		return nil, h.closers.crash
	}
	return h.closers.texts(), nil
}
